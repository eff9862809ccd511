#include "etdump/detail/name_table.h"

#include <algorithm>
#include <cstring>

namespace et::etdump::detail {
namespace {

constexpr std::size_t firstSlots = 1024;
constexpr std::size_t maxProbes = 16;
constexpr std::size_t longLength = 256;  ///< minimum length of a long string

/// Multiplies and folds eight bytes at a time: names are short, and a weak hash only costs probes.
std::uint32_t hashOf(std::string_view text) {
    constexpr std::uint64_t multiplier = 0x9E37'79B9'7F4A'7C15;
    std::uint64_t hash = text.size();
    while (!text.empty()) {
        std::uint64_t word = 0;
        const std::size_t length = std::min(text.size(), sizeof word);
        std::memcpy(&word, text.data(), length);
        hash = (hash ^ word) * multiplier;
        hash ^= hash >> 29;
        text.remove_prefix(length);
    }
    return static_cast<std::uint32_t>(hash ^ (hash >> 32));
}

}  // namespace

NameTable::NameTable(ContentBudget& contentBudget) : budget(&contentBudget), slots(firstSlots) {
}

NameId NameTable::intern(std::string_view text) {
    if (text.size() < longLength) {
        return internByContent(text);
    }
    const auto known = longStrings.find(text.data());
    if (known != longStrings.end()) {
        return known->second;
    }
    if (!budget->take(text.size())) {
        return noName;
    }
    return longStrings[text.data()] = internByContent(text);
}

NameId NameTable::internByContent(std::string_view text) {
    const std::uint32_t hash = hashOf(text);
    for (std::size_t probe = 0; probe < maxProbes; ++probe) {
        const Slot& slot = slots[(hash + probe) & (slots.size() - 1)];
        if (slot.id == noName) {
            return add(text, hash);
        }
        if (slot.hash == hash && texts[slot.id.value] == text) {
            return slot.id;
        }
    }
    const auto found = crowded.find(text);
    return found != crowded.end() ? found->second : add(text, hash);
}

NameId NameTable::add(std::string_view text, std::uint32_t hash) {
    const NameId id(static_cast<std::uint32_t>(texts.size()));
    texts.push_back(text);
    hashes.push_back(hash);
    if (2 * texts.size() > slots.size()) {
        grow();
    } else {
        place(id);
    }
    return id;
}

void NameTable::place(NameId id) {
    const std::uint32_t hash = hashes[id.value];
    for (std::size_t probe = 0; probe < maxProbes; ++probe) {
        Slot& slot = slots[(hash + probe) & (slots.size() - 1)];
        if (slot.id == noName) {
            slot = {.hash = hash, .id = id};
            return;
        }
    }
    crowded.emplace(texts[id.value], id);
}

void NameTable::grow() {
    slots.assign(2 * slots.size(), Slot{});
    crowded.clear();
    for (std::uint32_t id = 0; id < texts.size(); ++id) {
        place(NameId(id));
    }
}

}  // namespace et::etdump::detail
