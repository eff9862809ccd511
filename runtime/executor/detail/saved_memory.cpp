#include "runtime/executor/detail/saved_memory.h"

#include <algorithm>
#include <cstring>
#include <utility>

namespace et::executor::detail {
namespace {

constexpr std::array<std::byte, SavedMemory::pageBytes> zeros{};

std::span<const std::byte> pageOf(std::span<const std::byte> memory, std::size_t number) {
    const std::size_t at = number * SavedMemory::pageBytes;
    return at >= memory.size() ? std::span<const std::byte>()
                               : memory.subspan(at, std::min(SavedMemory::pageBytes, memory.size() - at));
}

bool isEqual(std::span<const std::byte> memory, const std::byte* saved) {
    return std::memcmp(memory.data(), saved, memory.size()) == 0;
}

}  // namespace

std::shared_ptr<const SavedMemory::Group> SavedMemory::copyGroup(
    std::span<const std::byte> memory, const std::shared_ptr<const Group>& previous) {
    std::shared_ptr<Group> changed;  // null while it equals `previous`
    for (std::size_t i = 0; i < std::tuple_size_v<Group>; ++i) {
        const std::span<const std::byte> page = pageOf(memory, i);
        if (page.empty()) {
            break;
        }
        const Page* const before = previous == nullptr ? nullptr : (*previous)[i].get();
        if (isEqual(page, before == nullptr ? zeros.data() : before->data())) {
            continue;
        }
        if (changed == nullptr) {
            changed = previous == nullptr ? std::make_shared<Group>() : std::make_shared<Group>(*previous);
        }
        if (before != nullptr && isEqual(page, zeros.data())) {
            (*changed)[i].reset();
            continue;
        }
        auto copied = std::make_shared_for_overwrite<Page>();
        std::memcpy(copied->data(), page.data(), page.size());
        std::fill(copied->begin() + static_cast<std::ptrdiff_t>(page.size()), copied->end(), std::byte{0});
        (*changed)[i] = std::move(copied);
    }
    return changed == nullptr ? previous : changed;
}

SavedMemory SavedMemory::copy(std::span<const std::byte> memory, const SavedMemory* previous) {
    SavedMemory saved;
    saved.bytes = memory.size();
    const bool isSame = previous != nullptr && previous->bytes == memory.size();
    for (std::size_t at = 0; at < memory.size(); at += groupBytes) {
        saved.groups.push_back(
            copyGroup(memory.subspan(at, std::min(groupBytes, memory.size() - at)),
                      isSame ? previous->groups[at / groupBytes] : std::shared_ptr<const Group>()));
    }
    return saved;
}

void SavedMemory::restoreTo(std::span<std::byte> memory) const {
    for (std::size_t at = 0; at < memory.size(); at += pageBytes) {
        const std::span<std::byte> page = memory.subspan(at, std::min(pageBytes, memory.size() - at));
        const Group* const group = groups[at / groupBytes].get();
        const Page* const held = group == nullptr ? nullptr : (*group)[at % groupBytes / pageBytes].get();
        const std::byte* const saved = held == nullptr ? zeros.data() : held->data();
        if (!isEqual(page, saved)) {
            std::memcpy(page.data(), saved, page.size());
        }
    }
}

std::uint64_t SavedMemory::countBytes(std::unordered_set<const void*>& counted) const {
    std::uint64_t total = sizeof(SavedMemory) + groups.size() * sizeof(groups.front());
    for (const auto& group : groups) {
        if (group == nullptr || !counted.insert(group.get()).second) {
            continue;
        }
        total += sizeof(Group);
        for (const auto& page : *group) {
            total += page != nullptr && counted.insert(page.get()).second ? sizeof(Page) : 0;
        }
    }
    return total;
}

}  // namespace et::executor::detail
