#pragma once

#include "runtime/kernels/boxing.h"

namespace et::kernels::llama {

/// llama::fast_hadamard_transform.out: each row of the last dimension times the Hadamard matrix of its length
/// 2^n, divided by 2^(n/2). For a length of 28 * 2^n: 28 such transforms, then the 28x28 matrix of
/// Williamson's type across them, without division. float32, float64 and half. Errors: InvalidArgument
/// (another length, dtype of `out`), Unsupported.
[[nodiscard]] core::Result<> fastHadamardTransform(KernelContext& context, const Tensor& self, Tensor& out);

}  // namespace et::kernels::llama
