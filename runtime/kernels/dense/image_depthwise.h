#pragma once

#include "runtime/kernels/dense/image_convolution.h"

#include <cstddef>
#include <vector>

// Depthwise convolutions of channels-last images of floats. XNNPACK reads the weights anew for each pixel,
// and the input for each tap. Here a vector of channels goes through some rows at a time, from left to right:
// what is read serves all results that need it.
namespace et::kernels::dense {

/// A depthwise convolution of floats, one output a channel. To the bit what XNNPACK computes on x86.
class ImageDepthwise {
  public:
    using Element = float;
    using Scratch = float;

    /// Whether it takes kernels and steps of this kind, and is of use on this processor (x86 with AVX-512):
    /// 3x3 and 5x5 by one or two pixels both ways, not dilated.
    [[nodiscard]] static bool takes(const ImageConvolution& shape);

    /// Of packed weights.
    [[nodiscard]] static std::size_t weightElements(const ImageConvolution& shape);
    /// `filter` has [1, height, width, channels]; `bias` may be null.
    static void pack(const ImageConvolution& shape, const float* filter, const float* bias, float* to);

    /// Of packed weights, which outlive it. Results are held within `low` and `high`.
    ImageDepthwise(const ImageConvolution& shape, const float* packed, float low, float high);

    /// For images of another size: only sizes may differ from those that it was made with.
    void reshape(const ImageConvolution& shape) { form = shape; }

    /// What one thread needs beside the images.
    [[nodiscard]] static std::size_t scratchElements(const ImageConvolution& /*shape*/) { return 0; }
    /// Beside the packed weights.
    [[nodiscard]] std::size_t packedBytes() const { return zeros.size() * sizeof(float); }

    /// Output rows `begin` to `end`, of all images one behind the other. Sums are in the order of XNNPACK's:
    /// the bias, then taps by columns, each product and sum rounded as one; padding counts as zeros.
    void computeRows(const float* input, float* output, std::size_t begin, std::size_t end,
                     float* scratch) const;

  private:
    ImageConvolution form;
    const float* weights;      ///< by block of channels: bias, columns of the kernel, rows: a vector each
    std::vector<float> zeros;  ///< a pixel of padding
    float lowest;
    float highest;
};

}  // namespace et::kernels::dense
