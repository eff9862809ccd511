#pragma once

#include "runtime/program/method.h"
#include "visualizers/selection.h"

#include <cstddef>
#include <optional>

namespace et::visualizers {

/// The producer of a method's output: the first instruction with its value as an argument. Nothing if the
/// output is an input or a constant, or does not exist.
[[nodiscard]] std::optional<OperatorRef> producerOf(const program::Method& method, std::size_t output);

}  // namespace et::visualizers
