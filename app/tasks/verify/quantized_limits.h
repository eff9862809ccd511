#pragma once

#include "app/tasks/model/model.h"
#include "app/tasks/verify/verify_settings.h"
#include "bundled_program/output_limits.h"

#include <functional>
#include <map>
#include <string>
#include <vector>

namespace et::tasks {

/// Default tolerance of integer outputs in steps: two correct machines round alike almost everywhere.
inline constexpr double defaultSteps = 3;
/// For floats between integers, or steps determined at run time. Rounding left at least 29.5 dB in 16 correct
/// programs; a scale of one layer that is wrong by half left at most 22.7 dB.
inline constexpr double defaultSqnr = 25;
/// For outputs in float32 that are computed in float16, whose products XNNPACK also sums in float16.
inline constexpr double defaultHalfSqnr = 35;

/// Limits on whole outputs of the bundle's methods, by method: the requested ones; otherwise, if no tolerance
/// is requested, limits suited to what computes the outputs (docs/how_to/verify_outputs.md).
[[nodiscard]] std::map<std::string, std::vector<bundled_program::OutputLimits>, std::less<>> limitsOf(
    const Model& model, const VerifySettings& settings);

}  // namespace et::tasks
