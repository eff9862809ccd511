#include "backends/xnnpack/own/own_byte_convolution.h"

#include "backends/xnnpack/own/own_image_convolution.h"
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

/// Bytes that are given or computed.
bool isByteImage(const PayloadValue& value) {
    return value.datatype == Datatype::QInt8 && value.constant == 0 && parametersOf(value) != nullptr;
}

/// A scale for each output, which are along `outputs`, or one for all.
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

/// An image of one channel, of which many are made: a dense convolution, although the exporter calls it a
/// depthwise one.
bool isOfOneChannel(const PayloadNode& node) {
    return isDepthwise(node) && std::get<ConvolutionFields>(node.fields).groups == 1;
}

/// What both kernels take: signed bytes, constant weights, and nothing that the library would do besides.
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

/// Products that an output is the sum of.
std::size_t takenBy(const ConvolutionFields& fields) {
    return std::size_t{fields.kernel.height} * fields.kernel.width * fields.groupInputChannels;
}

/// What was measured: see docs/performance.md.
bool isThin(const ConvolutionFields& fields) {
    // Then each sum is a whole number that fp32 holds.
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

/// One output a channel, of a kernel that is not too large.
bool isDepthwiseOfBytes(const ConvolutionFields& fields) {
    constexpr std::uint32_t most = kernels::quantized::maxDepthwiseHeight;
    return fields.groupInputChannels == 1 && fields.groupOutputChannels == 1 &&
           fields.kernel.width <= ByteDepthwise::maxWidth && fields.kernel.height <= most &&
           std::size_t{fields.kernel.height - 1} * fields.dilation.height <
               kernels::quantized::maxDepthwiseRows &&
           fields.stride.width <= most;
}

/// As the library rounds the bounds of an activation.
std::int8_t boundOf(float bound, const PerTensorQuantization& to) {
    const float steps = bound / to.scale + static_cast<float>(to.zeroPoint);
    constexpr float low = std::numeric_limits<std::int8_t>::min();
    constexpr float high = std::numeric_limits<std::int8_t>::max();
    return static_cast<std::int8_t>(std::lrint(std::min(std::max(steps, low), high)));
}

/// [1, height, width, outputs] as [outputs, height, width, 1].
std::vector<std::int8_t> denseFilter(const std::int8_t* filter, std::size_t taps, std::size_t outputs) {
    std::vector<std::int8_t> made(taps * outputs);
    for (std::size_t output = 0; output < outputs; ++output) {
        for (std::size_t tap = 0; tap < taps; ++tap) {
            made[output * taps + tap] = filter[tap * outputs + output];
        }
    }
    return made;
}

std::vector<float> scalesOf(const OwnNode::Source& source, const PayloadNode& node) {
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
    // Less is not worth the parts that the library's graph then falls into.
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

std::unique_ptr<OwnNode> makeFasterByteConvolution(const OwnNode::Source& source, const PayloadNode& node) {
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
    const ImageConvolution shape = imageConvolutionOf(node);
    const bool isByChannel = source.payload.value(node.inputs[1]).datatype == Datatype::QCInt8;
    const ConvolutionName name = convolutionName(node, isByChannel ? "QC8" : "QS8");
    if (isDepthwise(node) && !isOfOneChannel(node)) {
        return std::make_unique<OwnImageConvolution<ByteDepthwise>>(source, node, name,
                                                                    ByteDepthwise(shape, filter));
    }
    std::vector<std::int8_t> dense;
    if (isOfOneChannel(node)) {
        dense = denseFilter(filter.weights, shape.height.kernel * shape.width.kernel, scales.size());
        filter.weights = dense.data();
    }
    return std::make_unique<OwnImageConvolution<ByteConvolution>>(source, node, name,
                                                                  ByteConvolution(shape, filter));
}

}  // namespace et::backends::xnnpack
