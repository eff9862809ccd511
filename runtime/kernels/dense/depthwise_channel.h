#pragma once

#include "runtime/kernels/followers.h"

#include <array>
#include <cstddef>
#include <cstdint>

// One channel of a depthwise convolution, in row-major floats in phases (phases.h).
namespace et::kernels::dense {

/// Where the rows and columns of a kernel of 3x3 lie that results of up to four rows need together.
struct SmallKernel {
    static constexpr std::size_t size = 3;
    static constexpr std::size_t maxStride = 2;
    static constexpr std::size_t maxRows = 4;

    std::size_t stride = 0;  ///< of rows; 0: it is another kernel
    std::array<std::uint32_t, (maxRows - 1) * maxStride + size> rows{};
    std::array<std::uint32_t, size> columns{};
};

/// What one channel of results is computed with.
struct DepthwiseFilter {
    const std::uint32_t* offsets;  ///< of each tap, in elements
    const float* weights;
    std::size_t taps;
    float bias;
    const SmallKernel& small;
    ResultSteps steps;
    std::size_t channel;  ///< for them
};

/// `rows` x `columns` results of an image in phases, whose rows are `pitch` apart.
using FilterImage = void (*)(const DepthwiseFilter& filter, const float* image, std::size_t pitch,
                             float* result, std::size_t rows, std::size_t columns);

/// The function for this processor.
[[nodiscard]] FilterImage filterImageFunction();

}  // namespace et::kernels::dense
