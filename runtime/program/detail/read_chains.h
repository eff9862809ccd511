#pragma once

#include "runtime/program/detail/method_scope.h"
#include "runtime/program/instruction.h"

#include <vector>

namespace et::program::schema {
struct ExecutionPlan;
}

namespace et::program::detail {

/// Reads all chains of a method; every operator, delegate, value and jump target is in range. Errors: Format,
/// Unsupported (an unknown kind of instruction), Limit.
[[nodiscard]] core::Result<std::vector<Chain>> readChains(MethodScope& scope,
                                                          const schema::ExecutionPlan& plan,
                                                          const core::FieldPath& path);

}  // namespace et::program::detail
