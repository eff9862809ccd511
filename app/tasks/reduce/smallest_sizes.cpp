#include "app/tasks/reduce/smallest_sizes.h"

#include <cstdint>
#include <functional>
#include <set>
#include <utility>

namespace et::tasks {
namespace {

using core::Result;

/// The sizes that one step changes.
struct SizeTarget {
    std::int64_t size = 0;
    std::optional<std::pair<std::size_t, std::size_t>>
        only{};  ///< input and dimension; nothing: all dimensions of `size`
};

PartSizes withSize(const PartSizes& sizes, const SizeTarget& target, std::int64_t smaller) {
    PartSizes changed = sizes;
    for (std::size_t i = 0; i < changed.size(); ++i) {
        for (std::size_t d = 0; changed[i] && d < changed[i]->size(); ++d) {
            const bool isMeant =
                target.only ? *target.only == std::pair(i, d) : (*changed[i])[d] == target.size;
            (*changed[i])[d] = isMeant ? smaller : (*changed[i])[d];
        }
    }
    return changed;
}

/// Uses 1 if that fails, otherwise halves the size as long as it fails.
Result<PartSizes> shrunk(PartSizes now, SizeTarget target, const StillFailsWith& fails) {
    const PartSizes least = withSize(now, target, 1);
    ET_ASSIGN(const bool isLeast, fails(least));
    if (isLeast) {
        return least;
    }
    while (target.size / 2 > 1) {
        PartSizes half = withSize(now, target, target.size / 2);
        ET_ASSIGN(const bool isHalf, fails(half));
        if (!isHalf) {
            break;
        }
        now = std::move(half);
        target.size /= 2;
    }
    return now;
}

}  // namespace

Result<PartSizes> smallestSizes(PartSizes now, const StillFailsWith& fails) {
    std::set<std::int64_t, std::greater<>> distinct;
    for (const auto& each : now) {
        if (each) {
            distinct.insert(each->begin(), each->end());
        }
    }
    for (const std::int64_t size : distinct) {
        if (size > 1) {
            ET_ASSIGN(now, shrunk(std::move(now), {.size = size}, fails));
        }
    }
    for (std::size_t i = 0; i < now.size(); ++i) {
        for (std::size_t d = 0; now[i] && d < now[i]->size(); ++d) {
            if (const std::int64_t size = (*now[i])[d]; size > 1) {
                ET_ASSIGN(now, shrunk(std::move(now), {.size = size, .only = std::pair(i, d)}, fails));
            }
        }
    }
    return now;
}

}  // namespace et::tasks
