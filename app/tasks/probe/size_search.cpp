#include "app/tasks/probe/size_search.h"

#include <algorithm>
#include <array>
#include <cstdlib>
#include <optional>
#include <ranges>
#include <utility>

namespace et::tasks {
namespace {

using Sizes = std::vector<std::int64_t>;

/// In ascending order: each divides the next.
constexpr std::array<std::int64_t, 6> triedDivisors{2, 4, 8, 16, 32, 64};
/// Separate groups of wrong sizes after which a divisor is accepted instead of bands.
constexpr std::size_t enoughGroups = 3;
/// Distance of grid sizes: a multiple of 8, so that the grid does not depend on small divisors.
constexpr std::int64_t gridStep = 24;
constexpr std::int64_t gridEnd = 256;

/// A size with its verdict.
using Trial = std::pair<const std::int64_t, bool>;

bool isDivisible(std::int64_t size, std::int64_t divisor) {
    return size % divisor == 0;
}

class SizeSearch {
  public:
    SizeSearch(const SizeTrials& tested, std::size_t edgeSizes) : trials(tested), perEdge(edgeSizes) {}

    SizeSearchStep run() {
        const auto wrongCount = std::ranges::count_if(trials.wrong, &Trial::second);
        if (wrongCount == 0 || std::cmp_equal(wrongCount, trials.wrong.size())) {
            step.rule.kind = wrongCount == 0 ? SizeRule::Kind::Right : SizeRule::Kind::Wrong;
            return step;
        }
        const Sizes divisors = possibleDivisors();
        if (divisors.empty()) {
            findBands();
        } else {
            confirmDivisor(divisors);
        }
        step.rule.isExact = step.next.empty();
        return step;
    }

  private:
    /// Divisors that explain every tested size.
    [[nodiscard]] Sizes possibleDivisors() const {
        Sizes divisors;
        for (const std::int64_t divisor : triedDivisors) {
            if (std::ranges::all_of(trials.wrong, [&](const Trial& trial) {
                    return trial.second != isDivisible(trial.first, divisor);
                })) {
                divisors.push_back(divisor);
            }
        }
        return divisors;
    }

    void confirmDivisor(const Sizes& divisors) {
        step.rule.kind = SizeRule::Kind::Indivisible;
        step.rule.divisor = divisors.back();
        if (divisors.size() > 1) {
            add(nearestTo(trials.typical, trials.least - 1, trials.most + 1, [&](std::int64_t size) {
                return isDivisible(size, divisors[0]) && !isDivisible(size, divisors[1]);
            }));
        }
        if (wrongGroups() < enoughGroups) {
            addBetweenRightSizes(divisors.back());
        }
        if (step.next.empty() && wrongGroups() < 2) {
            findBands();
        }
    }

    [[nodiscard]] std::size_t wrongGroups() const {
        std::size_t groups = 0;
        bool isInside = false;
        for (const auto& [size, isWrong] : trials.wrong) {
            groups += isWrong && !isInside ? 1 : 0;
            isInside = isWrong;
        }
        return groups;
    }

    /// Adds an indivisible size in the largest gap between right sizes.
    void addBetweenRightSizes(std::int64_t divisor) {
        std::vector<std::pair<std::int64_t, std::int64_t>> gaps;
        for (const auto& [left, right] : trials.wrong | std::views::adjacent<2>) {
            if (!left.second && !right.second && right.first - left.first > 1) {
                gaps.emplace_back(left.first, right.first);
            }
        }
        std::ranges::stable_sort(gaps, std::ranges::greater(),
                                 [](const auto& gap) { return gap.second - gap.first; });
        for (const auto& [low, high] : gaps) {
            const auto size = nearestTo(low + (high - low) / 2, low, high,
                                        [&](std::int64_t each) { return !isDivisible(each, divisor); });
            if (size) {
                add(size);
                return;
            }
        }
    }

    /// The divisor of the sizes that are not wrong in any case: all indivisible ones are, also between right
    /// sizes. 1: none.
    [[nodiscard]] std::int64_t divisorOfRightSizes() const {
        for (const std::int64_t divisor : triedDivisors | std::views::reverse) {
            std::size_t between = 0;
            bool isPossible = true;
            for (const auto& [size, isWrong] : trials.wrong) {
                isPossible = isPossible && (isDivisible(size, divisor) || isWrong);
                between += !isDivisible(size, divisor) && isBetweenRight(size, divisor) ? 1 : 0;
            }
            if (isPossible && between >= 2) {
                return divisor;
            }
        }
        return 1;
    }

