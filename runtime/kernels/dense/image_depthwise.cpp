#include "runtime/kernels/dense/image_depthwise.h"

#include "runtime/kernels/simd_targets.h"

#include <algorithm>
#include <array>

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "runtime/kernels/dense/image_depthwise.cpp"
// Must precede highway.h.
#include <hwy/foreach_target.h>
#include <hwy/highway.h>

#ifndef ET_IMAGE_DEPTHWISE_ROWS
#define ET_IMAGE_DEPTHWISE_ROWS
namespace et::kernels::dense {
namespace {

constexpr std::size_t smallSide = 3;
constexpr std::size_t largeSide = 5;
constexpr std::size_t maxDepthwiseStride = 2;

/// Output rows that are computed together: with a stride of two, more rows would share less than they have to
/// read.
constexpr std::size_t rowsTogether(std::size_t stride) {
    return stride == 1 ? 4 : 2;
}

/// Consecutive rows of the output.
struct DepthwiseRows {
    static constexpr std::size_t mostRead = rowsTogether(1) - 1 + largeSide;

    /// The input rows that they read, from the top: the first pixel, and the stride to the next, which is 0
    /// in a row of padding.
    std::array<const float*, mostRead> rows;
    std::array<std::size_t, mostRead> steps;
    std::size_t inputColumns;
    std::size_t padding;  ///< columns before the first column
    const float* weights;
    std::size_t channels;
    float low;
    float high;
    float* output;
    std::size_t columns;
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

/// Number of rows computed together, kernel size, and stride in both directions.
template <std::size_t rowCount, std::size_t sideSize, std::size_t stepSize>
struct Kind {
    static constexpr std::size_t rows = rowCount;
    static constexpr std::size_t side = sideSize;
    static constexpr std::size_t stride = stepSize;
    static constexpr std::size_t read = (rows - 1) * stride + side;
    static constexpr std::size_t pending = (side - 1) / stride;
    static constexpr std::size_t blockVectors = side * side + 1;
};

/// Computes one vector of channels for rows that are processed together. Each input column is read once, from
/// left to right, and added to all results whose kernel covers it; results are pending until their last
/// column is read, the oldest first.
template <class K, bool isWhole>
class ChannelsOfRows {
  public:
    /// `valid`: number of channels if the vector is partial.
    HWY_INLINE ChannelsOfRows(const DepthwiseRows& rows, std::size_t channel, const float* weightsOfBlock,
                              std::size_t valid)
        : work(rows), weights(weightsOfBlock), output(rows.output + channel), count(valid) {
        const Floats d;
        bias = hn::LoadU(d, weights);
        if constexpr (inRegisters) {
#pragma GCC unroll 16
            for (std::size_t tap = 0; tap < K::side * K::side; ++tap) {
                taps[tap / K::side][tap % K::side] = loadTap(tap);
            }
        }
#pragma GCC unroll 16
        for (std::size_t y = 0; y < K::read; ++y) {
            from[y] = rows.rows[y] + channel;
        }
        for (Sums& sums : pending) {
            std::fill_n(sums, K::rows, bias);
        }
    }

    HWY_INLINE void run() {
        // The first results in the queue before that many columns belong to no output.
        constexpr std::size_t before = K::stride == 1 ? K::side - 1 : K::pending;
        takeColumns();
        for (std::size_t i = 1; i < before; ++i) {
            if constexpr (K::stride == 2) {
                addBetween();
            }
            takeColumns();
        }
        for (std::size_t x = 0; x < work.columns; ++x) {
            if constexpr (K::stride == 2) {
                addBetween();
            }
            takeColumns();
            write(x);
        }
    }

  private:
    using Sums = V[K::rows];
    using Column = V[K::read];
    /// True if the kernel is small enough for registers.
    static constexpr bool inRegisters = K::side == smallSide;

    /// Processes a column that completes one result, starts another and continues the rest.
    HWY_INLINE void takeColumns() {
        Column column;
        next(column);
#pragma GCC unroll 4
        for (std::size_t r = 0; r < K::rows; ++r) {
            done[r] = pending[0][r];
        }
        add<K::side - 1>(column, done);
        moveOn<0>(column);
        begin(column, pending[K::pending - 1]);
    }

