#pragma once

#include "runtime/kernels/boxing.h"
#include "runtime/kernels/spatial/resample_axis.h"

// Resizing of images [batch, channels, height, width] in any dim order; `out` has the dtype of `input`.
// Errors: InvalidArgument (dtype of `out`), Unsupported (dtypes other than listed), Limit.
namespace et::kernels::spatial {

/// Copies the nearest input; any dtype.
[[nodiscard]] core::Result<> upsampleNearest(KernelContext& context, const Tensor& input,
                                             const ResizeTarget& target, bool exact, Tensor& out);

/// Interpolates between the four nearest inputs; floating dtypes and uint8.
[[nodiscard]] core::Result<> upsampleBilinear(KernelContext& context, const Tensor& input,
                                              const ResizeTarget& target, bool alignCorners, Tensor& out);

/// Averages all inputs that an output covers, for smooth downscaling; floating dtypes.
[[nodiscard]] core::Result<> upsampleAntialiased(KernelContext& context, const Tensor& input,
                                                 const ResizeTarget& target, bool alignCorners, Tensor& out);

}  // namespace et::kernels::spatial
