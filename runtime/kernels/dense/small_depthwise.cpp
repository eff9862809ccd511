#include "runtime/kernels/dense/small_depthwise.h"

#include "runtime/kernels/dense/elements.h"
#include "runtime/kernels/simd_targets.h"

#include <algorithm>
#include <array>
#include <span>

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "runtime/kernels/dense/small_depthwise.cpp"
// Must precede highway.h.
#include <hwy/foreach_target.h>
#include <hwy/highway.h>

// Compiled for each instruction set.
#include "runtime/kernels/result_steps-inl.h"

#ifndef ET_SMALL_DEPTHWISE_CHANNEL
#define ET_SMALL_DEPTHWISE_CHANNEL
namespace et::kernels::dense {
namespace {

constexpr std::size_t kernelSize = 3;
constexpr std::size_t mostRows = 4;
constexpr std::size_t mostStride = 2;

/// One result channel.
struct SmallChannel {
    const float* input;
    std::size_t inputRows;
    std::size_t inputColumns;
    const float* zeros;  ///< one input row
    const float* weights;
    float bias;
    float* result;
    std::size_t rows;
    std::size_t columns;
    ResultSteps steps;
    std::size_t channel;  ///< for them
};

}  // namespace
}  // namespace et::kernels::dense
#endif

HWY_BEFORE_NAMESPACE();
namespace et::kernels::dense::HWY_NAMESPACE {
namespace {

namespace hn = hwy::HWY_NAMESPACE;

using Floats = hn::ScalableTag<float>;
using V = hn::Vec<Floats>;

/// Result rows that are computed together: their sums, the weights and the loaded input fit in the registers.
#if HWY_TARGET <= HWY_AVX3 || HWY_ARCH_ARM_A64
constexpr std::size_t rowsTogether = mostRows;
#else
constexpr std::size_t rowsTogether = 2;
#endif

/// Vectors of an input row that a vector of results reads, one per kernel column.
using Taps = V[kernelSize];

/// Number of valid elements in each of the vectors that are read for a vector of results.
template <std::size_t stride>
class Reach {
  public:
    /// For results starting at `column`.
    Reach(std::size_t column, std::size_t end) {
        const std::size_t lanes = hn::Lanes(Floats());
        const std::size_t center = column * stride;
        const std::size_t before = center - std::min<std::size_t>(center, 1);
        const std::array<std::size_t, 4> starts{before, stride == 1 ? before : before + lanes, center,
                                                stride == 1 ? center + 1 : center + lanes};
        for (std::size_t i = 0; i < starts.size(); ++i) {
            counts[i] = std::min(lanes, end - std::min(starts[i], end));
        }
    }

    /// Loads with zeros after the end of the row.
    [[nodiscard]] HWY_INLINE V load(const float* from, std::size_t which) const {
        return hn::LoadN(Floats(), from, counts[which]);
    }

