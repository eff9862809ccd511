#pragma once

#include "runtime/kernels/result_steps.h"

#include <cstddef>
#include <cstdint>

// One channel of a depthwise convolution, in row-major floats in phases (phases.h).
namespace et::kernels::dense {

/// What one channel of results is computed with.
struct DepthwiseFilter {
    const std::uint32_t* offsets;  ///< of each tap, in elements
    const float* weights;
    std::size_t taps;
    float bias;
    ResultSteps steps;
    std::size_t channel;  ///< for them
};

/// `rows` x `columns` results of an image in phases, whose rows are `pitch` apart.
using FilterImage = void (*)(const DepthwiseFilter& filter, const float* image, std::size_t pitch,
                             float* result, std::size_t rows, std::size_t columns);

/// The function for this processor.
[[nodiscard]] FilterImage filterImageFunction();

}  // namespace et::kernels::dense
