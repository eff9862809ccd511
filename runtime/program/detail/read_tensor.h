#pragma once

#include "runtime/program/detail/method_scope.h"
#include "runtime/program/value.h"

namespace et::program::schema {
struct Tensor;
}

namespace et::program::detail {

/// Fills `info`, which is new. Errors: Format (an invalid shape, memory outside the arena, data outside the
/// file), Unsupported (a storage offset, an unknown location or dynamism), Limit.
[[nodiscard]] core::Result<> readTensor(MethodScope& scope, const schema::Tensor& tensor,
                                        const core::FieldPath& path, TensorInfo& info);

}  // namespace et::program::detail
