#pragma once

#include "runtime/kernels/followers.h"

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>

// One channel of a depthwise convolution, in row-major floats. Its image lies split into phases: the elements
// that a tap meets on its way along a row of results are side by side.
namespace et::kernels::dense {

/// What a vector of results may reach beyond the last one, in elements of an image.
inline constexpr std::int64_t depthwiseSlack = 16;

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

/// How a channel is split into phases.
struct DepthwiseSplit {
    static constexpr std::size_t maxSteps = 4;

    std::span<const std::uint32_t> rows;  ///< where each row of the input goes, in elements
    std::size_t width = 0;                ///< of the input
    std::size_t step = 1;                 ///< columns x, x + step, … stay together
    std::array<std::uint32_t, maxSteps>
        columns{};  ///< where those from column x on go, beside the row's place
    std::array<std::uint32_t, maxSteps> counts{};  ///< how many they are
};

/// The functions for this processor.
struct ChannelFunctions {
    void (*split)(const DepthwiseSplit& split, const float* input, float* image);
    /// `rows` x `columns` results of an image whose rows are `pitch` apart.
    void (*filter)(const DepthwiseFilter& filter, const float* image, std::size_t pitch, float* result,
                   std::size_t rows, std::size_t columns);
};

[[nodiscard]] ChannelFunctions channelFunctions();

}  // namespace et::kernels::dense
