#pragma once

#include "runtime/kernels/dense/matrix_operators.h"

namespace et::kernels::dense {

/// Product of complex matrices by definition, summed in double, without an addend. Errors: Unsupported (a
/// dtype other than complex64 and complex128, an addend).
[[nodiscard]] core::Result<> multiplyComplex(KernelContext& context, const MatrixOperation& operation,
                                             Tensor& out);

}  // namespace et::kernels::dense
