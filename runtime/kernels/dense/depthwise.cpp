#include "runtime/kernels/dense/depthwise.h"

#include "runtime/kernels/dense/depthwise_channel.h"
#include "runtime/kernels/followers.h"
#include "runtime/kernels/kernel_context.h"

#include <algorithm>
#include <array>
#include <span>

namespace et::kernels::dense {
namespace {

/// The padded image of one channel, split by stride: a plane for each remainder of row and column, so that
/// the elements that a tap meets on its way along a row of results lie one behind the other.
struct Phases {
    std::int64_t rows;    ///< of a plane
    std::int64_t pitch;   ///< of a row
    std::int64_t planes;  ///< stride x stride
    std::int64_t elements;

    explicit Phases(const Convolution& shape)
        : rows(reach(shape, 1)),
          pitch(reach(shape, 2)),
          planes(shape.filter.stride[1] * shape.filter.stride[2]),
          elements(planes * rows * pitch + depthwiseSlack) {}

    /// Rows (dim 1) or columns (dim 2) that results need of each plane.
    static std::int64_t reach(const Convolution& shape, std::size_t dim) {
        const Filter& filter = shape.filter;
        return shape.output[dim] + (filter.kernel[dim] - 1) * filter.dilation[dim] / filter.stride[dim];
    }

    /// Where row `y` and column `x` of the padded image lie: the sum of the two.
    [[nodiscard]] std::uint32_t row(const Filter& filter, std::int64_t y) const {
        const std::int64_t plane = y % filter.stride[1] * filter.stride[2];
        return static_cast<std::uint32_t>((plane * rows + y / filter.stride[1]) * pitch);
    }
    [[nodiscard]] std::uint32_t column(const Filter& filter, std::int64_t x) const {
        return static_cast<std::uint32_t>(x % filter.stride[2] * rows * pitch + x / filter.stride[2]);
    }
};

core::Result<DepthwiseSplit> makeSplit(KernelContext& context, const Convolution& shape,
                                       const Phases& phases) {
    const Filter& filter = shape.filter;
    const std::int64_t step = filter.stride[2];
    const std::int64_t padding = filter.padding[2];
    // Rows behind the last one that results need stay out.
    const std::int64_t needed =
        std::clamp<std::int64_t>(phases.rows * filter.stride[1] - filter.padding[1], 0, shape.input[1]);
    ET_ASSIGN(const auto rows, context.scratch<std::uint32_t>(static_cast<std::size_t>(needed)));
    for (std::int64_t y = 0; y < needed; ++y) {
        rows[static_cast<std::size_t>(y)] = phases.row(filter, y + filter.padding[1]);
    }
    DepthwiseSplit split{.rows = rows,
                         .width = static_cast<std::size_t>(shape.input[2]),
                         .step = static_cast<std::size_t>(step)};
    for (std::int64_t x = 0; x < step; ++x) {
        const std::int64_t given = (shape.input[2] - x + step - 1) / step;
        const std::int64_t wanted = phases.pitch - (x + padding) / step;
        const auto at = static_cast<std::size_t>(x);
        split.columns[at] = phases.column(filter, x + padding);
        split.counts[at] = static_cast<std::uint32_t>(std::max<std::int64_t>(0, std::min(given, wanted)));
    }
    return split;
}

core::Result<std::span<const std::uint32_t>> tapOffsets(KernelContext& context, const Filter& filter,
                                                        const Phases& phases) {
    ET_ASSIGN(const auto offsets, context.scratch<std::uint32_t>(static_cast<std::size_t>(filter.taps())));
    auto next = offsets.begin();
    for (std::int64_t y = 0; y < filter.kernel[1]; ++y) {
        for (std::int64_t x = 0; x < filter.kernel[2]; ++x) {
            *next++ =
                phases.row(filter, y * filter.dilation[1]) + phases.column(filter, x * filter.dilation[2]);
        }
    }
    return offsets;
}

SmallKernel smallKernel(const Convolution& shape, const Phases& phases) {
    const Filter& filter = shape.filter;
    SmallKernel small;
    const auto isSmall = [&](std::size_t dim) {
        return filter.kernel[dim] == static_cast<std::int64_t>(SmallKernel::size) &&
               filter.dilation[dim] == 1;
    };
    if (!isSmall(1) || !isSmall(2) || filter.stride[1] > static_cast<std::int64_t>(SmallKernel::maxStride)) {
        return small;
    }
    small.stride = static_cast<std::size_t>(filter.stride[1]);
    for (std::size_t y = 0; y < small.rows.size(); ++y) {
        small.rows[y] = phases.row(filter, static_cast<std::int64_t>(y));
    }
    for (std::size_t x = 0; x < small.columns.size(); ++x) {
        small.columns[x] = phases.column(filter, static_cast<std::int64_t>(x));
    }
    return small;
}

/// Computes all results of input channels, one after the other.
class Channels {
  public:
    Channels(const Convolution& convolution, const Phases& planes, const DepthwiseSplit& howToSplit,
             std::span<const std::uint32_t> placesOfTaps, const SmallKernel& smallOne,
             std::span<float> memory, const Followers* instructions)
        : shape(convolution),
          phases(planes),
          split(howToSplit),
          offsets(placesOfTaps),
          small(smallOne),
          image(memory),
          followers(instructions) {
        // What no row of the input reaches is 0 for all channels.
        std::ranges::fill(image, 0.0F);
    }

