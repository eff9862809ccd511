#pragma once

#include "app/output/cells.h"
#include "runtime/program/program.h"

namespace et::output {

/// The training methods of a program: loss, gradients, parameters and buffers, or the problem of an invalid
/// declaration. Empty: none.
[[nodiscard]] List trainingInfo(const program::Program& program);

}  // namespace et::output
