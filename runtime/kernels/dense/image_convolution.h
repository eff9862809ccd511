#pragma once

#include <cstddef>

namespace et::kernels::dense {

/// A dense, ungrouped convolution of a batch of channels-last images: [N, H, W, C]. Padding at the far ends
/// follows from the sizes.
struct ImageConvolution {
    struct Axis {
        std::size_t input = 1;
        std::size_t output = 1;
        std::size_t kernel = 1;
        std::size_t stride = 1;
        std::size_t dilation = 1;
        std::size_t padding = 0;  ///< before the first element
    };
    Axis height;
    Axis width;
    std::size_t inputChannels = 1;
    std::size_t outputChannels = 1;

    [[nodiscard]] std::size_t inputElements() const { return height.input * width.input * inputChannels; }
    [[nodiscard]] std::size_t rowElements() const { return width.output * outputChannels; }
};

/// Pixels of an output row that kernels compute together: four groups of three. Each group has one address
/// register, offset by one and two pixel strides.
inline constexpr std::size_t tileGroups = 4;
inline constexpr std::size_t tileGroupPixels = 3;
inline constexpr std::size_t tilePixels = tileGroups * tileGroupPixels;

}  // namespace et::kernels::dense
