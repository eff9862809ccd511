#pragma once

#include "inspector/program_diff/detail/counts.h"
#include "inspector/program_diff/detail/steps.h"
#include "inspector/program_diff/program_diff.h"
#include "runtime/program/method.h"

#include <cstdint>
#include <string_view>
#include <vector>

namespace et::inspector::program_diff::detail {

/// One of the two counting functions of TwoCounts.
using AddCount = void (TwoCounts::*)(std::string_view, std::uint64_t);

/// Counts a method's operator calls; the list contains its steps.
void countOperators(const StepList& list, const program::Method& method, TwoCounts& counts, AddCount add);

/// Returns one entry for each backend that either side calls.
[[nodiscard]] std::vector<PartitionDiff> diffPartitions(const StepList& before, const StepList& after);

}  // namespace et::inspector::program_diff::detail
