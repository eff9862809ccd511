#pragma once

#include "runtime/kernels/boxing.h"

#include <cstdint>

namespace et::kernels::spatial {

/// aten::grid_sampler_2d.out: samples `input` at each coordinate (x, y) of `grid` [batch, height, width, 2]
/// into `out` [batch, channels, height, width]; -1 and 1 are the borders, or with `alignCorners` the centres
/// of the border pixels. Interpolation 0: bilinear, 1: nearest, 2: bicubic. Padding 0: zeros, 1: border, 2:
/// reflection. Floating dtypes, the same for all. Errors: InvalidArgument (shapes, dtypes, unknown modes),
/// Unsupported.
[[nodiscard]] core::Result<> gridSampler2d(KernelContext& context, const Tensor& input, const Tensor& grid,
                                           std::int64_t interpolation, std::int64_t padding,
                                           bool alignCorners, Tensor& out);

}  // namespace et::kernels::spatial
