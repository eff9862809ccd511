#include "backends/xnnpack/custom_kernels/custom_byte_convolution.h"

#include "backends/xnnpack/custom_kernels/custom_image_convolution.h"
#include "runtime/kernels/quantized/byte_convolution.h"
#include "runtime/kernels/quantized/byte_depthwise.h"
#include "runtime/kernels/quantized/byte_depthwise_vectors.h"

#include <xnnpack.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <variant>

namespace et::backends::xnnpack {
namespace {

using kernels::dense::ImageConvolution;
using kernels::quantized::ByteConvolution;
using kernels::quantized::ByteDepthwise;
using kernels::quantized::ByteFilter;

const PerTensorQuantization* parametersOf(const PayloadValue& value) {
    return std::get_if<PerTensorQuantization>(&value.quantization);
}

/// Byte image that is an input or computed.
bool isByteImage(const PayloadValue& value) {
    return value.datatype == Datatype::QInt8 && value.constant == 0 && parametersOf(value) != nullptr;
}

/// A filter with one scale per output, along dimension `outputs`, or a single scale.
bool isByteFilter(const PayloadValue& value, std::uint32_t outputs) {
    const auto* const channels = std::get_if<PerChannelQuantization>(&value.quantization);
    const PerTensorQuantization* const whole = parametersOf(value);
    return value.constant != 0 &&
           ((value.datatype == Datatype::QCInt8 && channels != nullptr && channels->channelDim == outputs) ||
            (value.datatype == Datatype::QInt8 && whole != nullptr && whole->zeroPoint == 0));
}

bool isDepthwise(const PayloadNode& node) {
    return node.traits->form() == NodeForm::DepthwiseConvolution;
}

/// A convolution from one channel to many: dense, although the exporter calls it depthwise.
bool isOfOneChannel(const PayloadNode& node) {
    return isDepthwise(node) && std::get<ConvolutionFields>(node.fields).groups == 1;
}

/// Requirements of both kernels: signed bytes, constant weights, and no further work that the library would
/// do.
bool hasByteFilter(const Payload& payload, const PayloadNode& node) {
    constexpr std::uint32_t lastDim = 3;
    const auto isBias = [&](ValueIndex value) {
        return value == noValue ||
               (payload.value(value).constant != 0 && (payload.value(value).datatype == Datatype::QCInt32 ||
                                                       payload.value(value).datatype == Datatype::QInt32));
    };
    const std::uint32_t expected = isDepthwise(node) ? XNN_FLAG_DEPTHWISE_CONVOLUTION : 0;
    return (node.flags & ~expected) == 0 && isByteImage(payload.value(node.inputs[0])) &&
           isByteImage(payload.value(node.outputs[0])) &&
           isByteFilter(payload.value(node.inputs[1]), isDepthwise(node) ? lastDim : 0) &&
           isBias(node.inputs[2]);
}

/// Number of products summed per output.
std::size_t takenBy(const ConvolutionFields& fields) {
    return std::size_t{fields.kernel.height} * fields.kernel.width * fields.groupInputChannels;
}

/// Limits from measurements: see docs/explanation/performance.md.
bool isThin(const ConvolutionFields& fields) {
    // Up to this, fp32 represents each sum exactly.
    constexpr std::size_t mostTaken = std::size_t{1} << 9U;
    constexpr std::uint32_t longestStep = 16;
    constexpr std::uint32_t few = 8;
    constexpr std::uint32_t fewForTiles = 16;
    const std::uint32_t inputs = fields.groupInputChannels;
    const bool isPointwise = fields.kernel.height * fields.kernel.width == 1;
    const bool isFewForTiles = inputs <= fewForTiles || (isPointwise && inputs <= 2 * fewForTiles &&
                                                         fields.groupOutputChannels <= fewForTiles);
    return fields.groups == 1 && fields.stride.width <= longestStep && takenBy(fields) <= mostTaken &&
           ((inputs <= few && !isPointwise) || (kernels::quantized::hasByteTiles() && isFewForTiles));
}

/// One output per channel, and a kernel within the size limit.
bool isDepthwiseOfBytes(const ConvolutionFields& fields) {
    constexpr std::uint32_t most = kernels::quantized::maxDepthwiseHeight;
    return fields.groupInputChannels == 1 && fields.groupOutputChannels == 1 &&
           fields.kernel.width <= ByteDepthwise::maxWidth && fields.kernel.height <= most &&
           std::size_t{fields.kernel.height - 1} * fields.dilation.height <
               kernels::quantized::maxDepthwiseRows &&
           fields.stride.width <= most;
}

/// Rounds a bound of an activation like the library.
std::int8_t boundOf(float bound, const PerTensorQuantization& to) {
    const float steps = bound / to.scale + static_cast<float>(to.zeroPoint);
    constexpr float low = std::numeric_limits<std::int8_t>::min();
    constexpr float high = std::numeric_limits<std::int8_t>::max();
    return static_cast<std::int8_t>(std::lrint(std::min(std::max(steps, low), high)));
}

/// Transposes [1, height, width, outputs] to [outputs, height, width, 1].
std::vector<std::int8_t> denseFilter(const std::int8_t* filter, std::size_t taps, std::size_t outputs) {
    std::vector<std::int8_t> made(taps * outputs);
    for (std::size_t output = 0; output < outputs; ++output) {
        for (std::size_t tap = 0; tap < taps; ++tap) {
            made[output * taps + tap] = filter[tap * outputs + output];
        }
    }
    return made;
}

std::vector<float> scalesOf(const CustomNode::Source& source, const PayloadNode& node) {
    const float input = parametersOf(source.payload.value(node.inputs[0]))->scale;
    const float output = parametersOf(source.payload.value(node.outputs[0]))->scale;
    const PayloadValue& filter = source.payload.value(node.inputs[1]);
    const std::span<const float> channels = source.constants.channelScales(node.inputs[1]);
    const auto& fields = std::get<ConvolutionFields>(node.fields);
    std::vector<float> scales(std::size_t{fields.groups} * fields.groupOutputChannels);
    for (std::size_t i = 0; i < scales.size(); ++i) {
        const PerTensorQuantization* const whole = parametersOf(filter);
        scales[i] = input * (whole != nullptr ? whole->scale : channels[i]) / output;
    }
    return scales;
}

}  // namespace

bool isFasterByteConvolution(const Payload& payload, const PayloadNode& node, const Shapes& shapes) {
    // Fewer products are not worth splitting the library's graph.
    constexpr std::size_t leastProducts = std::size_t{1} << 16U;
    constexpr std::size_t leastOfDepthwise = std::size_t{1} << 17U;
    const auto* const fields = std::get_if<ConvolutionFields>(&node.fields);
    if (fields == nullptr || !kernels::quantized::hasFastByteConvolution() || fields->dilation.width != 1 ||
        !hasByteFilter(payload, node)) {
        return false;
    }
    const std::size_t products = elementsOf(shapes[node.outputs[0]]) * takenBy(*fields);
    switch (node.traits->form()) {
        case NodeForm::Convolution:
            return products >= leastProducts && isThin(*fields) && needsLittle<ByteConvolution>(node, shapes);
        case NodeForm::DepthwiseConvolution:
            if (isOfOneChannel(node)) {
                return products >= leastProducts && isThin(*fields) &&
                       needsLittle<ByteConvolution>(node, shapes);
            }
            return products >= leastOfDepthwise && isDepthwiseOfBytes(*fields) &&
                   needsLittle<ByteDepthwise>(node, shapes);
        default:
            return false;
    }
}

std::unique_ptr<CustomNode> makeFasterByteConvolution(const CustomNode::Source& source,
                                                      const PayloadNode& node) {
    const PerTensorQuantization& to = *parametersOf(source.payload.value(node.outputs[0]));
    const OutputRange range = node.range.value_or(OutputRange{});
    const std::vector<float> scales = scalesOf(source, node);
    const ValueIndex bias = node.inputs[2];
    ByteFilter filter{
        .weights = static_cast<const std::int8_t*>(source.constants.data(node.inputs[1])),
        .bias = bias == noValue ? nullptr : static_cast<const std::int32_t*>(source.constants.data(bias)),
        .scales = scales.data(),
        .inputZero = parametersOf(source.payload.value(node.inputs[0]))->zeroPoint,
        .outputZero = to.zeroPoint,
        .low = boundOf(range.min, to),
        .high = boundOf(range.max, to)};
    const ImageConvolution shape = makeImageConvolution(node);
    const bool isByChannel = source.payload.value(node.inputs[1]).datatype == Datatype::QCInt8;
    const ConvolutionName name = convolutionName(node, isByChannel ? "QC8" : "QS8");
    if (isDepthwise(node) && !isOfOneChannel(node)) {
        return std::make_unique<CustomImageConvolution<ByteDepthwise>>(source, node, name,
                                                                       ByteDepthwise(shape, filter));
    }
    std::vector<std::int8_t> dense;
    if (isOfOneChannel(node)) {
        dense = denseFilter(filter.weights, shape.height.kernel * shape.width.kernel, scales.size());
        filter.weights = dense.data();
    }
    return std::make_unique<CustomImageConvolution<ByteConvolution>>(source, node, name,
                                                                     ByteConvolution(shape, filter));
}

}  // namespace et::backends::xnnpack
