#pragma once

#include "inspector/comparison/statistics.h"

#include <cstdint>
#include <optional>
#include <string_view>

namespace et::inspector {

/// With how many runs a verdict that is right is found in most cases.
inline constexpr double planPower = 0.8;

/// The number that a normal distribution stays below with this probability, which is above 0 and below 1.
[[nodiscard]] double normalQuantile(double probability);

/// How many runs of each side would decide what `test` could not, with a power of planPower, as long as what
/// was measured is true and the spread stays: the distance from the verdict, in standard errors, grows with
/// the square root of the runs. `rate`: of wrong verdicts that is left for this test. Nothing: the change is
/// as large as the threshold, and no number within reason decides.
[[nodiscard]] std::optional<std::uint64_t> runsToDecide(const TimeTest& test, double rate);

/// Why a test is undecided, for people: "fewer than 5 runs".
[[nodiscard]] std::string_view text(UndecidedReason reason);

}  // namespace et::inspector
