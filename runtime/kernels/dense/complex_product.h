#pragma once

#include "runtime/kernels/dense/matrix_operators.h"

namespace et::kernels::dense {

/// The product of complex matrices by its definition, summed in double; without an addend. Errors:
/// Unsupported (another dtype than complex64 and complex128, an addend).
[[nodiscard]] core::Result<> multiplyComplex(KernelContext& context, const MatrixOperation& operation,
                                             Tensor& out);

}  // namespace et::kernels::dense
