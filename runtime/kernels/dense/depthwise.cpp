#include "runtime/kernels/dense/depthwise.h"

#include "runtime/kernels/dense/depthwise_channel.h"
#include "runtime/kernels/dense/phases.h"
#include "runtime/kernels/dense/small_depthwise.h"
#include "runtime/kernels/kernel_context.h"

#include <algorithm>
#include <array>
#include <span>

namespace et::kernels::dense {
namespace {

/// Computes all results of input channels one at a time.
class Channels {
  public:
    Channels(const Convolution& convolution, const Phases& planes, const PhaseSplit& howToSplit,
             std::span<const std::uint32_t> placesOfTaps, std::span<float> memory, ResultSteps doing)
        : shape(convolution),
          phases(planes),
          split(howToSplit),
          offsets(placesOfTaps),
          image(memory),
          steps(doing) {
        // Elements outside the input are 0 for all channels.
        std::ranges::fill(image, 0.0F);
    }

    /// `first`: index of the first result channel.
    void run(const float* input, const float* weight, const float* bias, std::size_t first, float* output) {
        splitPhases(split, input, image.data());
        for (std::int64_t i = 0; i < shape.filter.groupOutputs(); ++i) {
            const std::size_t channel = first + static_cast<std::size_t>(i);
            float* results = output + i * shape.outputPlane();
            filterImage({.offsets = offsets.data(),
                         .weights = weight + static_cast<std::size_t>(i) * offsets.size(),
                         .taps = offsets.size(),
                         .bias = bias == nullptr ? 0.0F : bias[i],
                         .steps = steps,
                         .channel = channel},
                        image.data(), static_cast<std::size_t>(phases.pitch), results,
                        static_cast<std::size_t>(shape.output[1]), static_cast<std::size_t>(shape.output[2]));
        }
    }

  private:
    const Convolution& shape;
    const Phases& phases;
    const PhaseSplit& split;
    std::span<const std::uint32_t> offsets;
    std::span<float> image;
    ResultSteps steps;
    const FilterImage filterImage = filterImageFunction();
};

}  // namespace

bool isDepthwise(const Convolution& shape) {
    return shape.filter.groupInputs() == 1 && hasPhases(shape);
}

core::Result<> depthwise(KernelContext& context, const Convolution& shape, const float* input,
                         const float* weight, const float* bias, float* output, ResultSteps steps) {
    if (isSmallDepthwise(shape)) {
        return smallDepthwise(context, shape, input, weight, bias, output, steps);
    }
    const Filter& filter = shape.filter;
    const Phases phases(shape);
    ET_ASSIGN(const auto offsets, tapOffsets(context, filter, phases));
    ET_ASSIGN(const PhaseSplit split, makeSplit(context, shape, phases));
    const auto channels = static_cast<std::size_t>(shape.batch * filter.inputChannels);
    const std::size_t workers = std::min(context.threads().threads(), channels);
    const auto need = static_cast<std::size_t>(phases.elements);
    ET_ASSIGN(const auto memory, context.scratch<float>(workers * need));
    context.threads().parallelFor(workers, 1, [&](std::size_t begin, std::size_t end) {
        for (std::size_t i = begin; i < end; ++i) {
            Channels worker(shape, phases, split, offsets, memory.subspan(i * need, need), steps);
            for (std::size_t item = i * channels / workers; item < (i + 1) * channels / workers; ++item) {
                const auto at = static_cast<std::int64_t>(item);
                const std::int64_t firstOutput = at % filter.inputChannels * filter.groupOutputs();
                worker.run(input + at * shape.inputPlane(), weight + firstOutput * filter.taps(),
                           bias == nullptr ? nullptr : bias + firstOutput,
                           static_cast<std::size_t>(firstOutput),
                           output + at * filter.groupOutputs() * shape.outputPlane());
            }
        }
    });
    return {};
}

}  // namespace et::kernels::dense
