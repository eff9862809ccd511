#include "inspector/memory/detail/overlaps.h"

#include <queue>

#include <algorithm>
#include <map>
#include <numeric>
#include <optional>
#include <span>
#include <utility>

namespace et::inspector::memory::detail {
namespace {

constexpr std::size_t maxOverlaps = 1000;

/// Sweeps one arena over time and keeps the live tensors by offset. These never overlap one another: a tensor
/// that does is reported and not kept.
class Sweep {
  public:
    Sweep(const std::vector<PlannedTensor>& all, const std::vector<join::detail::Branch>& parts,
          std::vector<PlanOverlap>& out)
        : tensors(all), branches(parts), overlaps(out) {}

    void enter(std::size_t index) {
        const PlannedTensor& entering = tensors[index];
        while (!ends.empty() && ends.top().first < entering.firstStep) {
            alive.erase(tensors[ends.top().second].offset);
            ends.pop();
        }
        if (const auto other = inTheWay(entering)) {
            if (separate(tensors[*other], entering)) {
                return;
            }
            overlaps.push_back({.first = *other, .second = index, .step = entering.firstStep});
            return;
        }
        alive.emplace(entering.offset, index);
        ends.emplace(entering.lastOwnStep(), index);
    }

  private:
    [[nodiscard]] std::optional<std::size_t> inTheWay(const PlannedTensor& entering) const {
        const auto after = alive.upper_bound(entering.offset);
        if (after != alive.begin() && tensors[std::prev(after)->second].end() > entering.offset) {
            return std::prev(after)->second;
        }
        if (after != alive.end() && after->first < entering.end()) {
            return after->second;
        }
        return std::nullopt;
    }

    [[nodiscard]] bool separate(const PlannedTensor& one, const PlannedTensor& other) const {
        return std::ranges::any_of(branches, [&](const join::detail::Branch& branch) {
            return branch.separates(one.firstStep, other.firstStep);
        });
    }

    using End = std::pair<Step, std::size_t>;

    const std::vector<PlannedTensor>& tensors;
    const std::vector<join::detail::Branch>& branches;
    std::vector<PlanOverlap>& overlaps;
    std::map<std::uint64_t, std::size_t> alive;
    std::priority_queue<End, std::vector<End>, std::greater<>> ends;
};

}  // namespace

std::vector<PlanOverlap> findOverlaps(const std::vector<PlannedTensor>& tensors,
                                      const std::vector<join::detail::Branch>& branches) {
    std::vector<std::size_t> order(tensors.size());
    std::iota(order.begin(), order.end(), std::size_t{0});
    std::ranges::stable_sort(
        order, {}, [&](std::size_t i) { return std::pair(tensors[i].arena, tensors[i].firstStep); });
    std::vector<PlanOverlap> overlaps;
    std::optional<Sweep> sweep;
    std::optional<program::ArenaId> arena;
    for (const std::size_t index : order) {
        const PlannedTensor& tensor = tensors[index];
        if (tensor.bytes == 0 || tensor.firstStep > tensor.lastStep) {
            continue;
        }
        if (overlaps.size() >= maxOverlaps) {
            break;
        }
        if (arena != tensor.arena) {
            arena = tensor.arena;
            sweep.emplace(tensors, branches, overlaps);
        }
        sweep->enter(index);
    }
    return overlaps;
}

}  // namespace et::inspector::memory::detail
