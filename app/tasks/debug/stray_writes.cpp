#include "app/tasks/debug/detail/stray_writes.h"

#include "app/tasks/debug/timeline.h"
#include "runtime/core/tensor.h"
#include "runtime/program/method.h"

#include <algorithm>
#include <cstdint>
#include <optional>

namespace et::tasks {

StrayWrites::StrayWrites(executor::Method& of) : method(of) {
    for (const core::Bytes arena : method.plannedMemory()) {
        before.emplace_back(arena.begin(), arena.end());
    }
}

std::vector<program::ValueId> StrayWrites::find(std::span<const program::ValueId> results) const {
    // The results have their own bytes: these are as expected.
    std::vector<std::vector<std::byte>> expected = before;
    const auto arenas = method.plannedMemory();
    const auto isChanged = [&](const ArenaRange& range) {
        const auto begin = static_cast<std::ptrdiff_t>(range.begin);
        const auto end = static_cast<std::ptrdiff_t>(std::min<std::uint64_t>(
            range.end, std::min(arenas[range.arena].size(), expected[range.arena].size())));
        return begin < end &&
               !std::equal(arenas[range.arena].begin() + begin, arenas[range.arena].begin() + end,
                           expected[range.arena].begin() + begin);
    };
    for (const program::ValueId id : results) {
        const auto range = arenaRange(method, method.value(id));
        if (range && isChanged(*range)) {
            std::copy_n(arenas[range->arena].begin() + static_cast<std::ptrdiff_t>(range->begin),
                        range->end - range->begin,
                        expected[range->arena].begin() + static_cast<std::ptrdiff_t>(range->begin));
        }
    }
    std::vector<program::ValueId> found;
    const auto count = static_cast<std::uint32_t>(method.description().values.size());
    for (std::uint32_t i = 0; i < count; ++i) {
        const program::ValueId id(i);
        const auto range = arenaRange(method, method.value(id));
        if (range && !std::ranges::contains(results, id) && isChanged(*range)) {
            found.push_back(id);
        }
    }
    return found;
}

}  // namespace et::tasks
