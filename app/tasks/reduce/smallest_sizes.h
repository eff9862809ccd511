#pragma once

#include "app/tasks/surgery/part_sizes.h"
#include "runtime/core/result.h"

#include <functional>

namespace et::app {

/// Whether a part with inputs of these sizes still fails. Errors end the search.
using StillFailsWith = std::function<core::Result<bool>(const PartSizes& sizes)>;

/// Sizes of which none can become smaller in the steps that were tried: 1, else halves. All dimensions of one
/// size are tried together first, since they mostly are the same thing (a batch, height and width, two inputs
/// of an operator), then each for itself. `now` fails. Errors: those of `fails`.
[[nodiscard]] core::Result<PartSizes> smallestSizes(PartSizes now, const StillFailsWith& fails);

}  // namespace et::app
