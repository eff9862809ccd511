#pragma once

#include "runtime/executor/backend.h"

namespace et::test {

/// A backend known only to this folder. Its payload is text, one line per node: its operation and its debug
/// handle ("matmul 2"). Its operators are traced as "toy:matmul@scalar/0": type, kernel, position.
[[nodiscard]] const executor::Backend& toyBackend();

}  // namespace et::test
