#pragma once

#include "app/tasks/reduce/candidate.h"
#include "runtime/core/result.h"

#include <filesystem>
#include <optional>
#include <string_view>

namespace et::app {

/// What a part must not be slower than.
struct OtherSide {
    std::optional<double> nanoseconds;  ///< of an execution
    std::filesystem::path trace;        ///< what its instructions took there; neither: itself without plugins
};

/// "5ms", or the path of a trace; empty: the part without the plugins. Errors: InvalidArgument (a time that
/// is none, no plugins).
[[nodiscard]] core::Result<OtherSide> parseOtherSide(std::string_view than, bool hasPlugins);

/// Measures the part that `maker` has cut, on all its inputs, and says in `report` whether it is slower than
/// the other side by more than 5 %: by the test of `compare`, at 99.9 %, since a search asks it many times.
/// Errors: those of loading and running; NotFound (the trace has no time of an instruction), Unsupported (a
/// trace against operators of a delegate).
[[nodiscard]] core::Result<> judgeSlowness(PartMaker& maker, const CandidateSettings& settings,
                                           const PartChoice& part, CandidateReport& report);

}  // namespace et::app
