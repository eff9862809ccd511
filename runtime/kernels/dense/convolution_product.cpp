#include "runtime/kernels/dense/convolution_product.h"

#include "runtime/kernels/dense/matrix_product.h"
#include "runtime/kernels/kernel_context.h"

#include <algorithm>
#include <array>
#include <type_traits>

namespace et::kernels::dense {
namespace {

std::size_t groupPackedElements(const Filter& filter) {
    return packedElements(static_cast<std::size_t>(filter.groupOutputs()),
                          static_cast<std::size_t>(filter.groupInputs() * filter.taps()));
}

/// Output positions that are contiguous both in a row and in a tile.
struct Segment {
    std::int64_t z;
    std::int64_t y;
    std::int64_t x;
    std::int64_t length;
};

/// The segments of one tile.
class Segments {
  public:
    Segments(const Convolution& shape, std::int64_t first, std::int64_t count) {
        while (count > 0) {
            const std::int64_t row = first / shape.output[2];
            const std::int64_t x = first % shape.output[2];
            const std::int64_t length = std::min(count, shape.output[2] - x);
            items[size++] = {
                .z = row / shape.output[1], .y = row % shape.output[1], .x = x, .length = length};
            first += length;
            count -= length;
        }
    }
    [[nodiscard]] std::span<const Segment> all() const { return {items.data(), size}; }

