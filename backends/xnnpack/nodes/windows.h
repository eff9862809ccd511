#pragma once

#include "backends/xnnpack/nodes/shape_step.h"
#include "backends/xnnpack/nodes/window_axis.h"
#include "backends/xnnpack/payload/payload.h"
#include "runtime/core/result.h"

#include <array>
#include <cstddef>

namespace et::backends::xnnpack {

/// Window geometry along height and width of an image of these sizes.
[[nodiscard]] std::array<WindowAxis, 2> windowAxes(const ValueSizes& image, const ImagePadding& padding,
                                                   const HeightWidth& window, const HeightWidth& stride,
                                                   const HeightWidth& dilation);

/// Output sizes of sliding the window over input 0, which is an image. Errors: InvalidArgument.
[[nodiscard]] core::Result<ValueSizes> slide(ShapeStep& step, const std::array<WindowAxis, 2>& axes,
                                             std::size_t channels);

/// Counts the pointers that the library stores: one for every element of every window of `out`.
void countPointers(ShapeStep& step, const ValueSizes& out, const std::array<WindowAxis, 2>& axes);

}  // namespace et::backends::xnnpack
