#pragma once

#include "runtime/executor/backend.h"

namespace et::test {

/// A backend that nothing but this folder knows. Its payload is text, a line a node: what it computes and its
/// debug handle ("matmul 2"). Its operators are traced as "toy:matmul@scalar/0": type, kernel, position.
[[nodiscard]] const executor::Backend& toyBackend();

}  // namespace et::test