  private:
    std::array<Segment, tileColumns> items;
    std::size_t size = 0;
};

/// Returns the input position for `output` in a run; -1 for padding (or a gap of a transposed convolution).
std::int64_t inputAt(const TapRuns& taps, std::size_t dim, const TapRun& run, std::int64_t output) {
    const std::int64_t distance = output - run.output;
    const std::int64_t step = taps.outputStep(dim);
    if (distance < 0 || distance % step != 0 || distance / step >= run.count) {
        return -1;
    }
    return run.input + distance / step * taps.inputStep(dim);
}

/// The overlap of a segment and a run.
struct Overlap {
    std::int64_t from;   ///< index in the input row
    std::int64_t to;     ///< index in the segment
    std::int64_t count;  ///< of elements
};

Overlap computeOverlap(const TapRuns& taps, const TapRun& run, const Segment& segment) {
    const std::int64_t step = taps.outputStep(2);
    const std::int64_t skipped = std::max<std::int64_t>(0, (segment.x - run.output + step - 1) / step);
    const std::int64_t end = segment.x + segment.length - run.output;
    const std::int64_t last = std::min(run.count, end <= 0 ? 0 : (end + step - 1) / step);
    return {.from = run.input + skipped * taps.inputStep(2),
            .to = run.output + skipped * step - segment.x,
            .count = std::max<std::int64_t>(0, last - skipped)};
}

/// Writes one row of a tile: the elements of one input channel under the taps of one depth, height and width.
template <class T>
void collectRow(const Convolution& shape, const TapRuns& taps,
                const std::array<const TapRun*, spatialDims>& run, const T* plane, const Segments& segments,
                T* row) {
    for (const Segment& segment : segments.all()) {
        const std::int64_t z = inputAt(taps, 0, *run[0], segment.z);
        const std::int64_t y = inputAt(taps, 1, *run[1], segment.y);
        const Overlap overlap = computeOverlap(taps, *run[2], segment);
        const bool whole = overlap.count == segment.length;
        if (z < 0 || y < 0 || !whole) {
            std::fill_n(row, segment.length, T{});
        }
        if (z >= 0 && y >= 0 && overlap.count > 0) {
            const T* source = plane + (z * shape.input[1] + y) * shape.input[2] + overlap.from;
            T* target = row + overlap.to;
            const std::int64_t fromStep = taps.inputStep(2);
            const std::int64_t toStep = taps.outputStep(2);
            if (fromStep == 1 && toStep == 1) {
                std::copy_n(source, overlap.count, target);
            } else {
                for (std::int64_t j = 0; j < overlap.count; ++j) {
                    target[j * toStep] = source[j * fromStep];
                }
            }
        }
        row += segment.length;
    }
}

/// Collects the elements of a group's input channels under the kernel at the positions of `segments`.
template <class T>
void collectTile(const Convolution& shape, const TapRuns& taps, const T* input, const Segments& segments,
                 T* tile) {
    for (std::int64_t channel = 0; channel < shape.filter.groupInputs(); ++channel) {
        const T* plane = input + channel * shape.inputPlane();
        for (const TapRun& depth : taps.along(0)) {
            for (const TapRun& height : taps.along(1)) {
                for (const TapRun& width : taps.along(2)) {
                    collectRow(shape, taps, {&depth, &height, &width}, plane, segments, tile);
                    tile += tileColumns;
                }
            }
        }
    }
}

template <class T>
core::Result<> convolvePointwise(KernelContext& context, const Convolution& shape, const T* input,
                                 const T* packedWeight, const T* bias, T* output, ResultSteps steps) {
    const Filter& filter = shape.filter;
    const auto inputs = static_cast<std::size_t>(filter.groupInputs());
    const auto outputs = static_cast<std::size_t>(filter.groupOutputs());
    const auto plane = static_cast<std::size_t>(shape.inputPlane());
    for (std::size_t group = 0; group < static_cast<std::size_t>(filter.groups); ++group) {
        ET_TRY(multiply(
            context, MatrixProduct<T>{.batch = static_cast<std::size_t>(shape.batch),
                                      .rows = outputs,
                                      .depth = inputs,
                                      .columns = plane,
                                      .left = packedWeight + group * groupPackedElements(filter),
                                      .right = input + group * inputs * plane,
                                      .rightStride = plane,
                                      .rightStep = static_cast<std::size_t>(filter.inputChannels) * plane,
                                      .bias = bias == nullptr ? nullptr : bias + group * outputs,
                                      .result = output + group * outputs * plane,
                                      .resultStride = plane,
                                      .resultStep = static_cast<std::size_t>(filter.outputChannels) * plane,
                                      .steps = steps,
                                      .firstChannel = group * outputs}));
    }
    return {};
}

}  // namespace

std::size_t packedWeightElements(const Filter& filter) {
    return static_cast<std::size_t>(filter.groups) * groupPackedElements(filter);
}

template <class T>
core::Result<> packWeight(KernelContext& context, const Filter& filter, const T* weight, T* packed) {
    const auto rows = static_cast<std::size_t>(filter.groupOutputs());
    const auto inputs = static_cast<std::size_t>(filter.groupInputs());
    const auto taps = static_cast<std::size_t>(filter.taps());
    const std::size_t depth = inputs * taps;
    std::span<T> rowOfGroup;
    if (filter.transposed) {
        ET_ASSIGN(rowOfGroup, context.scratch<T>(rows * depth));
    }
    for (std::size_t group = 0; group < static_cast<std::size_t>(filter.groups); ++group) {
        const T* source = weight + group * rows * depth;
        if (filter.transposed) {
            for (std::size_t input = 0; input < inputs; ++input) {
                for (std::size_t row = 0; row < rows; ++row) {
                    std::copy_n(source + (input * rows + row) * taps, taps,
                                rowOfGroup.data() + row * depth + input * taps);
                }
            }
            source = rowOfGroup.data();
        }
        packLeft(source, rows, depth, depth, 1, packed + group * groupPackedElements(filter));
    }
    return {};
}

template <class T>
core::Result<> convolveByProduct(KernelContext& context, const Convolution& shape, const T* input,
                                 const T* packedWeight, const T* bias, T* output, ResultSteps steps) {
    const Filter& filter = shape.filter;
    if (filter.isPointwise()) {
        return convolvePointwise(context, shape, input, packedWeight, bias, output, steps);
    }
    ET_ASSIGN(const TapRuns taps, TapRuns::make(context, shape));
    const auto rows = static_cast<std::size_t>(filter.groupOutputs());
    const auto depth = static_cast<std::size_t>(filter.groupInputs() * filter.taps());
    const auto plane = static_cast<std::size_t>(shape.outputPlane());
    const std::size_t tiles = (plane + tileColumns - 1) / tileColumns;
    const std::size_t count = static_cast<std::size_t>(shape.batch * filter.groups) * tiles;
    const std::size_t workers = std::min(context.threads().threads(), count);
    const std::size_t tileElements = depth * tileColumns;
    ET_ASSIGN(const std::span<T> memory, context.scratch<T>(workers * tileElements));
    std::ranges::fill(memory, T{});
    context.threads().parallelFor(workers, 1, [&](std::size_t begin, std::size_t end) {
        for (std::size_t worker = begin; worker < end; ++worker) {
            T* tile = memory.data() + worker * tileElements;
            for (std::size_t task = worker * count / workers; task < (worker + 1) * count / workers; ++task) {
                const std::size_t column = task % tiles * tileColumns;
                const std::size_t columns = std::min(tileColumns, plane - column);
                const std::size_t group = task / tiles;  // over all samples
                const std::size_t groupOfSample = group % static_cast<std::size_t>(filter.groups);
                const Segments segments(shape, static_cast<std::int64_t>(column),
                                        static_cast<std::int64_t>(columns));
                collectTile(
                    shape, taps,
                    input + static_cast<std::int64_t>(group) * filter.groupInputs() * shape.inputPlane(),
                    segments, tile);
                const std::size_t channel = groupOfSample * rows;
                multiplyTile(
                    TileProduct<T>{.rows = rows,
                                   .depth = depth,
                                   .columns = columns,
                                   .left = packedWeight + groupOfSample * groupPackedElements(filter),
                                   .right = tile,
                                   .bias = bias == nullptr ? nullptr : bias + channel,
                                   .result = output + group * rows * plane + column,
                                   .resultStride = plane,
                                   .steps = steps,
                                   .channel = channel});
            }
        }
    });
    return {};
}

#define ET_INSTANTIATE(T)                                                                                \
    template core::Result<> packWeight<T>(KernelContext&, const Filter&, const T*, T*);                  \
    template core::Result<> convolveByProduct<T>(KernelContext&, const Convolution&, const T*, const T*, \
                                                 const T*, T*, ResultSteps);
ET_INSTANTIATE(float)
ET_INSTANTIATE(double)
#undef ET_INSTANTIATE

}  // namespace et::kernels::dense
