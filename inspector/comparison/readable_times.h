#pragma once

#include "inspector/comparison/measurement.h"

#include <string>

namespace et::inspector {

/// Display name of a measured operator: "conv2d", "linear + relu", the backend of a delegate call, "Delegate
/// call" if that is unknown; its own name if there is no simpler one.
[[nodiscard]] std::string readableOperator(const OperatorTimes& of);

/// Display name with the module: "conv2d · features.2.conv.1.0".
[[nodiscard]] std::string readableName(const OperatorTimes& of);

}  // namespace et::inspector