    template <std::size_t i>
    HWY_INLINE void moveOn(const Column& column) {
        if constexpr (i + 1 < K::pending) {
#pragma GCC unroll 4
            for (std::size_t r = 0; r < K::rows; ++r) {
                pending[i][r] = pending[i + 1][r];
            }
            add<K::side - 1 - (i + 1) * K::stride>(column, pending[i]);
            moveOn<i + 1>(column);
        }
    }

    /// With stride 2: processes a column that neither starts nor completes a result.
    HWY_INLINE void addBetween() {
        Column column;
        next(column);
        addBetween<0>(column);
    }
    template <std::size_t i>
    HWY_INLINE void addBetween(const Column& column) {
        if constexpr (i < K::pending) {
            add<K::side - 2 - i * K::stride>(column, pending[i]);
            addBetween<i + 1>(column);
        }
    }

    /// Reads the next column of the input; zeros outside it.
    HWY_INLINE void next(Column& column) {
        const Floats d;
        if (at++ - work.padding >= work.inputColumns) {  // negative values wrap to above the size
            std::fill_n(column, K::read, hn::Zero(d));
            return;
        }
#pragma GCC unroll 16
        for (std::size_t y = 0; y < K::read; ++y) {
            column[y] = isWhole ? hn::LoadU(d, from[y]) : hn::LoadN(d, from[y], count);
            from[y] += work.steps[y];
        }
    }

    HWY_INLINE void begin(const Column& column, Sums& sums) const {
        std::fill_n(sums, K::rows, bias);
        add<0>(column, sums);
    }

    template <std::size_t x>
    HWY_INLINE void add(const Column& column, Sums& sums) const {
#pragma GCC unroll 8
        for (std::size_t y = 0; y < K::side; ++y) {
            const V tap = inRegisters ? taps[x][y] : loadTap(x * K::side + y);
#pragma GCC unroll 4
            for (std::size_t r = 0; r < K::rows; ++r) {
                sums[r] = hn::MulAdd(tap, column[r * K::stride + y], sums[r]);
            }
        }
    }

    HWY_INLINE V loadTap(std::size_t tap) const {
        return hn::LoadU(Floats(), weights + (tap + 1) * hn::Lanes(Floats()));
    }

    HWY_INLINE void write(std::size_t x) const {
        const Floats d;
        const V low = hn::Set(d, work.low);
        const V high = hn::Set(d, work.high);
#pragma GCC unroll 4
        for (std::size_t r = 0; r < K::rows; ++r) {
            // In this order NaN is preserved.
            const V result = hn::Min(high, hn::Max(low, done[r]));
            float* const to = output + (r * work.columns + x) * work.channels;
            isWhole ? hn::StoreU(result, d, to) : hn::StoreN(result, d, to, count);
        }
    }

