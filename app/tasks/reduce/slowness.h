#pragma once

#include "app/tasks/reduce/candidate.h"
#include "runtime/core/result.h"

#include <filesystem>
#include <optional>
#include <string_view>

namespace et::tasks {

/// Reference that a part must not be slower than.
struct OtherSide {
    std::optional<double> nanoseconds;  ///< per execution
    std::filesystem::path trace;  ///< trace with times of the part's instructions; neither: the part without
                                  ///< plugins
};

/// Parses "5ms" or the path of a trace; empty: the part without the plugins. Errors: InvalidArgument (an
/// invalid time, no plugins).
[[nodiscard]] core::Result<OtherSide> parseOtherSide(std::string_view than, bool hasPlugins);

/// Measures the part that `maker` has cut, on all its inputs, and sets in `report` whether it is more than 5
/// % slower than the other side. Uses the test of `compare` at 99.9 %, since a search repeats it many times.
/// Errors: those of loading and running; NotFound (the trace has no time of an instruction), Unsupported (a
/// trace against operators of a delegate).
[[nodiscard]] core::Result<> evaluateSlowness(PartMaker& maker, const CandidateSettings& settings,
                                              const PartChoice& part, CandidateReport& report);

}  // namespace et::tasks