    [[nodiscard]] bool isBetweenRight(std::int64_t size, std::int64_t divisor) const {
        const auto isMultiple = [&](const Trial& trial) { return isDivisible(trial.first, divisor); };
        const auto after =
            std::ranges::find_if(trials.wrong.upper_bound(size), trials.wrong.end(), isMultiple);
        auto before = std::make_reverse_iterator(trials.wrong.lower_bound(size));
        before = std::ranges::find_if(before, trials.wrong.rend(), isMultiple);
        return after != trials.wrong.end() && before != trials.wrong.rend() && !after->second &&
               !before->second;
    }

    void findBands() {
        const std::int64_t divisor = divisorOfRightSizes();
        step.rule = {.kind = SizeRule::Kind::Bands, .divisor = divisor};
        std::int64_t before = 0;
        bool isInside = false;
        for (const auto& [size, isWrong] : trials.wrong) {
            if (!isDivisible(size, divisor)) {
                continue;
            }
            if (isWrong && !isInside) {
                step.rule.bands.push_back({.first = size, .last = size, .rightBefore = before});
                narrow(before, size, divisor);
            } else if (isWrong) {
                step.rule.bands.back().last = size;
            } else if (isInside) {
                step.rule.bands.back().rightAfter = size;
                narrow(before, size, divisor);
            }
            isInside = isWrong;
            before = size;
        }
        if (isInside) {
            add(nearestTo(trials.most, before, trials.most + 1,
                          [&](std::int64_t size) { return isDivisible(size, divisor); }));
        }
    }

    /// Adds sizes between two with different verdicts.
    void narrow(std::int64_t low, std::int64_t high, std::int64_t divisor) {
        if (low == 0) {
            add(nearestTo(trials.least, trials.least - 1, high,
                          [&](std::int64_t size) { return isDivisible(size, divisor); }));
            return;
        }
        for (std::size_t i = 1; i <= perEdge; ++i) {
            const auto part = static_cast<std::int64_t>(i);
            const auto parts = static_cast<std::int64_t>(perEdge + 1);
            add(nearestTo(low + ((high - low) * part) / parts, low, high,
                          [&](std::int64_t size) { return isDivisible(size, divisor); }));
        }
    }

    /// The untested size between two others that is nearest to `wanted`.
    template <class Allows>
    [[nodiscard]] std::optional<std::int64_t> nearestTo(std::int64_t wanted, std::int64_t low,
                                                        std::int64_t high, const Allows& allows) const {
        const auto isFree = [&](std::int64_t size) {
            return size > low && size < high && size >= trials.least && size <= trials.most && allows(size) &&
                   !trials.wrong.contains(size) && !trials.unavailable.contains(size) &&
                   !std::ranges::contains(step.next, size);
        };
        for (std::int64_t distance = 0; distance < high - low; ++distance) {
            for (const std::int64_t size : {wanted + distance, wanted - distance}) {
                if (isFree(size)) {
                    return size;
                }
            }
        }
        return std::nullopt;
    }

    void add(std::optional<std::int64_t> size) {
        if (size) {
            step.next.push_back(*size);
        }
    }

    const SizeTrials& trials;
    std::size_t perEdge;
    SizeSearchStep step{};
};

}  // namespace

SizeSearchStep searchSizes(const SizeTrials& trials, std::size_t perEdge) {
    return SizeSearch(trials, perEdge).run();
}

std::vector<std::int64_t> scanSizes(const SizeTrials& trials) {
    const std::int64_t typical = trials.typical;
    Sizes sizes{typical + 1};
    for (const std::int64_t first : {gridStep, gridStep / 2}) {
        if (first != gridStep) {
            sizes.insert(sizes.end(), {typical + 2, 2 * typical, typical / 2, typical + 3});
        }
        Sizes grid;
        for (std::int64_t size = first; size < gridEnd; size += gridStep) {
            grid.push_back(size);
        }
        for (std::int64_t i = 1; typical > gridEnd && i <= 4; ++i) {
            grid.push_back(typical - first - (i - 1) * gridStep);
            grid.push_back(typical + first + (i - 1) * gridStep);
        }
        std::ranges::stable_sort(grid, {}, [&](std::int64_t size) { return std::abs(size - typical); });
        sizes.insert(sizes.end(), grid.begin(), grid.end());
    }
    Sizes result;
    for (const std::int64_t size : sizes) {
        if (size >= trials.least && size <= trials.most && size != typical &&
            !std::ranges::contains(result, size) && !trials.unavailable.contains(size)) {
            result.push_back(size);
        }
    }
    return result;
}

}  // namespace et::tasks
