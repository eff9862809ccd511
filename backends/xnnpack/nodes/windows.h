#pragma once

#include "backends/xnnpack/nodes/shape_step.h"
#include "backends/xnnpack/nodes/window_axis.h"
#include "backends/xnnpack/payload/payload.h"
#include "runtime/core/result.h"

#include <array>
#include <cstddef>

namespace et::backends::xnnpack {

/// What a window meets on height and width of an image of these sizes.
[[nodiscard]] std::array<WindowAxis, 2> windowAxes(const ValueSizes& image, const ImagePadding& padding,
                                                   const HeightWidth& window, const HeightWidth& stride,
                                                   const HeightWidth& dilation);

/// Sizes after the window goes over input 0, which is an image. Errors: InvalidArgument.
[[nodiscard]] core::Result<ValueSizes> slide(ShapeStep& step, const std::array<WindowAxis, 2>& axes,
                                             std::size_t channels);

/// The library keeps a pointer for every element of every window that gives `out`.
void countPointers(ShapeStep& step, const ValueSizes& out, const std::array<WindowAxis, 2>& axes);

}  // namespace et::backends::xnnpack
