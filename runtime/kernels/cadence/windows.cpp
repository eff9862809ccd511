#include "runtime/kernels/cadence/operators.h"
#include "runtime/kernels/quantized/number_arguments.h"
#include "runtime/kernels/spatial/pooling.h"

#include <fmt/format.h>

#include <array>
#include <cmath>

namespace et::kernels::cadence {
namespace {

using quantized::NumberArgument;
using quantized::PerChannel;

/// Converts sizes [N, C, height, width] to [N, height, width, C].
Sizes channelsLast(const Sizes& sizes) {
    Sizes moved = sizes;
    moved.erase(1);
    moved.push_back(sizes[1]);
    return moved;
}

core::Result<> expectImages(const Tensor& input) {
    if (input.dim() != 4) {
        return invalid("expected an input of 4 dimensions, got " + core::describe(input));
    }
    return {};
}

/// Maximum of each window; scale and zero point are unchanged.
template <bool isLast>
core::Result<> maxPoolOut(KernelContext& context, const Tensor& input, IntList kernel, IntList stride,
                          IntList padding, IntList dilation, bool ceilMode, Tensor& out) {
    ET_TRY(expectImages(input));
    const ReadView from = isLast ? quantized::channelsFirst(viewOf(input)) : viewOf(input);
    ET_ASSIGN(const Tensor numbers, quantized::doublesOf(context, from));
    ET_ASSIGN(const auto shape,
              spatial::poolShape(numbers, 2, {kernel, stride, padding, dilation, ceilMode}));
    ET_ASSIGN(Tensor max, quantized::emptyDoubles(context, shape.outSizes));
    ET_ASSIGN(const auto places, context.scratch<std::int64_t>(static_cast<std::size_t>(max.numel())));
    Tensor indices = Tensor::over(places.data(), shape.outSizes);
    ET_TRY(spatial::maxPool(context, shape, numbers, max, indices));
    ET_TRY(out.resize(isLast ? channelsLast(shape.outSizes) : shape.outSizes));
    const WriteView to = viewOf(out);
    return quantized::storeDoubles(context, max, isLast ? quantized::channelsFirst(to) : to);
}

/// With a zero point, padding has that value (0 if padding is not counted), and means are rounded.
core::Result<> avgPoolOut(KernelContext& context, const Tensor& input, IntList kernel, IntList stride,
                          IntList padding, bool ceilMode, bool countPadding,
                          std::optional<std::int64_t> divisor, const Tensor* inZeroPoint, bool isLast,
                          Tensor& out) {
    ET_TRY(expectImages(input));
    const bool isQuantized = inZeroPoint != nullptr;
    double zeroPoint = 0;
    if (isQuantized && countPadding) {
        ET_ASSIGN(zeroPoint, quantized::onlyNumber(*inZeroPoint));
    }
    const ReadView from = isLast ? quantized::channelsFirst(viewOf(input)) : viewOf(input);
    ET_ASSIGN(const Tensor numbers, quantized::centered(context, from, zeroPoint));
    constexpr std::array<std::int64_t, 1> one{1};
    ET_ASSIGN(const auto shape, spatial::poolShape(numbers, 2, {kernel, stride, padding, one, ceilMode}));
    ET_ASSIGN(Tensor means, quantized::emptyDoubles(context, shape.outSizes));
    ET_TRY(spatial::avgPool(context, shape, {.fixed = divisor, .countPadding = countPadding || isQuantized},
                            numbers, means));
    if (isQuantized) {
        ET_ASSIGN(const auto range, quantized::rangeOf(out.dtype()));
        for (double& mean : quantized::elementsOf(means)) {
            mean = quantized::clampedTo(range, std::nearbyint(mean + zeroPoint));
        }
    }
    ET_TRY(out.resize(isLast ? channelsLast(shape.outSizes) : shape.outSizes));
    const WriteView to = viewOf(out);
    return quantized::storeDoubles(context, means, isLast ? quantized::channelsFirst(to) : to);
}

/// One dimension of a window: maps an output and a kernel tap to the input index, -1 if outside.
struct WindowAxis {
    std::int64_t input = 1;
    std::int64_t kernel = 1;
    std::int64_t dilation = 1;
    std::int64_t padding = 0;
    std::int64_t stride = 1;
    std::int64_t output = 1;
    bool transposed = false;

