#pragma once

#include "inspector/comparison/measurement.h"

#include <string>

namespace et::inspector {

/// What people call an operator of a measurement: "conv2d", "linear + relu", the backend of a call of a
/// delegate, "Delegate call" where no one says which; its own name where there is no plainer one.
[[nodiscard]] std::string readableOperator(const OperatorTimes& of);

/// With its module: "conv2d · features.2.conv.1.0".
[[nodiscard]] std::string readableName(const OperatorTimes& of);

}  // namespace et::inspector
