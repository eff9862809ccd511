#pragma once

#include "runtime/program/detail/method_scope.h"
#include "runtime/program/value.h"

#include <vector>

namespace et::program::schema {
struct ExecutionPlan;
}

namespace et::program::detail {

/// Reads all values of a method. Lists refer to indices in range, boxed integers to Int values, tensor lists
/// to tensors. Errors: Format, Unsupported (an unknown kind of value), Limit.
[[nodiscard]] core::Result<std::vector<Value>> readValues(MethodScope& scope,
                                                          const schema::ExecutionPlan& plan,
                                                          const core::FieldPath& path);

}  // namespace et::program::detail