    const DepthwiseRows& work;
    const float* from[K::read];
    const float* weights;
    float* output;
    std::size_t at = 0;  ///< next column of the padded input
    std::size_t count;
    V bias;
    V taps[inRegisters ? K::side : 1][K::side];  ///< by columns
    Sums pending[K::pending];
    Sums done;
};

template <class K>
HWY_NOINLINE void computeRowsOf(const DepthwiseRows& rows) {
    const std::size_t lanes = hn::Lanes(Floats());
    const float* weights = rows.weights;
    std::size_t channel = 0;
    for (; channel + lanes <= rows.channels; channel += lanes) {
        ChannelsOfRows<K, true>(rows, channel, weights, lanes).run();
        weights += K::blockVectors * lanes;
    }
    if (channel < rows.channels) {
        ChannelsOfRows<K, false>(rows, channel, weights, rows.channels - channel).run();
    }
}

template <std::size_t side>
void computeWithKernel(const DepthwiseRows& rows, std::size_t count, std::size_t stride) {
    if (stride == 2) {
        return count == 1 ? computeRowsOf<Kind<1, side, 2>>(rows) : computeRowsOf<Kind<2, side, 2>>(rows);
    }
    switch (count) {
        case 1:
            return computeRowsOf<Kind<1, side, 1>>(rows);
        case 2:
            return computeRowsOf<Kind<2, side, 1>>(rows);
        default:
            return computeRowsOf<Kind<rowsTogether(1), side, 1>>(rows);
    }
}

void computeDepthwiseRows(const DepthwiseRows& rows, std::size_t count, const ImageConvolution& form) {
    form.width.kernel == smallSide ? computeWithKernel<smallSide>(rows, count, form.width.stride)
                                   : computeWithKernel<largeSide>(rows, count, form.width.stride);
}

std::size_t rowsLanes() {
#if HWY_ARCH_X86_64
    const std::size_t lanes = hn::Lanes(Floats());
    return lanes >= 16 ? lanes : 0;  // not measured with fewer registers
#else
    return 0;
#endif
}

}  // namespace
}  // namespace et::kernels::dense::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace et::kernels::dense {

HWY_EXPORT(computeDepthwiseRows);
HWY_EXPORT(rowsLanes);

namespace {

/// Elements per vector of channels: bias and taps.
std::size_t blockElements(const ImageConvolution& shape, std::size_t lanes) {
    return (shape.width.kernel * shape.width.kernel + 1) * lanes;
}

}  // namespace

bool ImageDepthwise::takes(const ImageConvolution& shape) {
    const ImageConvolution::Axis& width = shape.width;
    const ImageConvolution::Axis& height = shape.height;
    return (width.kernel == smallSide || width.kernel == largeSide) && height.kernel == width.kernel &&
           width.stride >= 1 && width.stride <= maxDepthwiseStride && height.stride == width.stride &&
           width.dilation == 1 && height.dilation == 1 && HWY_DYNAMIC_DISPATCH(rowsLanes)() != 0;
}

std::size_t ImageDepthwise::weightElements(const ImageConvolution& shape) {
    const std::size_t lanes = HWY_DYNAMIC_DISPATCH(rowsLanes)();
    return (shape.outputChannels + lanes - 1) / lanes * blockElements(shape, lanes);
}

void ImageDepthwise::pack(const ImageConvolution& shape, const float* filter, const float* bias, float* to) {
    const std::size_t lanes = HWY_DYNAMIC_DISPATCH(rowsLanes)();
    const std::size_t side = shape.width.kernel;
    std::fill_n(to, weightElements(shape), 0.0F);
    for (std::size_t channel = 0; channel < shape.outputChannels; ++channel) {
        float* const block = to + channel / lanes * blockElements(shape, lanes) + channel % lanes;
        *block = bias == nullptr ? 0 : bias[channel];
        for (std::size_t column = 0; column < side; ++column) {
            for (std::size_t row = 0; row < side; ++row) {
                block[(column * side + row + 1) * lanes] =
                    filter[(row * side + column) * shape.outputChannels + channel];
            }
        }
    }
}

ImageDepthwise::ImageDepthwise(const ImageConvolution& shape, const float* packed, float low, float high)
    : form(shape), weights(packed), zeros(shape.outputChannels), lowest(low), highest(high) {
}

void ImageDepthwise::computeRows(const float* input, float* output, std::size_t begin, std::size_t end,
                                 float* /*scratch*/) const {
    DepthwiseRows work{.rows = {},
                       .steps = {},
                       .inputColumns = form.width.input,
                       .padding = form.width.padding,
                       .weights = weights,
                       .channels = form.outputChannels,
                       .low = lowest,
                       .high = highest,
                       .output = nullptr,
                       .columns = form.width.output};
    const std::size_t stride = form.height.stride;
    for (std::size_t row = begin; row < end;) {
        const float* const image = input + row / form.height.output * form.inputElements();
        const std::size_t y = row % form.height.output;
        const std::size_t left = std::min(end - row, form.height.output - y);
        const std::size_t most = rowsTogether(stride);
        const std::size_t count = left >= most ? most : std::min<std::size_t>(left, 2);
        for (std::size_t i = 0; i < (count - 1) * stride + form.height.kernel; ++i) {
            const std::size_t at = y * stride + i - form.height.padding;  // negative values wrap to above the
                                                                          // size
            const bool isInside = at < form.height.input;
            work.rows[i] = isInside ? image + at * form.width.input * form.inputChannels : zeros.data();
            work.steps[i] = isInside ? form.inputChannels : 0;
        }
        work.output = output + row * form.rowElements();
        HWY_DYNAMIC_DISPATCH(computeDepthwiseRows)(work, count, form);
        row += count;
    }
}

}  // namespace et::kernels::dense
#endif
