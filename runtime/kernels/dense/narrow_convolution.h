#pragma once

#include "runtime/kernels/dense/image_convolution.h"

#include <cstddef>
#include <vector>

// Convolutions of channels-last float images with at most one vector of output channels. XNNPACK computes two
// vectors of channels at once on x86, one of which is wasted here.
namespace et::kernels::dense {

/// Maximum kernel rows of NarrowConvolution.
inline constexpr std::size_t maxNarrowKernel = 16;

/// Channels in a vector of this CPU, the maximum number of outputs. 0 if there is no gain (CPUs other than
/// x86 with AVX2 or later).
[[nodiscard]] std::size_t narrowChannels();

/// Weights and bias of a narrow convolution, in reading order.
class NarrowConvolution {
  public:
    using Element = float;
    using Scratch = float;

    /// `filter` is [outputs, height, width, inputs]; `bias` may be null. Results are clamped to `low` and
    /// `high`. `shape` has at most narrowChannels() outputs and maxNarrowKernel kernel rows.
    NarrowConvolution(const ImageConvolution& shape, const float* filter, const float* bias, float low,
                      float high);

    /// Adapts to images of another size: only sizes may differ from those at construction.
    void reshape(const ImageConvolution& shape) { form = shape; }

    /// Scratch elements per thread.
    [[nodiscard]] static std::size_t scratchElements(const ImageConvolution& shape);
    [[nodiscard]] std::size_t packedBytes() const;

    /// Computes output rows `begin` to `end`, counted over all images. Sums are in XNNPACK's order: the bias,
    /// then taps by rows, then channels, with fused multiply-add.
    void computeRows(const float* input, float* output, std::size_t begin, std::size_t end,
                     float* scratch) const;

  private:
    ImageConvolution form;
    std::vector<float> weights;  ///< [height, width, inputs, channels per vector]
    std::vector<float> biases;   ///< one vector
    float lowest;
    float highest;
};

}  // namespace et::kernels::dense
