#include "inspector/comparison/statistics_power.h"

#include <algorithm>
#include <cmath>

namespace et::inspector {

double normalQuantile(double probability) {
    double low = -40;
    double high = 40;
    constexpr int halvings = 80;
    for (int i = 0; i < halvings; ++i) {
        const double middle = (low + high) / 2;
        (0.5 * std::erfc(-middle / std::sqrt(2.0)) < probability ? low : high) = middle;
    }
    return (low + high) / 2;
}

std::optional<std::uint64_t> runsToDecide(const TimeTest& test, double rate) {
    constexpr double max = 1e6;  // upper limit of reasonable run counts
    const auto runs = static_cast<double>(std::min(test.countA, test.countB));
    const double direction = std::min(test.slowerProbability, test.fasterProbability);
    // Beyond the threshold, a direction is likely; either of the two may be wrong.
    const bool isDirection = direction < test.otherProbability;
    const double probability = isDirection ? direction : test.otherProbability;
    const double wanted = isDirection ? rate / 2 : rate;
    if (probability >= 0.5 || probability <= 0 || runs == 0) {
        return std::nullopt;
    }
    const double distance = normalQuantile(1 - probability);
    const double needed = normalQuantile(1 - wanted) + normalQuantile(planPower);
    const double more = runs * (needed / distance) * (needed / distance);
    return more > max ? std::nullopt : std::optional(static_cast<std::uint64_t>(std::ceil(more)));
}

std::string_view text(UndecidedReason reason) {
    switch (reason) {
        case UndecidedReason::TooFewRuns:
            return "fewer than 5 runs";
        case UndecidedReason::AtThreshold:
            return "the change is not distinguishable from the threshold";
        case UndecidedReason::Noise:
            return "the runs vary too much";
        case UndecidedReason::LaunchNoise:
            return "the launches vary too much";
        case UndecidedReason::OtherLoad:
            return "too noisy: other programs used the CPU";
        case UndecidedReason::TooFewLaunches:
            return "fewer than 7 launches";
        case UndecidedReason::TooShort:
            return "too short for the clock's resolution";
        case UndecidedReason::None:
            break;
    }
    return "";
}

}  // namespace et::inspector
