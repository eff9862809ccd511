#pragma once

#include "app/tasks/shapes/shape_space.h"
#include "runtime/core/result.h"

#include <functional>

namespace et::tasks {

/// Whether a method runs on inputs of these sizes.
using RunsOn = std::function<core::Result<bool>(const InputSizes&)>;

/// Explores a space without a record by running the method: which dimensions may change alone, which only
/// together with others of the same bound, which not at all, and the minimum of each. Each answer costs a
/// run; a size that runs is assumed to run up to its bound. Errors: those of `runs`; Unsupported (the method
/// fails even on the largest sizes).
[[nodiscard]] core::Result<> probe(ShapeSpace& space, const RunsOn& runs);

}  // namespace et::tasks
