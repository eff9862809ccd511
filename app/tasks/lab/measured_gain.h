#pragma once

#include "app/tasks/compare/measured_program.h"
#include "inspector/comparison/statistics.h"
#include "runtime/core/result.h"

namespace et::tasks {

/// Time saved by a change of the whole program.
struct MeasuredGain {
    double nanoseconds = 0;  ///< time saved per run; negative: slower
    inspector::Interval interval{};
    bool isCertain = false;  ///< the interval excludes 0
};

/// Gain of the second program over the first, measured alternately. Errors: those of measurePrograms().
[[nodiscard]] core::Result<MeasuredGain> measureGain(const ProgramToMeasure& first,
                                                     const ProgramToMeasure& second,
                                                     const ModelOptions& options,
                                                     const MeasureOptions& measure,
                                                     const ProgressOptions& progress);

/// Enough runs for programs of this run time, without a long wait.
[[nodiscard]] MeasureOptions gainRepetitions(double nanoseconds, std::size_t launches);
/// Minimum number of launches for a verdict.
inline constexpr std::size_t gainLaunches = 7;

}  // namespace et::tasks