    [[nodiscard]] std::int64_t at(std::int64_t out, std::int64_t tap) const {
        if (!transposed) {
            const std::int64_t place = out * stride - padding + tap * dilation;
            return place >= 0 && place < input ? place : -1;
        }
        const std::int64_t place = out - (kernel - 1) * dilation + tap * dilation + padding;
        return place >= 0 && place % stride == 0 && place / stride < input ? place / stride : -1;
    }
};

/// Window counts are tensor sizes, limited so that nothing here overflows.
constexpr std::int64_t largest = std::int64_t{1} << 30;

core::Result<WindowAxis> windowAxis(std::int64_t input, std::size_t dim, IntList kernel, IntList dilation,
                                    IntList padding, IntList stride, std::optional<IntList> outputPadding) {
    const std::array lists{kernel, dilation, padding, stride, outputPadding.value_or(padding)};
    constexpr std::array<std::int64_t, 5> min{1, 1, 0, 1, 0};
    for (std::size_t i = 0; i < lists.size(); ++i) {
        if (lists[i].size() != 2 || lists[i][dim] < min[i] || lists[i][dim] > largest) {
            return invalid("expected two numbers each of kernel, dilation, padding and stride");
        }
    }
    WindowAxis axis{.input = input,
                    .kernel = kernel[dim],
                    .dilation = dilation[dim],
                    .padding = padding[dim],
                    .stride = stride[dim],
                    .transposed = outputPadding.has_value()};
    if (input < 1 || input > largest || axis.kernel > largest / axis.dilation) {
        return invalid(fmt::format("an input of size {} does not fit a kernel of {} (dilation {})", input,
                                   axis.kernel, axis.dilation));
    }
    const std::int64_t reach = axis.dilation * (axis.kernel - 1);
    axis.output = axis.transposed
                      ? (input - 1) * axis.stride - 2 * axis.padding + reach + (*outputPadding)[dim] + 1
                      : (input + 2 * axis.padding - reach - 1) / axis.stride + 1;
    if (axis.output < 1 || axis.output > largest ||
        input + 2 * axis.padding <= (axis.transposed ? 0 : reach)) {
        return invalid("the kernel does not fit the input");
    }
    return axis;
}

/// Input of a convolution's windows: [N, C, height, width], or channels last.
struct Rows {
    Tensor input{};  ///< doubles [N, C, height, width]
    std::array<WindowAxis, 2> axes{};
    bool channelsLast = false;  ///< row layout: [kernel…, C] if true, otherwise [C, kernel…]
    PerChannel outside{};       ///< padding value per sample
};

/// Fills one row of C * kernel elements: the window at (y, x) of a sample.
void fillRow(const Rows& rows, std::int64_t sample, std::int64_t y, std::int64_t x, double* row) {
    const std::int64_t channels = rows.input.size(1);
    const auto& [height, width] = rows.axes;
    const std::int64_t taps = height.kernel * width.kernel;
    const double* image = rows.input.data<double>() + sample * rows.input.stride(0);
    for (std::int64_t tap = 0; tap < taps; ++tap) {
        const std::int64_t from = height.at(y, tap / width.kernel);
        const std::int64_t left = width.at(x, tap % width.kernel);
        for (std::int64_t channel = 0; channel < channels; ++channel) {
            const double number = from < 0 || left < 0
                                      ? rows.outside[sample]
                                      : image[(channel * height.input + from) * width.input + left];
            row[rows.channelsLast ? tap * channels + channel : channel * taps + tap] = number;
        }
    }
}

core::Result<> fillRows(KernelContext& context, const Rows& rows, Tensor& out) {
    const auto& [height, width] = rows.axes;
    const std::int64_t channels = rows.input.size(1);
    std::int64_t row = 0;
    if (__builtin_mul_overflow(channels, height.kernel * width.kernel, &row)) {
        return invalid("the kernel does not fit the input");
    }
    const Sizes sizes{rows.input.size(0), height.output * width.output, row};
    ET_TRY(out.resize(sizes));
    ET_ASSIGN(Tensor made, quantized::emptyDoubles(context, sizes));
    double* at = made.mutableData<double>();
    for (std::int64_t place = 0; row > 0 && place < made.numel() / row; ++place, at += row) {
        const std::int64_t inSample = place % sizes[1];
        fillRow(rows, place / sizes[1], inSample / width.output, inSample % width.output, at);
    }
    return quantized::storeDoubles(context, made, viewOf(out));
}

template <NumberArgument Number>
core::Result<> windowRows(KernelContext& context, const Tensor& input, IntList kernel, IntList dilation,
                          IntList padding, IntList stride, std::optional<IntList> outputPadding,
                          Number zeroPoint, bool isLast, Tensor& out) {
    if (input.dim() != 3 && input.dim() != 4) {
        return invalid("expected an input of 3 or 4 dimensions, got " + core::describe(input));
    }
    ReadView view = isLast ? quantized::channelsFirst(viewOf(input)) : viewOf(input);
    if (view.dim() == 3) {  // height 1
        view.append(1, 0);
        view.swap(2, 3);
    }
    Rows rows{.channelsLast = isLast};
    ET_ASSIGN(rows.input, quantized::doublesOf(context, view));
    for (std::size_t dim = 0; dim < 2; ++dim) {
        ET_ASSIGN(rows.axes[dim], windowAxis(rows.input.size(2 + dim), dim, kernel, dilation, padding, stride,
                                             outputPadding));
    }
    ET_ASSIGN(rows.outside, quantized::perChannel(context, zeroPoint, rows.input.size(0)));
    return fillRows(context, rows, out);
}

template <NumberArgument Number>
core::Result<> im2rowOut(KernelContext& context, const Tensor& input, IntList kernel, IntList dilation,
                         IntList padding, IntList stride, Number zeroPoint, bool isLast, Tensor& out) {
    return windowRows(context, input, kernel, dilation, padding, stride, std::nullopt, zeroPoint, isLast,
                      out);
}

core::Result<> transposedIm2rowOut(KernelContext& context, const Tensor& input, IntList kernel,
                                   IntList dilation, IntList padding, IntList stride, IntList outputPadding,
                                   const Tensor* zeroPoint, bool isLast, Tensor& out) {
    return windowRows(context, input, kernel, dilation, padding, stride, outputPadding, zeroPoint, isLast,
                      out);
}

constexpr std::array windowsTable{
    KernelEntry{"cadence::quantized_max_pool2d_nchw.out", box<&maxPoolOut<false>>},
    KernelEntry{"cadence::quantized_max_pool2d_nhwc.out", box<&maxPoolOut<true>>},
    KernelEntry{"cadence::avg_pool2d.out", box<&avgPoolOut>},
    KernelEntry{"cadence::im2row.out", box<&im2rowOut<const Tensor*>>},
    KernelEntry{"cadence::im2row.per_tensor_out", box<&im2rowOut<std::int64_t>>},
    KernelEntry{"cadence::transposed_im2row.out", box<&transposedIm2rowOut>},
};

}  // namespace

std::span<const KernelEntry> windowEntries() {
    return windowsTable;
}

}  // namespace et::kernels::cadence