  private:
    std::size_t counts[4];
};

/// All vectors are within the row.
struct Everything {
    [[nodiscard]] HWY_INLINE V load(const float* from, std::size_t /*which*/) const {
        return hn::LoadU(Floats(), from);
    }
};

/// Reads the taps of the results starting at `column`.
template <std::size_t stride, class There>
HWY_INLINE void readTaps(const float* row, std::size_t column, const There& there, Taps& taps) {
    const Floats d;
    const float* const center = row + column * stride;
    if constexpr (stride == 1) {
        taps[1] = there.load(center, 2);
        taps[2] = there.load(center + 1, 3);
        taps[0] = column == 0 ? hn::Slide1Up(d, taps[1]) : there.load(center - 1, 0);
    } else {
        const std::size_t lanes = hn::Lanes(d);
        const V low = there.load(center, 2);
        const V high = there.load(center + lanes, 3);
        taps[1] = hn::ConcatEven(d, high, low);
        taps[2] = hn::ConcatOdd(d, high, low);
        taps[0] = column == 0
                      ? hn::Slide1Up(d, taps[2])
                      : hn::ConcatEven(d, there.load(center + lanes - 1, 1), there.load(center - 1, 0));
    }
}

using Weights = V[kernelSize][kernelSize];

/// Input rows read by `rows` result rows.
template <std::size_t rows, std::size_t stride>
using RowsRead = std::array<const float*, (rows - 1) * stride + kernelSize>;

template <std::size_t rows, std::size_t stride, class There>
HWY_INLINE void filterVector(const SmallChannel& work, const Weights& weights,
                             const RowsRead<rows, stride>& read, std::size_t column, const There& there,
                             float* result) {
    const Floats d;
    V sums[1][rows];  // the whole channel
    for (V& sum : sums[0]) {
        sum = hn::Set(d, work.bias);
    }
#pragma GCC unroll 16
    for (std::size_t y = 0; y < read.size(); ++y) {
        Taps taps;
        readTaps<stride>(read[y], column, there, taps);
#pragma GCC unroll 4
        for (std::size_t x = 0; x < kernelSize; ++x) {
#pragma GCC unroll 4
            for (std::size_t r = 0; r < rows; ++r) {
                if (y >= r * stride && y - r * stride < kernelSize) {
                    sums[0][r] = hn::MulAdd(weights[y - r * stride][x], taps[x], sums[0][r]);
                }
            }
        }
    }
    kernels::HWY_NAMESPACE::doSteps(d, work.steps, work.channel, sums);
    const std::size_t count = std::min(hn::Lanes(d), work.columns - column);
    for (std::size_t r = 0; r < rows; ++r) {
        if (count == hn::Lanes(d)) {
            hn::StoreU(sums[0][r], d, result + r * work.columns + column);
        } else {
            hn::StoreN(sums[0][r], d, result + r * work.columns + column, count);
        }
    }
}

/// The vectors of a result row that read outside the input.
template <std::size_t stride>
struct Edges {
    explicit Edges(const SmallChannel& work)
        : lastColumn((work.columns - 1) / hn::Lanes(Floats()) * hn::Lanes(Floats())),
          first(0, work.inputColumns),
          last(lastColumn, work.inputColumns) {}
    std::size_t lastColumn;
    Reach<stride> first;
    Reach<stride> last;
};

template <std::size_t rows, std::size_t stride>
HWY_INLINE void filterRows(const SmallChannel& work, const Weights& weights, const Edges<stride>& edges,
                           std::size_t row) {
    const std::size_t lanes = hn::Lanes(Floats());
    RowsRead<rows, stride> read;
    for (std::size_t y = 0; y < read.size(); ++y) {
        const std::size_t at = row * stride + y - 1;  // negative values wrap to above the size
        read[y] = at < work.inputRows ? work.input + at * work.inputColumns : work.zeros;
    }
    float* const result = work.result + row * work.columns;
    filterVector<rows, stride>(work, weights, read, 0, edges.first, result);
    for (std::size_t column = lanes; column < edges.lastColumn; column += lanes) {
        filterVector<rows, stride>(work, weights, read, column, Everything(), result);
    }
    if (edges.lastColumn > 0) {
        filterVector<rows, stride>(work, weights, read, edges.lastColumn, edges.last, result);
    }
}

template <std::size_t stride>
HWY_INLINE void filterSmall(const SmallChannel& work) {
    Weights weights;
    for (std::size_t tap = 0; tap < kernelSize * kernelSize; ++tap) {
        weights[tap / kernelSize][tap % kernelSize] = hn::Set(Floats(), work.weights[tap]);
    }
    const Edges<stride> edges(work);
    std::size_t row = 0;
    for (; row + rowsTogether <= work.rows; row += rowsTogether) {
        filterRows<rowsTogether, stride>(work, weights, edges, row);
    }
    if (rowsTogether > 2 && row + 2 <= work.rows) {
        filterRows<2, stride>(work, weights, edges, row);
        row += 2;
    }
    if (row < work.rows) {
        filterRows<1, stride>(work, weights, edges, row);
    }
}

void filterSmallChannel(const SmallChannel& work, std::size_t stride) {
    stride == 1 ? filterSmall<1>(work) : filterSmall<2>(work);
}

}  // namespace
}  // namespace et::kernels::dense::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace et::kernels::dense {

HWY_EXPORT(filterSmallChannel);

bool isSmallDepthwise(const Convolution& shape) {
    const Filter& filter = shape.filter;
    const auto isSmall = [&](std::size_t dim) {
        return filter.kernel[dim] == static_cast<std::int64_t>(kernelSize) && filter.padding[dim] == 1 &&
               filter.dilation[dim] == 1;
    };
    return isSmall(1) && isSmall(2) && filter.stride[1] == filter.stride[2] &&
           filter.stride[1] <= static_cast<std::int64_t>(mostStride);
}

core::Result<> smallDepthwise(KernelContext& context, const Convolution& shape, const float* input,
                              const float* weight, const float* bias, float* output, ResultSteps steps) {
    const Filter& filter = shape.filter;
    const std::size_t columns = toSize(shape.input[2]);
    ET_ASSIGN(const auto zeros, context.scratch<float>(columns));
    std::ranges::fill(zeros, 0.0F);
    const std::size_t channels = toSize(filter.outputChannels);
    const std::size_t plane = toSize(shape.outputPlane());
    const auto filterChannel = HWY_DYNAMIC_POINTER(filterSmallChannel);
    const auto run = [&](std::size_t item) {
        const std::size_t channel = item % channels;
        const std::size_t inputChannel = item / toSize(filter.groupOutputs());
        filterChannel({.input = input + inputChannel * toSize(shape.inputPlane()),
                       .inputRows = toSize(shape.input[1]),
                       .inputColumns = columns,
                       .zeros = zeros.data(),
                       .weights = weight + channel * kernelSize * kernelSize,
                       .bias = bias == nullptr ? 0.0F : bias[channel],
                       .result = output + item * plane,
                       .rows = toSize(shape.output[1]),
                       .columns = toSize(shape.output[2]),
                       .steps = steps,
                       .channel = channel},
                      toSize(filter.stride[1]));
    };
    const std::size_t items = toSize(shape.batch) * channels;
    const std::size_t workers = std::min(context.threads().threads(), items);
    context.threads().parallelFor(workers, 1, [&](std::size_t begin, std::size_t end) {
        for (std::size_t item = begin * items / workers; item < end * items / workers; ++item) {
            run(item);
        }
    });
    return {};
}

}  // namespace et::kernels::dense
#endif  // HWY_ONCE
