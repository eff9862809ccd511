#pragma once

#include "inspector/numeric_gap/gap_report.h"

#include <cstddef>
#include <string>
#include <vector>

// A gap of several sets of inputs, one set at a time, or of every operator the set on which it is worst.
namespace et::inspector {

/// Names of the sets that the report has rows of, its own rows' first.
[[nodiscard]] std::vector<std::string> setsOf(const GapReport& report);

/// The set on which the report's first divergence is; 0 where nothing diverges.
[[nodiscard]] std::size_t setOfFirstDivergence(const GapReport& report);

/// The report as if this set had been the only one with rows: its first divergence is that of the set.
/// A set outside gives a report without rows.
[[nodiscard]] GapReport reportOfSet(const GapReport& report, std::size_t set);

/// Of every operator the row of the set on which it is worst: one on which it diverges; then the one with
/// most own error in steps of rounding; then the one with the largest MSE. Of equals the first set. Operators
/// that ran on some sets only stand where these have them.
[[nodiscard]] GapReport worstOfSets(const GapReport& report);

/// Whether two rows, maybe of different sets, are of the same operator.
[[nodiscard]] bool isSameOperator(const GapOperator& left, const GapOperator& right);

}  // namespace et::inspector