    /// `first`: the number of the first channel of results.
    void run(const float* input, const float* weight, const float* bias, std::size_t first, float* output) {
        const auto plane = static_cast<std::size_t>(shape.outputPlane());
        functions.split(split, input, image.data());
        for (std::int64_t i = 0; i < shape.filter.groupOutputs(); ++i) {
            const std::size_t channel = first + static_cast<std::size_t>(i);
            float* results = output + i * shape.outputPlane();
            const auto compute = [&](ResultSteps steps) {
                const DepthwiseFilter filter{.offsets = offsets.data(),
                                             .weights = weight + static_cast<std::size_t>(i) * offsets.size(),
                                             .taps = offsets.size(),
                                             .bias = bias == nullptr ? 0.0F : bias[i],
                                             .small = small,
                                             .steps = steps,
                                             .channel = channel};
                functions.filter(filter, image.data(), static_cast<std::size_t>(phases.pitch), results,
                                 static_cast<std::size_t>(shape.output[1]),
                                 static_cast<std::size_t>(shape.output[2]));
            };
            if (followers == nullptr) {
                compute({});
            } else {
                followers->applyWith(compute, {.elements = results,
                                               .channel = channel,
                                               .channels = 1,
                                               .columns = plane,
                                               .stride = plane});
            }
        }
    }

  private:
    const Convolution& shape;
    const Phases& phases;
    const DepthwiseSplit& split;
    std::span<const std::uint32_t> offsets;
    const SmallKernel& small;
    std::span<float> image;
    const Followers* followers;
    const ChannelFunctions functions = channelFunctions();
};

}  // namespace

bool isDepthwise(const Convolution& shape) {
    constexpr std::int64_t largest = 16;
    const Filter& filter = shape.filter;
    bool fits = !filter.transposed && filter.groupInputs() == 1 && shape.input[0] == 1 &&
                filter.kernel[0] == 1 && filter.padding[0] == 0 && shape.output[0] == 1;
    for (std::size_t dim = 1; dim < spatialDims; ++dim) {
        fits = fits && filter.kernel[dim] <= largest &&
               filter.stride[dim] <= static_cast<std::int64_t>(DepthwiseSplit::maxSteps) &&
               filter.dilation[dim] <= largest && filter.padding[dim] <= largest * largest &&
               shape.input[dim] < (1 << 14);
    }
    return fits;
}

core::Result<> depthwise(KernelContext& context, const Convolution& shape, const float* input,
                         const float* weight, const float* bias, float* output, const Followers* followers) {
    const Filter& filter = shape.filter;
    const Phases phases(shape);
    ET_ASSIGN(const auto offsets, tapOffsets(context, filter, phases));
    ET_ASSIGN(const DepthwiseSplit split, makeSplit(context, shape, phases));
    const SmallKernel small = smallKernel(shape, phases);
    const auto channels = static_cast<std::size_t>(shape.batch * filter.inputChannels);
    const std::size_t workers = std::min(context.threads().threads(), channels);
    const auto need = static_cast<std::size_t>(phases.elements);
    ET_ASSIGN(const auto memory, context.scratch<float>(workers * need));
    context.threads().parallelFor(workers, 1, [&](std::size_t begin, std::size_t end) {
        for (std::size_t i = begin; i < end; ++i) {
            Channels worker(shape, phases, split, offsets, small, memory.subspan(i * need, need), followers);
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
