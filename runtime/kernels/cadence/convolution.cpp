#include "runtime/kernels/cadence/operators.h"
#include "runtime/kernels/dense/convolution_operator.h"
#include "runtime/kernels/quantized/number_arguments.h"

#include <array>

namespace et::kernels::cadence {
namespace {

using quantized::NumberArgument;
using quantized::PerChannel;

constexpr std::array<std::int64_t, 1> noOutputPadding{0};

/// Order of the dimensions: [N, C, spatial…] or [N, spatial…, C], weights likewise.
enum class Layout : std::uint8_t { ChannelsFirst, ChannelsLast };

/// Returns the last `count` items: one-dimensional operators also receive lists of two, of which the last
/// apply.
IntList lastOf(IntList list, std::size_t count) {
    return list.size() > count && count > 0 ? list.last(count) : list;
}

std::size_t spatialOf(const Tensor& input) {
    return input.dim() > 2 ? input.dim() - 2 : 0;
}

ReadView activations(const Tensor& tensor, Layout layout) {
    const ReadView view = viewOf(tensor);
    return layout == Layout::ChannelsLast ? quantized::channelsFirst(view) : view;
}

/// Views weights as [out, in / groups, kernel…]. Channels-last depthwise weights have no input channel:
/// [kernel…, out].
ReadView weights(const Tensor& weight, const Tensor& input, Layout layout) {
    ReadView view = viewOf(weight);
    if (layout == Layout::ChannelsFirst || weight.dim() < 2) {
        return view;
    }
    if (weight.dim() + 1 != input.dim()) {
        return quantized::channelsFirst(view);
    }
    for (std::size_t dim = view.dim(); dim-- > 1;) {  // [out, kernel…]
        view.swap(dim, dim - 1);
    }
    view.append(1, 0);
    return quantized::channelsFirst(view);
}

/// Resizes `out` for the sums [N, C, spatial…] in its own layout and returns a view to write them to.
core::Result<WriteView> results(const Tensor& sums, Layout layout, Tensor& out) {
    Sizes sizes = sums.sizes();
    if (layout == Layout::ChannelsLast) {
        const std::int64_t channels = sizes[1];
        sizes.erase(1);
        sizes.push_back(channels);
    }
    ET_TRY(out.resize(sizes));
    const WriteView view = viewOf(out);
    return layout == Layout::ChannelsLast ? quantized::channelsFirst(view) : view;
}

/// A convolution of quantized tensors before requantization.
struct WholeConvolution {
    const Tensor& input;
    const Tensor& bias;
    IntList stride;
    IntList padding;
    IntList dilation;
    IntList outputPadding{noOutputPadding};
    std::int64_t groups = 1;
    bool transposed = false;
    Layout layout = Layout::ChannelsFirst;
    std::int64_t inputZeroPoint = 0;
};

core::Result<> expectBatch(const Tensor& input) {
    if (input.dim() != 3 && input.dim() != 4) {
        return invalid("expected an input of 3 or 4 dimensions, got " + core::describe(input));
    }
    return {};
}

/// `filter`: doubles, in the layout of dense::ConvolutionArguments.
core::Result<Tensor> sumsOf(KernelContext& context, const WholeConvolution& of, const Tensor& filter) {
    ET_ASSIGN(const Tensor input, quantized::centered(context, activations(of.input, of.layout),
                                                      static_cast<double>(of.inputZeroPoint)));
    ET_ASSIGN(const Tensor bias, quantized::doublesOf(context, viewOf(of.bias)));
    const std::size_t dims = spatialOf(input);
    return quantized::convolutionSums(context, {.input = input,
                                                .weight = filter,
                                                .bias = &bias,
                                                .stride = lastOf(of.stride, dims),
                                                .padding = lastOf(of.padding, dims),
                                                .dilation = lastOf(of.dilation, dims),
                                                .transposed = of.transposed,
                                                .outputPadding = lastOf(of.outputPadding, dims),
                                                .groups = of.groups});
}

/// Quantizes sums given in units of the bias scale.
core::Result<> quantizeSums(KernelContext& context, Tensor& sums, const PerChannel& scales, double outScale,
                            std::int64_t outZeroPoint, Layout layout, Tensor& out) {
    ET_ASSIGN(const auto range, quantized::rangeOf(out.dtype()));
    ET_ASSIGN(const WriteView to, results(sums, layout, out));
    quantized::changeByChannel(sums, 1, [&](double sum, std::int64_t channel) {
        const float real = static_cast<float>(sum) * static_cast<float>(scales[channel]);
        return quantized::quantizedFloat(real, outScale, outZeroPoint, range);
    });
    return quantized::storeDoubles(context, sums, to);
}

/// Returns the weights [out, in / groups, kernel…] as doubles. Errors: InvalidArgument (unsupported weight
/// shape), Limit.
core::Result<Tensor> filterOf(KernelContext& context, const Tensor& weight, const Tensor& input,
                              Layout layout) {
    ET_TRY(expectBatch(input));
    ET_ASSIGN(Tensor filter, quantized::doublesOf(context, weights(weight, input, layout)));
    if (filter.dim() == 0) {
        return invalid("weight: expected 3 or 4 dimensions, got " + core::describe(weight));
    }
    return filter;
}

/// Per-channel quantization parameters of a result.
struct ChannelParameters {
    PerChannel weightZeroPoints;
    PerChannel scales;
};

core::Result<> convolveWhole(KernelContext& context, const WholeConvolution& of, Tensor& filter,
                             const ChannelParameters& channels, double outScale, std::int64_t outZeroPoint,
                             Tensor& out) {
    quantized::changeByChannel(filter, 0, [&](double number, std::int64_t channel) {
        return number - channels.weightZeroPoints[channel];
    });
    ET_ASSIGN(Tensor sums, sumsOf(context, of, filter));
    return quantizeSums(context, sums, channels.scales, outScale, outZeroPoint, of.layout, out);
}

/// Multiplier and shift duplicate the scales, for devices without floating point.
template <Layout layout, NumberArgument Number, NumberArgument Scale>
core::Result<> convolutionOut(KernelContext& context, const Tensor& input, const Tensor& weight,
                              const Tensor& bias, IntList stride, IntList padding, IntList dilation,
                              std::int64_t groups, std::int64_t inputZeroPoint, Number weightZeroPoint,
                              Scale biasScale, double outScale, std::int64_t outZeroPoint,
                              Number /*multiplier*/, Number /*shift*/, Tensor& out) {
    ET_ASSIGN(Tensor filter, filterOf(context, weight, input, layout));
    ChannelParameters channels;
    ET_ASSIGN(channels.weightZeroPoints, quantized::perChannel(context, weightZeroPoint, filter.size(0)));
    ET_ASSIGN(channels.scales, quantized::perChannel(context, biasScale, filter.size(0)));
    return convolveWhole(context,
                         {.input = input,
                          .bias = bias,
                          .stride = stride,
                          .padding = padding,
                          .dilation = dilation,
                          .groups = groups,
                          .layout = layout,
                          .inputZeroPoint = inputZeroPoint},
                         filter, channels, outScale, outZeroPoint, out);
}

/// The same with an unused last argument.
template <Layout layout, NumberArgument Number, NumberArgument Scale>
core::Result<> offsetConvolutionOut(KernelContext& context, const Tensor& input, const Tensor& weight,
                                    const Tensor& bias, IntList stride, IntList padding, IntList dilation,
                                    std::int64_t groups, std::int64_t inputZeroPoint, Number weightZeroPoint,
                                    Scale biasScale, double outScale, std::int64_t outZeroPoint,
                                    Number multiplier, Number shift, const Tensor* /*offset*/, Tensor& out) {
    return convolutionOut<layout, Number, Scale>(context, input, weight, bias, stride, padding, dilation,
                                                 groups, inputZeroPoint, weightZeroPoint, biasScale, outScale,
                                                 outZeroPoint, multiplier, shift, out);
}

/// Views weights stored as [out / groups, in, kernel…] as [in, out / groups, kernel…] with the kernel
/// reversed.
ReadView transposedWeights(const Tensor& weight, Layout layout) {
    ReadView view = activations(weight, layout);
    for (std::size_t dim = 2; dim < view.dim(); ++dim) {
        view.reverse(dim);
    }
    view.swap(0, 1);
    return view;
}

core::Result<> transposedOut(KernelContext& context, const Tensor& input, const Tensor& weight,
                             const Tensor& bias, IntList stride, IntList padding, IntList dilation,
                             IntList outputPadding, std::int64_t groups, std::int64_t inputZeroPoint,
                             const Tensor* weightZeroPoint, const Tensor* biasScale, double outScale,
                             std::int64_t outZeroPoint, const Tensor& /*multiplier*/, const Tensor& /*shift*/,
                             bool channelLast, Tensor& out) {
    ET_TRY(expectBatch(input));
    ET_TRY(expectBatch(weight));
    const Layout layout = channelLast ? Layout::ChannelsLast : Layout::ChannelsFirst;
    ET_ASSIGN(const double zeroPoint, weightZeroPoint == nullptr ? core::Result<double>(0.0)
                                                                 : quantized::onlyNumber(*weightZeroPoint));
    ET_ASSIGN(const Tensor filter,
              quantized::centered(context, transposedWeights(weight, layout), zeroPoint));
    ET_ASSIGN(Tensor sums, sumsOf(context,
                                  {.input = input,
                                   .bias = bias,
                                   .stride = stride,
                                   .padding = padding,
                                   .dilation = dilation,
                                   .outputPadding = outputPadding,
                                   .groups = groups,
                                   .transposed = true,
                                   .layout = layout,
                                   .inputZeroPoint = inputZeroPoint},
                                  filter));
    ET_ASSIGN(const PerChannel scales, quantized::perChannel(context, biasScale, sums.size(1)));
    return quantizeSums(context, sums, scales, outScale, outZeroPoint, layout, out);
}

/// conv1d, conv2d and conv3d: same results as aten::convolution.
core::Result<> floatOut(KernelContext& context, const Tensor& input, const Tensor& weight, const Tensor* bias,
                        IntList stride, IntList padding, IntList dilation, std::int64_t groups, Tensor& out) {
    const std::size_t dims = spatialOf(input);
    return dense::convolve(context,
                           {.input = input,
                            .weight = weight,
                            .bias = bias,
                            .stride = lastOf(stride, dims),
                            .padding = lastOf(padding, dims),
                            .dilation = lastOf(dilation, dims),
                            .transposed = false,
                            .outputPadding = noOutputPadding,
                            .groups = groups},
                           out);
}

/// Float convolution, computed in double.
core::Result<> floatSums(KernelContext& context, const WholeConvolution& of, const ReadView& weight,
                         Tensor& out) {
    ET_ASSIGN(const Tensor filter, quantized::doublesOf(context, weight));
    ET_ASSIGN(const Tensor sums, sumsOf(context, of, filter));
    ET_ASSIGN(const WriteView to, results(sums, of.layout, out));
    return quantized::storeDoubles(context, sums, to);
}

core::Result<> layoutOut(KernelContext& context, const Tensor& input, const Tensor& weight,
                         const Tensor& bias, IntList stride, IntList padding, IntList dilation,
                         std::int64_t groups, bool channelLast, Tensor& out) {
    if (!channelLast) {
        return floatOut(context, input, weight, &bias, stride, padding, dilation, groups, out);
    }
    ET_TRY(expectBatch(input));
    return floatSums(context,
                     {.input = input,
                      .bias = bias,
                      .stride = stride,
                      .padding = padding,
                      .dilation = dilation,
                      .groups = groups,
                      .layout = Layout::ChannelsLast},
                     weights(weight, input, Layout::ChannelsLast), out);
}

core::Result<> transposedFloatOut(KernelContext& context, const Tensor& input, const Tensor& weight,
                                  const Tensor& bias, IntList stride, IntList padding, IntList dilation,
                                  IntList outputPadding, std::int64_t groups, bool channelLast, Tensor& out) {
    ET_TRY(expectBatch(input));
    ET_TRY(expectBatch(weight));
    const Layout layout = channelLast ? Layout::ChannelsLast : Layout::ChannelsFirst;
    return floatSums(context,
                     {.input = input,
                      .bias = bias,
                      .stride = stride,
                      .padding = padding,
                      .dilation = dilation,
                      .outputPadding = outputPadding,
                      .groups = groups,
                      .transposed = true,
                      .layout = layout},
                     transposedWeights(weight, layout), out);
}

/// 8-bit weights with one scale, [kernel, out, in], on float inputs [N, length, in]; results [N, out,
/// length].
core::Result<> mixedOut(KernelContext& context, const Tensor& input, const Tensor& weight, double weightScale,
                        const Tensor& bias, double biasScale, Tensor& out) {
    if (input.dim() != 3 || weight.dim() != 3) {
        return invalid("expected an input and a weight of 3 dimensions");
    }
    ReadView view = viewOf(weight);
    view.swap(0, 1);
    view.swap(1, 2);
    ET_ASSIGN(const Tensor from, quantized::doublesOf(context, activations(input, Layout::ChannelsLast)));
    ET_ASSIGN(Tensor filter, quantized::doublesOf(context, view));
    ET_ASSIGN(Tensor addend, quantized::doublesOf(context, viewOf(bias)));
    for (double& number : quantized::elementsOf(filter)) {
        number *= weightScale;
    }
    for (double& number : quantized::elementsOf(addend)) {
        number *= biasScale;
    }
    constexpr std::array<std::int64_t, 1> one{1};
    ET_ASSIGN(const Tensor sums, quantized::convolutionSums(context, {.input = from,
                                                                      .weight = filter,
                                                                      .bias = &addend,
                                                                      .stride = one,
                                                                      .padding = noOutputPadding,
                                                                      .dilation = one,
                                                                      .transposed = false,
                                                                      .outputPadding = noOutputPadding,
                                                                      .groups = 1}));
    ET_TRY(out.resize(sums.sizes()));
    return quantized::storeDoubles(context, sums, viewOf(out));
}

template <Layout layout>
constexpr Kernel perTensor = box<&convolutionOut<layout, std::int64_t, double>>;
template <Layout layout>
constexpr Kernel ofTensors = box<&convolutionOut<layout, const Tensor*, const Tensor*>>;

/// The operators before the offset argument was added.
constexpr KernelEntry plainLast{"cadence::quantized_conv2d_nhwc.per_tensor_out",
                                perTensor<Layout::ChannelsLast>};
constexpr KernelEntry plainFirst{"cadence::quantized_conv2d_nchw.per_tensor_out",
                                 perTensor<Layout::ChannelsFirst>};

constexpr Kernel first = perTensor<Layout::ChannelsFirst>;
constexpr Kernel last = perTensor<Layout::ChannelsLast>;
constexpr Kernel firstOfTensors = ofTensors<Layout::ChannelsFirst>;
constexpr Kernel lastOfTensors = ofTensors<Layout::ChannelsLast>;

constexpr std::array convolutionTable{
    KernelEntry{"cadence::quantized_conv2d_nchw.per_tensor_out",
                box<&offsetConvolutionOut<Layout::ChannelsFirst, std::int64_t, double>>,
                {},
                &plainFirst},
    KernelEntry{"cadence::quantized_conv2d_nhwc.per_tensor_out",
                box<&offsetConvolutionOut<Layout::ChannelsLast, std::int64_t, double>>,
                {},
                &plainLast},
    KernelEntry{"cadence::quantized_conv2d_nchw.out", firstOfTensors},
    KernelEntry{"cadence::quantized_conv2d_nhwc.out", lastOfTensors},
    KernelEntry{"cadence::quantized_conv_nchw.out", firstOfTensors},
    KernelEntry{"cadence::quantized_conv_nhwc.out", lastOfTensors},
    KernelEntry{"cadence::quantized_conv_nchw.per_tensor_out", first},
    KernelEntry{"cadence::quantized_conv_nhwc.per_tensor_out", last},
    KernelEntry{"cadence::quantized_conv2d_depthwise_nhwc.out", lastOfTensors},
    KernelEntry{"cadence::quantized_conv2d_depthwise_nhwc.per_tensor_out", last},
    KernelEntry{"cadence::quantized_conv1d_ncl.out", firstOfTensors},
    KernelEntry{"cadence::quantized_conv1d_nlc.out", lastOfTensors},
    KernelEntry{"cadence::quantized_conv1d_ncl.per_tensor_out", first},
    KernelEntry{"cadence::quantized_conv1d_nlc.per_tensor_out", last},
    KernelEntry{"cadence::quantized_depthwise_conv1d_ncl.out", firstOfTensors},
    KernelEntry{"cadence::quantized_depthwise_conv1d_nlc.out", lastOfTensors},
    KernelEntry{"cadence::quantized_depthwise_conv1d_ncl.per_tensor_out", first},
    KernelEntry{"cadence::quantized_depthwise_conv1d_nlc.per_tensor_out", last},
    KernelEntry{"cadence::quantized_conv2d_nchw_asym8sxsym8s_asym8s.per_tensor_out", first},
    KernelEntry{"cadence::quantized_conv2d_nchw_asym8uxsym8u_asym8u.per_tensor_out", first},
    KernelEntry{"cadence::quantized_conv2d_nhwc_asym8sxsym8s_asym8s.per_tensor_out", last},
    KernelEntry{"cadence::quantized_conv2d_nhwc_asym8uxsym8u_asym8u.per_tensor_out", last},
    KernelEntry{"cadence::quantized_conv2d_nchw_dilated_asym8sxsym8s_asym8s.per_tensor_out", first},
    KernelEntry{"cadence::quantized_conv2d_nchw_dilated_asym8uxsym8u_asym8u.per_tensor_out", first},
    KernelEntry{"cadence::quantized_conv2d_nhwc_dilated_asym8sxsym8s_asym8s.per_tensor_out", last},
    KernelEntry{"cadence::quantized_conv2d_nhwc_dilated_asym8uxsym8u_asym8u.per_tensor_out", last},
    KernelEntry{"cadence::quantized_conv2d_nchw_depthwise_asym8sxsym8s_asym8s.per_tensor_out", first},
    KernelEntry{"cadence::quantized_conv2d_nchw_depthwise_asym8uxsym8u_asym8u.per_tensor_out", first},
    KernelEntry{"cadence::quantized_conv2d_nhwc_depthwise_asym8sxsym8s_asym8s.per_tensor_out", last},
    KernelEntry{"cadence::quantized_conv2d_nhwc_depthwise_asym8uxsym8u_asym8u.per_tensor_out", last},
    KernelEntry{"cadence::quantized_conv1d_ncl_asym8sxsym8s_asym8s.per_tensor_out", first},
    KernelEntry{"cadence::quantized_conv1d_ncl_asym8uxsym8u_asym8u.per_tensor_out", first},
    KernelEntry{"cadence::quantized_conv1d_nlc_asym8sxsym8s_asym8s.per_tensor_out", last},
    KernelEntry{"cadence::quantized_conv1d_nlc_asym8uxsym8u_asym8u.per_tensor_out", last},
    KernelEntry{"cadence::quantized_transposed_conv.out", box<&transposedOut>},
    KernelEntry{"cadence::quantized_w8a32_conv.out", box<&mixedOut>},
    KernelEntry{"cadence::conv1d.out", box<&floatOut>},
    KernelEntry{"cadence::conv2d.out", box<&floatOut>},
    KernelEntry{"cadence::conv3d.out", box<&floatOut>},
    KernelEntry{"cadence::convolution.out", box<&layoutOut>},
    KernelEntry{"cadence::transposed_convolution.out", box<&transposedFloatOut>},
};

}  // namespace

std::span<const KernelEntry> convolutionEntries() {
    return convolutionTable;
}

}  // namespace et::kernels::cadence
