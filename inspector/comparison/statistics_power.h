#pragma once

#include "inspector/comparison/statistics.h"

#include <cstdint>
#include <optional>
#include <string_view>

namespace et::inspector {

/// Probability with which the planned number of runs yields a correct verdict.
inline constexpr double planPower = 0.8;

/// Quantile of the standard normal distribution for a probability above 0 and below 1.
[[nodiscard]] double normalQuantile(double probability);

/// Number of runs per side that would decide `test`, with a power of planPower, if the measured effect is
/// true and the spread stays: the distance from the verdict, in standard errors, grows with the square root
/// of the runs. `rate`: error rate remaining for this test. Empty: the change equals the threshold, so no
/// reasonable number decides.
[[nodiscard]] std::optional<std::uint64_t> runsToDecide(const TimeTest& test, double rate);

/// Reason of an undecided test as text: "fewer than 5 runs".
[[nodiscard]] std::string_view text(UndecidedReason reason);

}  // namespace et::inspector
