#pragma once

#include "inspector/numeric_gap/gap_report.h"

#include <cstddef>
#include <string>
#include <vector>

// Views of a gap with several input sets: one set at a time, or for every operator the set on which it is
// worst.
namespace et::inspector {

/// Names of the sets that the report has rows for, starting with that of its own rows.
[[nodiscard]] std::vector<std::string> setsOf(const GapReport& report);

/// Index of the set that contains the report's first divergence; 0 if nothing diverges.
[[nodiscard]] std::size_t setOfFirstDivergence(const GapReport& report);

/// The report as if this set were the only one with rows: its first divergence is that of the set. An index
/// out of range gives a report without rows.
[[nodiscard]] GapReport reportOfSet(const GapReport& report, std::size_t set);

/// For every operator, the row of the set on which it is worst: one on which it diverges; then the one with
/// the largest own error in rounding steps; then the one with the largest MSE. The first set wins ties.
/// Operators that ran only on some sets keep their position in these.
[[nodiscard]] GapReport worstOfSets(const GapReport& report);

/// Whether two rows, possibly of different sets, belong to the same operator.
[[nodiscard]] bool isSameOperator(const GapOperator& left, const GapOperator& right);

}  // namespace et::inspector
