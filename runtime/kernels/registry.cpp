#include "runtime/kernels/registry.h"

#include <bit>
#include <cstring>
#include <utility>

namespace et::kernels {
namespace {

/// Hashes the name in steps of eight bytes. Names come from built-in or plugin tables, so collision attacks
/// are not a concern.
std::uint32_t hashOf(std::string_view name) {
    constexpr std::uint64_t factor = 0x9E3779B97F4A7C15;
    std::uint64_t hash = name.size();
    const auto mix = [&](std::string_view bytes) {
        std::uint64_t word = 0;
        std::memcpy(&word, bytes.data(), bytes.size());
        hash = (hash ^ word) * factor;
        hash ^= hash >> 32U;
    };
    for (; name.size() > sizeof(std::uint64_t); name.remove_prefix(sizeof(std::uint64_t))) {
        mix(name.substr(0, sizeof(std::uint64_t)));
    }
    mix(name);
    return static_cast<std::uint32_t>(hash);
}

}  // namespace

void KernelRegistry::add(std::span<const KernelEntry> more) {
    growIndex(entries.size() + more.size());
    for (const KernelEntry& entry : more) {
        const std::uint32_t hash = hashOf(entry.name);
        Slot& slot = index[slotOf(entry.name, hash)];
        if (slot.number != 0) {
            entries[slot.number - 1] = &entry;
            continue;
        }
        entries.push_back(&entry);
        slot = {.hash = hash, .number = static_cast<std::uint32_t>(entries.size())};
    }
}

const KernelEntry* KernelRegistry::find(std::string_view name) const {
    if (index.empty()) {
        return nullptr;
    }
    const Slot& slot = index[slotOf(name, hashOf(name))];
    return slot.number == 0 ? nullptr : entries[slot.number - 1];
}

std::size_t KernelRegistry::slotOf(std::string_view name, std::uint32_t hash) const {
    const std::size_t mask = index.size() - 1;
    std::size_t at = hash & mask;
    while (index[at].number != 0 && (index[at].hash != hash || entries[index[at].number - 1]->name != name)) {
        at = (at + 1) & mask;
    }
    return at;
}

void KernelRegistry::growIndex(std::size_t names) {
    const std::size_t size = std::bit_ceil(2 * names);
    if (size <= index.size()) {
        return;
    }
    std::vector<Slot> larger(size);
    for (const Slot& slot : index) {
        if (slot.number != 0) {
            std::size_t at = slot.hash & (size - 1);
            while (larger[at].number != 0) {
                at = (at + 1) & (size - 1);
            }
            larger[at] = slot;
        }
    }
    index = std::move(larger);
}

}  // namespace et::kernels
