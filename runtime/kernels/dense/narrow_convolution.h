#pragma once

#include "runtime/kernels/dense/image_convolution.h"

#include <cstddef>
#include <vector>

// Convolutions of channels-last images of floats to few channels: no more than a vector has numbers. XNNPACK
// computes two vectors of channels at once, on x86, of which one is wasted there.
namespace et::kernels::dense {

/// Rows of a kernel that NarrowConvolution takes.
inline constexpr std::size_t maxNarrowKernel = 16;

/// Channels that a vector of this processor has: outputs with more are not for this. 0: nothing is gained
/// here (other processors than x86 with AVX2 or more).
[[nodiscard]] std::size_t narrowChannels();

/// Weights and bias of such a convolution in the order in which they are read.
class NarrowConvolution {
  public:
    using Element = float;
    using Scratch = float;

    /// `filter` is [outputs, height, width, inputs]; `bias` may be null. Results are held within `low` and
    /// `high`. `shape` has at most narrowChannels() outputs
    /// and maxNarrowKernel rows of the kernel.
    NarrowConvolution(const ImageConvolution& shape, const float* filter, const float* bias, float low,
                      float high);

    /// For images of another size: only sizes may differ from those that it was made with.
    void reshape(const ImageConvolution& shape) { form = shape; }

    /// What one thread needs beside the images.
    [[nodiscard]] static std::size_t scratchElements(const ImageConvolution& shape);
    [[nodiscard]] std::size_t packedBytes() const;

    /// Output rows `begin` to `end`, of all images one behind the other. Sums are in the order of XNNPACK's:
    /// the bias, then taps by rows, then channels, each product and sum rounded as one.
    void computeRows(const float* input, float* output, std::size_t begin, std::size_t end,
                     float* scratch) const;

  private:
    ImageConvolution form;
    std::vector<float> weights;  ///< [height, width, inputs, channels of a vector]
    std::vector<float> biases;   ///< of a vector
    float lowest;
    float highest;
};

}  // namespace et::kernels::dense
