#include "runtime/kernels/cortex_m/fixed_point.h"
#include "runtime/kernels/cortex_m/operators.h"
#include "runtime/kernels/spatial/pooling.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>

namespace et::kernels::cortex_m {
namespace {

/// Order of activation sizes: [N, C, height, width], or [N, height, width, C] in operators named so.
enum class Layout : std::uint8_t { ChannelsFirst, ChannelsLast };

constexpr std::array<std::int64_t, 1> noPadding{0};
constexpr std::array<std::int64_t, 1> noDilation{1};

template <Layout layout, class Byte>
StridedView<Byte> images(const StridedView<Byte>& view) {
    return layout == Layout::ChannelsLast ? quantized::channelsFirst(view) : view;
}

/// Stores [N, C, height, width] in `out` and resizes it.
template <Layout layout>
core::Result<> storeImages(KernelContext& context, const Tensor& numbers, Tensor& out) {
    Sizes sizes = numbers.sizes();
    if (layout == Layout::ChannelsLast) {
        const std::int64_t channels = sizes[1];
        sizes.erase(1);
        sizes.push_back(channels);
    }
    ET_TRY(out.resize(sizes));
    return quantized::storeDoubles(context, numbers, images<layout>(viewOf(out)));
}

core::Result<> expectImages(const Tensor& input, const Tensor& weight) {
    if (input.dim() != 4 || weight.dim() != 4) {
        return invalid("expected tensors of 4 dimensions, got " + core::describe(input) + " and " +
                       core::describe(weight));
    }
    return {};
}

/// Arguments common to all convolutions.
struct Convolution {
    const Tensor* bias = nullptr;
    IntList stride;
    IntList padding;
    IntList dilation;
    IntList outputPadding{noPadding};
    bool transposed = false;
    std::int64_t inputOffset = 0;
    std::int64_t outputOffset = 0;
    const Tensor& multipliers;
    const Tensor& shifts;
    std::int64_t min = 0;
    std::int64_t max = 0;
};

/// `weight` has the layout of dense::ConvolutionArguments.
template <Layout layout>
core::Result<> convolve(KernelContext& context, const Tensor& input, const ReadView& weight,
                        std::int64_t groups, const Convolution& of, Tensor& out) {
    ET_TRY(expectInt8({&input, &out}));
    ET_ASSIGN(const Tensor numbers, quantized::centered(context, images<layout>(viewOf(input)),
                                                        -static_cast<double>(of.inputOffset)));
    ET_ASSIGN(const Tensor filter, quantized::doublesOf(context, weight));
    std::optional<Tensor> bias;
    if (of.bias != nullptr) {
        ET_ASSIGN(bias, quantized::doublesOf(context, viewOf(*of.bias)));
    }
    ET_ASSIGN(Tensor sums, quantized::convolutionSums(context, {.input = numbers,
                                                                .weight = filter,
                                                                .bias = bias ? &*bias : nullptr,
                                                                .stride = of.stride,
                                                                .padding = of.padding,
                                                                .dilation = of.dilation,
                                                                .transposed = of.transposed,
                                                                .outputPadding = of.outputPadding,
                                                                .groups = groups}));
    Requantization requantize{.offset = of.outputOffset};
    ET_ASSIGN(requantize.range, activationRange(of.min, of.max));
    ET_ASSIGN(requantize.multipliers, quantized::PerChannel::of(context, of.multipliers, sums.size(1)));
    ET_ASSIGN(requantize.shifts, quantized::PerChannel::of(context, of.shifts, sums.size(1)));
    ET_TRY(requantize.check(sums.size(1)));
    quantized::changeByChannel(sums, 1, requantize);
    return storeImages<layout>(context, sums, out);
}

/// Weights are [out, height, width, in / groups].
template <Layout layout>
core::Result<> plainConvolutionOut(KernelContext& context, const Tensor& input, const Tensor& weight,
                                   const Tensor* bias, IntList stride, IntList padding, IntList dilation,
                                   std::int64_t inputOffset, std::int64_t outputOffset,
                                   const Tensor& multipliers, const Tensor& shifts, std::int64_t min,
                                   std::int64_t max, Tensor& out) {
    ET_TRY(expectImages(input, weight));
    const std::int64_t channels = input.size(layout == Layout::ChannelsLast ? 3 : 1);
    const std::int64_t groups =
        weight.size(3) == 0 ? 1 : std::max<std::int64_t>(1, channels / weight.size(3));
    return convolve<layout>(context, input, quantized::channelsFirst(viewOf(weight)), groups,
                            {.bias = bias,
                             .stride = stride,
                             .padding = padding,
                             .dilation = dilation,
                             .inputOffset = inputOffset,
                             .outputOffset = outputOffset,
                             .multipliers = multipliers,
                             .shifts = shifts,
                             .min = min,
                             .max = max},
                            out);
}

template <Layout layout>
core::Result<> convolutionOut(KernelContext& context, const Tensor& input, const Tensor& weight,
                              const Tensor* bias, IntList stride, IntList padding, IntList dilation,
                              std::int64_t inputOffset, std::int64_t outputOffset, const Tensor& multipliers,
                              const Tensor& shifts, std::int64_t min, std::int64_t max,
                              const Tensor* /*scratch*/, Tensor& out) {
    return plainConvolutionOut<layout>(context, input, weight, bias, stride, padding, dilation, inputOffset,
                                       outputOffset, multipliers, shifts, min, max, out);
}

/// One or more filters per input channel: weights are [1, height, width, out].
template <Layout layout>
core::Result<> plainDepthwiseOut(KernelContext& context, const Tensor& input, const Tensor& weight,
                                 const Tensor* bias, IntList stride, IntList padding, IntList dilation,
                                 std::int64_t /*multiplesOfChannels*/, std::int64_t inputOffset,
                                 std::int64_t outputOffset, const Tensor& multipliers, const Tensor& shifts,
                                 std::int64_t min, std::int64_t max, Tensor& out) {
    ET_TRY(expectImages(input, weight));
    ReadView filters = viewOf(weight);
    filters.swap(0, 3);
    const std::int64_t channels = input.size(layout == Layout::ChannelsLast ? 3 : 1);
    return convolve<layout>(context, input, quantized::channelsFirst(filters), channels,
                            {.bias = bias,
                             .stride = stride,
                             .padding = padding,
                             .dilation = dilation,
                             .inputOffset = inputOffset,
                             .outputOffset = outputOffset,
                             .multipliers = multipliers,
                             .shifts = shifts,
                             .min = min,
                             .max = max},
                            out);
}

template <Layout layout>
core::Result<> depthwiseOut(KernelContext& context, const Tensor& input, const Tensor& weight,
                            const Tensor* bias, IntList stride, IntList padding, IntList dilation,
                            std::int64_t multiplesOfChannels, std::int64_t inputOffset,
                            std::int64_t outputOffset, const Tensor& multipliers, const Tensor& shifts,
                            std::int64_t min, std::int64_t max, const Tensor* /*scratch*/, Tensor& out) {
    return plainDepthwiseOut<layout>(context, input, weight, bias, stride, padding, dilation,
                                     multiplesOfChannels, inputOffset, outputOffset, multipliers, shifts, min,
                                     max, out);
}

/// Weights are [out, height, width, in].
template <Layout layout>
core::Result<> transposedOut(KernelContext& context, const Tensor& input, const Tensor& weight,
                             const Tensor* bias, IntList stride, IntList padding, IntList outputPadding,
                             IntList dilation, std::int64_t inputOffset, std::int64_t outputOffset,
                             const Tensor& multipliers, const Tensor& shifts, std::int64_t min,
                             std::int64_t max, const Tensor* /*scratch*/, const Tensor* /*outputScratch*/,
                             Tensor& out) {
    ET_TRY(expectImages(input, weight));
    ReadView filters = quantized::channelsFirst(viewOf(weight));
    filters.swap(0, 1);
    return convolve<layout>(context, input, filters, 1,
                            {.bias = bias,
                             .stride = stride,
                             .padding = padding,
                             .dilation = dilation,
                             .outputPadding = outputPadding,
                             .transposed = true,
                             .inputOffset = inputOffset,
                             .outputOffset = outputOffset,
                             .multipliers = multipliers,
                             .shifts = shifts,
                             .min = min,
                             .max = max},
                            out);
}

template <Layout layout>
core::Result<> maxPoolOut(KernelContext& context, const Tensor& input, IntList kernel, IntList stride,
                          IntList padding, IntList dilation, bool ceilMode, std::int64_t /*inZeroPoint*/,
                          std::int64_t /*outZeroPoint*/, std::int64_t min, std::int64_t max, Tensor& out) {
    ET_TRY(expectInt8({&input, &out}));
    ET_TRY(expectImages(input, input));
    ET_ASSIGN(const auto range, activationRange(min, max));
    ET_ASSIGN(const Tensor numbers, quantized::doublesOf(context, images<layout>(viewOf(input))));
    ET_ASSIGN(const auto shape,
              spatial::poolShape(numbers, 2, {kernel, stride, padding, dilation, ceilMode}));
    ET_ASSIGN(Tensor extremes, quantized::emptyDoubles(context, shape.outSizes));
    ET_ASSIGN(const auto places, context.scratch<std::int64_t>(static_cast<std::size_t>(extremes.numel())));
    Tensor indices = Tensor::over(places.data(), shape.outSizes);
    ET_TRY(spatial::maxPool(context, shape, numbers, extremes, indices));
    for (double& number : quantized::elementsOf(extremes)) {
        number = quantized::clampedTo(range, number);
    }
    return storeImages<layout>(context, extremes, out);
}

/// Means over elements inside the input, rounded half away from 0; the scale is unchanged.
template <Layout layout>
core::Result<> plainAvgPoolOut(KernelContext& context, const Tensor& input, IntList kernel, IntList stride,
                               IntList padding, bool ceilMode, std::int64_t /*zeroPoint*/,
                               std::int64_t /*multiplier*/, std::int64_t /*shift*/, Tensor& out) {
    ET_TRY(expectInt8({&input, &out}));
    ET_TRY(expectImages(input, input));
    ET_ASSIGN(const Tensor numbers, quantized::doublesOf(context, images<layout>(viewOf(input))));
    ET_ASSIGN(const auto shape,
              spatial::poolShape(numbers, 2, {kernel, stride, padding, noDilation, ceilMode}));
    ET_ASSIGN(Tensor means, quantized::emptyDoubles(context, shape.outSizes));
    ET_TRY(spatial::avgPool(context, shape, {.fixed = std::nullopt, .countPadding = false}, numbers, means));
    for (double& mean : quantized::elementsOf(means)) {
        mean = std::round(mean);
    }
    return storeImages<layout>(context, means, out);
}

template <Layout layout>
core::Result<> avgPoolOut(KernelContext& context, const Tensor& input, IntList kernel, IntList stride,
                          IntList padding, bool ceilMode, std::int64_t zeroPoint, std::int64_t multiplier,
                          std::int64_t shift, const Tensor* /*scratch*/, Tensor& out) {
    return plainAvgPoolOut<layout>(context, input, kernel, stride, padding, ceilMode, zeroPoint, multiplier,
                                   shift, out);
}

/// True if padding is given in the order [N, height, width, C], by the exporter's rule.
bool isChannelsLast(const Tensor& tensor) {
    if (tensor.dim() != 4) {
        return false;
    }
    const bool isAmbiguous = tensor.size(1) == 1 || (tensor.size(2) == 1 && tensor.size(3) == 1);
    return isAmbiguous || tensor.dimOrder()[1] == 2;
}

constexpr std::size_t padDims = 4;

/// Paddings before and after, right-aligned in four dimensions of memory.
template <Layout layout>
core::Result<> padOut(KernelContext& context, const Tensor& input, IntList before, IntList behind,
                      std::int64_t value, Tensor& out) {
    ET_TRY(expectInt8({&input, &out}));
    ET_TRY(activationRange(value, value));
    if (before.size() != padDims || behind.size() != padDims || input.dim() > padDims) {
        return invalid(fmt::format("expected padding for at most {} dimensions", padDims));
    }
    constexpr std::array<std::size_t, padDims> lastOrder{0, 2, 3, 1};
    const bool isLast = layout == Layout::ChannelsFirst && isChannelsLast(input);
    Sizes sizes = input.sizes();
    Sizes starts = input.sizes();
    for (std::size_t i = 0; i < input.dim(); ++i) {
        const std::size_t place = padDims - input.dim() + i;
        const std::size_t dim = isLast ? lastOrder[i] : i;
        constexpr std::int64_t max = std::int64_t{1} << 31;
        if (before[place] < 0 || behind[place] < 0 || before[place] > max || behind[place] > max) {
            return invalid("expected padding from 0 to 2^31");
        }
        starts[dim] = before[place];
        sizes[dim] += before[place] + behind[place];
    }
    ET_TRY(out.resize(sizes));
    ET_TRY(fillElements(context.threads(), Scalar(value), viewOf(out)));
    WriteView middle = viewOf(out);
    for (std::size_t dim = 0; dim < input.dim(); ++dim) {
        middle.narrow(dim, starts[dim], input.size(dim));
    }
    return copyElements(context.threads(), viewOf(input), middle);
}

core::Result<> transposeOut(KernelContext& context, const Tensor& input, IntList order, Tensor& out) {
    ET_ASSIGN(const DimSet dims, wrapDims(order, input.dim(), false));
    if (dims.count() != input.dim() || order.size() != input.dim()) {
        return invalid(
            fmt::format("expected an order of {} dimensions, got {} elements", input.dim(), order.size()));
    }
    const ReadView view = viewOf(input);
    ReadView turned = view;
    for (std::size_t i = 0; i < order.size(); ++i) {
        ET_ASSIGN(const std::size_t dim, wrapDim(order[i], input.dim()));
        turned.sizes[i] = view.sizes[dim];
        turned.strides[i] = view.strides[dim];
    }
    ET_TRY(out.resize(turned.sizes));
    return copyElements(context.threads(), turned, viewOf(out));
}

template <Layout layout>
constexpr KernelEntry olderConvolution{"", box<&plainConvolutionOut<layout>>};
template <Layout layout>
constexpr KernelEntry olderDepthwise{"", box<&plainDepthwiseOut<layout>>};
template <Layout layout>
constexpr KernelEntry olderAvgPool{"", box<&plainAvgPoolOut<layout>>};

constexpr Layout first = Layout::ChannelsFirst;
constexpr Layout last = Layout::ChannelsLast;

constexpr std::array imagesTable{
    KernelEntry{"cortex_m::quantized_conv2d.out", box<&convolutionOut<first>>, {}, &olderConvolution<first>},
    KernelEntry{
        "cortex_m::quantized_conv2d_nhwc.out", box<&convolutionOut<last>>, {}, &olderConvolution<last>},
    KernelEntry{
        "cortex_m::quantized_depthwise_conv2d.out", box<&depthwiseOut<first>>, {}, &olderDepthwise<first>},
    KernelEntry{
        "cortex_m::quantized_depthwise_conv2d_nhwc.out", box<&depthwiseOut<last>>, {}, &olderDepthwise<last>},
    KernelEntry{"cortex_m::quantized_transpose_conv2d.out", box<&transposedOut<first>>},
    KernelEntry{"cortex_m::quantized_transpose_conv2d_nhwc.out", box<&transposedOut<last>>},
    KernelEntry{"cortex_m::quantized_max_pool2d.out", box<&maxPoolOut<first>>},
    KernelEntry{"cortex_m::quantized_max_pool2d_nhwc.out", box<&maxPoolOut<last>>},
    KernelEntry{"cortex_m::quantized_avg_pool2d.out", box<&avgPoolOut<first>>, {}, &olderAvgPool<first>},
    KernelEntry{"cortex_m::quantized_avg_pool2d_nhwc.out", box<&avgPoolOut<last>>, {}, &olderAvgPool<last>},
    KernelEntry{"cortex_m::pad.out", box<&padOut<first>>},
    KernelEntry{"cortex_m::pad_nhwc.out", box<&padOut<last>>},
    KernelEntry{"cortex_m::transpose.out", box<&transposeOut>},
};

}  // namespace

std::span<const KernelEntry> imageEntries() {
    return imagesTable;
}

}  // namespace et::kernels::cortex_m
