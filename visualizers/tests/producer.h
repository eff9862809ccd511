#pragma once

#include "runtime/program/method.h"
#include "visualizers/selection.h"

#include <cstddef>
#include <optional>

namespace et::visualizers {

/// The instruction that an output of a method comes from: the first that names its value. Nothing: the output
/// is an input or a constant, or there is no such output.
[[nodiscard]] std::optional<OperatorRef> producerOf(const program::Method& method, std::size_t output);

}  // namespace et::visualizers
