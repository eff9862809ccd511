#pragma once

#include "app/tasks/rewrite/part_sizes.h"
#include "runtime/core/result.h"

#include <functional>

namespace et::tasks {

/// Whether a part with inputs of these sizes still fails. Errors end the search.
using StillFailsWith = std::function<core::Result<bool>(const PartSizes& sizes)>;

/// Finds sizes of which none can shrink further in the steps tried: to 1, otherwise by half. All dimensions
/// of equal size are tried together first, since they usually correspond (a batch, height and width, two
/// inputs of an operator), then each one alone. `now` fails. Errors: those of `fails`.
[[nodiscard]] core::Result<PartSizes> smallestSizes(PartSizes now, const StillFailsWith& fails);

}  // namespace et::tasks
