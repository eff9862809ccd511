#pragma once

#include "runtime/kernels/dense/image_convolution.h"

#include <cstddef>
#include <vector>

// Depthwise convolutions of channels-last float images. XNNPACK reloads the weights for each pixel and the
// input for each tap. Here a vector of channels is processed for several rows at a time, from left to right,
// so each load serves all results that need it.
namespace et::kernels::dense {

/// A depthwise float convolution with one output per channel. Bit-exact with XNNPACK on x86.
class ImageDepthwise {
  public:
    using Element = float;
    using Scratch = float;

    /// True if kernel size and stride are supported, and this is faster on this CPU (x86 with AVX-512): 3x3
    /// and 5x5 with stride one or two in both directions, not dilated.
    [[nodiscard]] static bool takes(const ImageConvolution& shape);

    /// Number of elements of the packed weights.
    [[nodiscard]] static std::size_t weightElements(const ImageConvolution& shape);
    /// `filter` is [1, height, width, channels]; `bias` may be null.
    static void pack(const ImageConvolution& shape, const float* filter, const float* bias, float* to);

    /// The packed weights must outlive it. Results are clamped to `low` and `high`.
    ImageDepthwise(const ImageConvolution& shape, const float* packed, float low, float high);

    /// Adapts to images of another size: only sizes may differ from those at construction.
    void reshape(const ImageConvolution& shape) { form = shape; }

    /// Scratch elements per thread.
    [[nodiscard]] static std::size_t scratchElements(const ImageConvolution& /*shape*/) { return 0; }
    /// Bytes in addition to the packed weights.
    [[nodiscard]] std::size_t packedBytes() const { return zeros.size() * sizeof(float); }

    /// Computes output rows `begin` to `end`, counted over all images. Sums are in XNNPACK's order: the bias,
    /// then taps by columns, with fused multiply-add; padding counts as zeros.
    void computeRows(const float* input, float* output, std::size_t begin, std::size_t end,
                     float* scratch) const;

  private:
    ImageConvolution form;
    const float* weights;      ///< per block of channels: bias, columns of the kernel, rows: one vector each
    std::vector<float> zeros;  ///< a pixel of padding
    float lowest;
    float highest;
};

}  // namespace et::kernels::dense
