#pragma once

#include "inspector/trend/trend.h"
#include "tests/support/made_up_fleet.h"

#include <cstddef>

namespace et::test {

inline constexpr FleetNoise fleetNoises[] = {
    {.name = "independent"},
    {.name = "outliers", .outliers = 0.05},
    {.name = "drifting", .neighbour = 0.5},
    {.name = "both", .outliers = 0.05, .neighbour = 0.3},
};

/// Detection results of a trend on histories, half of them quiet, the other half with one device class that
/// became 3 % slower.
struct FleetRates {
    std::size_t alarms = 0;  ///< quiet histories with a reported change
    std::size_t found =
        0;  ///< changed histories with a reported regression of the total of this class within two commits
    std::size_t named = 0;   ///< of those, the operator is named first
    std::size_t exact = 0;   ///< of those, the commit is exact
    std::size_t others = 0;  ///< changed histories with another reported change
};

/// Evaluates `histories` of each kind; deterministic on every machine.
inline FleetRates ratesOf(const FleetNoise& noise, std::size_t histories, const FleetShape& shape) {
    FleetRates rates;
    for (std::size_t i = 0; i < histories; ++i) {
        const auto quiet = inspector::findTrend(makeFleet(1000 + i, noise, shape), {.seed = i});
        rates.alarms += quiet->changes.empty() ? 0 : 1;
        MadeUpSamples made(i);
        const auto below = [&](std::size_t count) {
            return static_cast<std::size_t>(made.uniform() * static_cast<double>(count));
        };
        // At least 15 commits before and 6 after it.
        const FleetStep step{.device = below(shape.devices),
                             .commit = 15 + below(shape.commits - 20),
                             .operatorIndex = below(shape.operators)};
        const auto trend = inspector::findTrend(makeFleet(5000 + i, noise, shape, step), {.seed = i});
        bool isFound = false;
        bool isMore = false;
        for (const inspector::TrendChange& change : trend->changes) {
            const bool isIt = change.group == step.device && change.totalMoved &&
                              change.total.difference() > 0 && change.at <= step.commit + 2 &&
                              change.at + 2 >= step.commit;
            isMore = isMore || !isIt;
            if (isIt && !isFound) {
                isFound = true;
                rates.exact += change.at == step.commit ? 1 : 0;
                rates.named +=
                    !change.operators.empty() && change.operators.front().index == step.operatorIndex ? 1 : 0;
            }
        }
        rates.found += isFound ? 1 : 0;
        rates.others += isMore ? 1 : 0;
    }
    return rates;
}

}  // namespace et::test
