#pragma once

#include "app/tasks/lab/candidate_times.h"
#include "app/tasks/lab/lower_run.h"
#include "app/tasks/lab/measured_gain.h"
#include "app/tasks/lab/work_folder.h"
#include "runtime/core/result.h"

#include <cstddef>
#include <functional>
#include <optional>
#include <string>
#include <vector>

// Which delegates of a program cost more than they win: by time that is measured, not by a model of it.
namespace et::app {

/// A delegate, and whether its nodes stay in it.
struct DelegateChoice {
    std::size_t index = 0;           ///< in the program as it was lowered at first
    std::vector<std::string> nodes;  ///< of the Edge graph
    std::string name;                ///< of the first node that does not quantize; empty: there is none
    std::string module;              ///< of that node; empty: the root
    std::string line;                ///< "model.py:12", likewise; empty: the record has none
    std::optional<double> inside{};  ///< nanoseconds of its calls in a run; nothing: not known on a device
    /// Of its nodes as calls of kernels, where nothing is delegated; nothing: likewise.
    std::optional<double> outside{};
    std::optional<MeasuredGain> gain{};  ///< what a run saves without it; nothing: `outside` rules that out
    bool isPortable = false;             ///< its nodes are calls of kernels now
};

struct DelegateChoices {
    std::vector<DelegateChoice> delegates;  ///< of the method that is timed
    std::vector<std::string> except{};      ///< nodes that stay out of delegates
    std::optional<LowerResult> lowered{};   ///< without them; nothing: all delegates stay
};

/// Makes the program anew without one delegate after the other, the smallest first, and leaves those out
/// without which a run is faster for certain. On this machine, delegates are tried whose nodes take little
/// longer as calls of kernels; with a command, so many as `mostByCommand`, and those are left out without
/// which it says 2 % less in three turns. `accepts` is asked before a program without a delegate counts.
/// Starts processes: call it while there are no threads. Errors: as lowerOpened(), measurePrograms() and
/// candidateTimes(). After an interruption what was decided until then counts.
[[nodiscard]] core::Result<DelegateChoices> chooseDelegates(
    const LowerResult& lowered, const TimingInputs& inputs, const OptimizeSettings& settings,
    const std::function<core::Result<bool>(const LowerResult&)>& accepts);

inline constexpr std::size_t mostByCommand = 6;

}  // namespace et::app
