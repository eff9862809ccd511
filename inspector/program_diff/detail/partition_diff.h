#pragma once

#include "inspector/program_diff/detail/counts.h"
#include "inspector/program_diff/detail/steps.h"
#include "inspector/program_diff/program_diff.h"
#include "runtime/program/method.h"

#include <cstdint>
#include <string_view>
#include <vector>

namespace et::inspector::detail {

/// One of TwoCounts' two ways to count.
using AddCount = void (TwoCounts::*)(std::string_view, std::uint64_t);

/// Counts the calls of operators of a method, whose steps the list has.
void countOperators(const StepList& list, const program::Method& method, TwoCounts& counts, AddCount add);

/// One for each backend that either side calls.
[[nodiscard]] std::vector<PartitionDiff> diffPartitions(const StepList& before, const StepList& after);

}  // namespace et::inspector::detail
