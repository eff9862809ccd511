#pragma once

#include "app/tasks/compare/measured_program.h"
#include "inspector/comparison/statistics.h"
#include "runtime/core/result.h"

namespace et::app {

/// What a change of the whole saves.
struct MeasuredGain {
    double nanoseconds = 0;  ///< of a run: how much faster; negative: it is slower
    inspector::Interval interval{};
    bool isCertain = false;  ///< the interval does not reach 0
};

/// Of the second of two programs against the first: they run in turns. Errors: as measurePrograms().
[[nodiscard]] core::Result<MeasuredGain> measureGain(const ProgramToMeasure& first,
                                                     const ProgramToMeasure& second,
                                                     const ModelOptions& options,
                                                     const MeasureOptions& measure,
                                                     const ProgressOptions& progress);

/// Enough runs of programs that take so many nanoseconds, and few enough not to wait for.
[[nodiscard]] MeasureOptions gainRepetitions(double nanoseconds, std::size_t launches);
/// With fewer launches there is no verdict.
inline constexpr std::size_t gainLaunches = 7;

}  // namespace et::app
