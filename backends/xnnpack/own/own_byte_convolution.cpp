#include "backends/xnnpack/own/own_byte_convolution.h"

#include "backends/xnnpack/own/own_image_convolution.h"
#include "runtime/kernels/quantized/byte_convolution.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <variant>

namespace et::backends::xnnpack {
namespace {

using kernels::quantized::ByteConvolution;

const PerTensorQuantization* parametersOf(const PayloadValue& value) {
    return std::get_if<PerTensorQuantization>(&value.quantization);
}

/// Bytes that are given or computed.
bool isByteImage(const PayloadValue& value) {
    return value.datatype == Datatype::QInt8 && value.constant == 0 && parametersOf(value) != nullptr;
}

/// A scale for each output, or one for all.
bool isByteFilter(const PayloadValue& value) {
    const auto* const channels = std::get_if<PerChannelQuantization>(&value.quantization);
    const PerTensorQuantization* const whole = parametersOf(value);
    return value.constant != 0 &&
           ((value.datatype == Datatype::QCInt8 && channels != nullptr && channels->channelDim == 0) ||
            (value.datatype == Datatype::QInt8 && whole != nullptr && whole->zeroPoint == 0));
}

bool hasByteFilter(const Payload& payload, const PayloadNode& node) {
    const auto isBias = [&](ValueIndex value) {
        return value == noValue ||
               (payload.value(value).constant != 0 && (payload.value(value).datatype == Datatype::QCInt32 ||
                                                       payload.value(value).datatype == Datatype::QInt32));
    };
    return node.flags == 0 && isByteImage(payload.value(node.inputs[0])) &&
           isByteImage(payload.value(node.outputs[0])) && isByteFilter(payload.value(node.inputs[1])) &&
           isBias(node.inputs[2]);
}

/// What was measured: see docs/performance.md.
bool isThin(const ConvolutionFields& fields) {
    constexpr std::uint32_t few = 8;
    constexpr std::uint32_t fewForTiles = 16;
    const std::uint32_t inputs = fields.groupInputChannels;
    const bool isPointwise = fields.kernel.height * fields.kernel.width == 1;
    return (inputs <= few && !isPointwise) ||
           (kernels::quantized::hasByteTiles() &&
            (inputs <= fewForTiles ||
             (isPointwise && inputs <= 2 * fewForTiles && fields.groupOutputChannels <= fewForTiles)));
}

/// As the library rounds the bounds of an activation.
std::int8_t boundOf(float bound, const PerTensorQuantization& to) {
    const float steps = bound / to.scale + static_cast<float>(to.zeroPoint);
    constexpr float low = std::numeric_limits<std::int8_t>::min();
    constexpr float high = std::numeric_limits<std::int8_t>::max();
    return static_cast<std::int8_t>(std::lrint(std::min(std::max(steps, low), high)));
}

std::vector<float> scalesOf(const OwnNode::Source& source, const PayloadNode& node) {
    const float input = parametersOf(source.payload.value(node.inputs[0]))->scale;
    const float output = parametersOf(source.payload.value(node.outputs[0]))->scale;
    const PayloadValue& filter = source.payload.value(node.inputs[1]);
    const std::span<const float> channels = source.constants.channelScales(node.inputs[1]);
    std::vector<float> scales(std::get<ConvolutionFields>(node.fields).groupOutputChannels);
    for (std::size_t i = 0; i < scales.size(); ++i) {
        const PerTensorQuantization* const whole = parametersOf(filter);
        scales[i] = input * (whole != nullptr ? whole->scale : channels[i]) / output;
    }
    return scales;
}

}  // namespace

bool isThinByteConvolution(const Payload& payload, const PayloadNode& node, const Shapes& shapes) {
    // Less is not worth the parts that the library's graph then falls into.
    constexpr std::size_t leastProducts = std::size_t{1} << 19U;
    // Then each sum is a whole number that fp32 holds.
    constexpr std::size_t mostTaken = std::size_t{1} << 9U;
    constexpr std::uint32_t longestStep = 16;
    const auto* const fields = std::get_if<ConvolutionFields>(&node.fields);
    if (node.traits->form() != NodeForm::Convolution || fields == nullptr ||
        !kernels::quantized::hasFastByteConvolution() || !hasByteFilter(payload, node)) {
        return false;
    }
    const std::size_t taken =
        std::size_t{fields->kernel.height} * fields->kernel.width * fields->groupInputChannels;
    return fields->groups == 1 && fields->dilation.width == 1 && fields->stride.width <= longestStep &&
           isThin(*fields) && taken <= mostTaken &&
           elementsOf(shapes[node.outputs[0]]) * taken >= leastProducts;
}

std::unique_ptr<OwnNode> makeThinByteConvolution(const OwnNode::Source& source, const PayloadNode& node) {
    const auto shape = imageConvolutionOf(node);
    const PerTensorQuantization& to = *parametersOf(source.payload.value(node.outputs[0]));
    const OutputRange range = node.range.value_or(OutputRange{});
    const std::vector<float> scales = scalesOf(source, node);
    const bool isByChannel = source.payload.value(node.inputs[1]).datatype == Datatype::QCInt8;
    const ValueIndex bias = node.inputs[2];
    return std::make_unique<OwnImageConvolution<ByteConvolution>>(
        source, node, convolutionName(shape, isByChannel ? "QC8" : "QS8"),
        ByteConvolution(
            shape, {.weights = static_cast<const std::int8_t*>(source.constants.data(node.inputs[1])),
                    .bias = bias == noValue ? nullptr
                                            : static_cast<const std::int32_t*>(source.constants.data(bias)),
                    .scales = scales.data(),
                    .inputZero = parametersOf(source.payload.value(node.inputs[0]))->zeroPoint,
                    .outputZero = to.zeroPoint,
                    .low = boundOf(range.min, to),
                    .high = boundOf(range.max, to)}));
}

}  // namespace et::backends::xnnpack
