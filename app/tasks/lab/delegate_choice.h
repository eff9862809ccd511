#pragma once

#include "app/tasks/compare/measured_program.h"
#include "app/tasks/lab/candidate_times.h"
#include "app/tasks/lab/lower_run.h"
#include "app/tasks/lab/work_folder.h"
#include "inspector/comparison/statistics.h"
#include "runtime/core/result.h"

#include <cstddef>
#include <functional>
#include <optional>
#include <string>
#include <vector>

// Finds delegates that cost more time than they save, by measurement.
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

/// A delegate, and whether it is kept.
struct DelegateChoice {
    std::size_t index = 0;           ///< in the initially lowered program
    std::vector<std::string> nodes;  ///< nodes of the Edge graph
    std::string name;                ///< of the first node other than quantization; empty: none
    std::string module;              ///< of that node; empty: the root
    std::string line;                ///< "model.py:12", of that node; empty: not in the record
    std::optional<double> inside{};  ///< nanoseconds of its calls per run; nothing: unknown, on a device
    /// Nanoseconds of its nodes as kernel calls, without delegation; nothing: unknown, on a device.
    std::optional<double> outside{};
    std::optional<MeasuredGain> gain{};  ///< time saved per run without it; nothing: ruled out by `outside`
    bool isPortable = false;             ///< its nodes are now kernel calls
};

struct DelegateChoices {
    std::vector<DelegateChoice> delegates;  ///< of the timed method
    std::vector<std::string> except{};      ///< nodes excluded from delegates
    std::optional<LowerResult> lowered{};   ///< program without them; nothing: all delegates are kept
};

/// Rebuilds the program without individual delegates, smallest first, and drops those without which a run is
/// significantly faster. On this machine, tries delegates whose nodes are not much slower as kernel calls;
/// with a command, tries at most `mostByCommand` delegates and drops those without which it reports a time at
/// least 2 % lower in three rounds. `accepts` is called before a program without a delegate is used. Starts
/// processes: must be called before there are threads. Errors: those of lowerOpened(), measurePrograms() and
/// candidateTimes(). After an interruption, the decisions so far are kept.
[[nodiscard]] core::Result<DelegateChoices> chooseDelegates(
    const LowerResult& lowered, const TimingInputs& inputs, const OptimizeSettings& settings,
    const std::function<core::Result<bool>(const LowerResult&)>& accepts);

inline constexpr std::size_t mostByCommand = 6;

}  // namespace et::tasks
