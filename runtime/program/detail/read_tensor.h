#pragma once

#include "runtime/program/detail/method_scope.h"
#include "runtime/program/value.h"

namespace et::program::schema {
struct Tensor;
}

namespace et::program::detail {

/// Fills `info`, which is new. Errors: Format (a shape that is none, memory outside the arena, data outside
/// the file), Unsupported (a storage offset, a location or a dynamism that no known file has), Limit.
[[nodiscard]] core::Result<> readTensor(MethodScope& scope, const schema::Tensor& tensor,
                                        const core::FieldPath& path, TensorInfo& info);

}  // namespace et::program::detail
