#pragma once

#include "app/tasks/run/model.h"
#include "app/tasks/verify/verify_settings.h"
#include "bundled_program/output_limits.h"

#include <functional>
#include <map>
#include <string>
#include <vector>

namespace et::app {

/// Steps that an output of integers may be off, where nothing else is asked for: two machines that are right
/// round alike almost everywhere.
inline constexpr double defaultSteps = 3;
/// Where floats come between integers, or the steps are found at run time. What rounding did to 16 programs
/// that were right was 29.5 dB or better; a scale of one layer that is wrong by half left 22.7 dB at most.
inline constexpr double defaultSqnr = 25;

/// What the outputs of the bundle's methods have to keep as a whole, by method: what is asked for; else,
/// where no tolerance is, what suits the way in which they are quantized (docs/verify.md).
[[nodiscard]] std::map<std::string, std::vector<bundled_program::OutputLimits>, std::less<>> limitsOf(
    const Model& model, const VerifySettings& settings);

}  // namespace et::app
