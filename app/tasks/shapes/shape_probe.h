#pragma once

#include "app/tasks/shapes/shape_space.h"
#include "runtime/core/result.h"

#include <functional>

namespace et::app {

/// Whether a method runs on inputs of these sizes.
using RunsOn = std::function<core::Result<bool>(const InputSizes&)>;

/// Finds out by running what nobody has written down, for a space without a record: which dimensions may
/// change alone, which only together with others of the same bound, which not at all, and how small each may
/// become. Each answer costs a run; what runs from a size on is taken to run from there up to its bound.
/// Errors: those of `runs`; Unsupported (it does not even run on the largest sizes).
[[nodiscard]] core::Result<> probe(ShapeSpace& space, const RunsOn& runs);

}  // namespace et::app
