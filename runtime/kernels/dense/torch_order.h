#pragma once

#include "runtime/kernels/dense/convolution_product.h"

#include <optional>

namespace et::kernels::dense {

/// The order in which PyTorch sums a float32 convolution on a CPU with AVX2 or AVX-512 (Arithmetic::Torch).
/// Which of its two implementations it takes is public (ConvParams::use_mkldnn of
/// aten/src/ATen/native/Convolution.cpp): its own, a product of the unfolded image by BLAS; or that of
/// oneDNN, whose kernels fuse products into sums, tap by tap. Found by comparing bits. Nothing for transposed
/// ones.
[[nodiscard]] std::optional<SumOrder> torchOrder(const Convolution& shape);

}  // namespace et::kernels::dense
