#pragma once

#include "runtime/kernels/result_steps.h"

#include <cstddef>
#include <cstdint>

// One channel of a depthwise convolution over row-major floats in phases (phases.h).
namespace et::kernels::dense {

/// Weights and bias of one result channel.
struct DepthwiseFilter {
    const std::uint32_t* offsets;  ///< offset of each tap, in elements
    const float* weights;
    std::size_t taps;
    float bias;
    ResultSteps steps;
    std::size_t channel;  ///< for them
};

/// Computes `rows` x `columns` results of an image in phases, with a row stride of `pitch`.
using FilterImage = void (*)(const DepthwiseFilter& filter, const float* image, std::size_t pitch,
                             float* result, std::size_t rows, std::size_t columns);

/// Returns the function for this CPU.
[[nodiscard]] FilterImage filterImageFunction();

}  // namespace et::kernels::dense
