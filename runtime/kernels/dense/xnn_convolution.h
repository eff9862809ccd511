#pragma once

#include "runtime/kernels/dense/convolution_shape.h"
#include "runtime/kernels/dense/xnn_operator.h"

#include <array>
#include <cstddef>
#include <cstdint>

namespace et::kernels::dense {

/// A 1-D or 2-D float convolution, transposed or not, computed by XNNPACK with packed weights.
class XnnConvolution {
  public:
    /// True if XNNPACK supports the shape, its sizes fit XNNPACK's types, and the pointer table stays
    /// bounded.
    [[nodiscard]] static bool takes(const Convolution& shape);

    /// Packs `weight`, row-major as in ConvolutionArguments, and `bias` (may be null) of a supported
    /// convolution. Errors: Unsupported, Limit.
    [[nodiscard]] static core::Result<XnnConvolution> make(KernelContext& context, const Filter& filter,
                                                           const float* weight, const float* bias);

    /// Input and output are channels-last: [N, H, W, C]. `shape` must have this object's filter. Errors:
    /// Unsupported, Limit.
    [[nodiscard]] core::Result<> run(KernelContext& context, const Convolution& shape, const float* input,
                                     float* output);

  private:
    core::Result<> reshape(KernelContext& context, const Convolution& shape);

    XnnOperator operation;
    bool transposed = false;
    std::array<std::int64_t, 3> shapedFor{};  ///< batch, height, width
    std::size_t workspaceBytes = 0;
};

/// Transposes between [N, C, H, W] and [N, H, W, C]. Errors: Unsupported.
[[nodiscard]] core::Result<> toChannelsLast(KernelContext& context, std::int64_t batch, std::int64_t channels,
                                            std::int64_t plane, const float* from, float* to);
[[nodiscard]] core::Result<> toChannelsFirst(KernelContext& context, std::int64_t batch,
                                             std::int64_t channels, std::int64_t plane, const float* from,
                                             float* to);

}  // namespace et::kernels::dense
