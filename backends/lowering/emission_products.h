#pragma once

#include "backends/lowering/emitted_values.h"
#include "runtime/core/result.h"

namespace et::backends::lowering {

/// aten.matmul: products of matrices, with broadcast leading dimensions. Errors: Unsupported (a vector or a
/// number), those of EmittedValues.
[[nodiscard]] core::Result<> emitMatmul(EmittedValues& values, const etrecord::Node& node);

/// aten.scaled_dot_product_attention: softmax(query keyᵀ scale + mask) value. Errors: as above.
[[nodiscard]] core::Result<> emitAttention(EmittedValues& values, const etrecord::Node& node);

}  // namespace et::backends::lowering
