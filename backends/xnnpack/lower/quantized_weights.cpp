#include "backends/xnnpack/lower/quantized_weights.h"

#include "backends/lowering/node_arguments.h"
#include "backends/xnnpack/lower/quantizers.h"

#include <algorithm>
#include <cmath>
#include <utility>

namespace et::backends::xnnpack {

using core::Result;
using etrecord::Node;
using lowering::findArgument;
using lowering::valueName;
using reference::ReferenceTensor;

namespace {

/// Whether all zero points are 0, or missing.
Result<bool> isSymmetric(Constants& constants, std::string_view zeroPoints) {
    if (zeroPoints.empty()) {
        return true;
    }
    ET_ASSIGN(const ReferenceTensor tensor, constants.get(zeroPoints));
    return std::ranges::all_of(tensor.view.rawBytes(), [](std::byte each) { return each == std::byte{0}; });
}

std::optional<std::vector<float>> floatsOf(const ReferenceTensor& tensor) {
    if (!core::isFloating(tensor.view.dtype())) {
        return std::nullopt;
    }
    std::vector<float> out;
    core::visitRealType(
        tensor.view.dtype(),
        [&]<class T>(std::type_identity<T>) {
            const std::span<const T> elements(tensor.view.data<T>(),
                                              static_cast<std::size_t>(tensor.view.numel()));
            std::ranges::transform(elements, std::back_inserter(out),
                                   [](T element) { return static_cast<float>(element); });
        },
        [] {});
    const bool good = std::ranges::all_of(out, [](float scale) { return std::isnormal(scale) && scale > 0; });
    return good ? std::optional(std::move(out)) : std::nullopt;
}

/// Elements of an output that share a scale; 0: all; nothing: blocks across outputs.
std::optional<std::uint32_t> blockOf(const Node& node, std::span<const std::int64_t> sizes) {
    const auto block = lowering::integersArgument(node, "block_size");
    if (!block || block->size() != sizes.size() || sizes.size() != 2 || (*block)[0] != 1 || (*block)[1] < 1 ||
        sizes[1] % (*block)[1] != 0) {
        return std::nullopt;
    }
    return (*block)[1] == sizes[1] ? 0 : static_cast<std::uint32_t>((*block)[1]);
}

}  // namespace

Result<std::optional<QuantizedWeight>> quantizedWeight(const lowering::EdgeMethod& method,
                                                       Constants& constants, std::string_view value,
                                                       std::size_t outputDim) {
    const auto producer = method.producer(value);
    if (!producer || !constants.has(value)) {
        return std::nullopt;
    }
    const Node& node = method.node(*producer);
    const QuantizerKind kind = quantizerKind(method, node);
    QuantizedWeight weight{.elements = valueName(findArgument(node, "input")), .scales = {}};
    if (kind == QuantizerKind::None || !constants.has(weight.elements)) {
        return std::nullopt;
    }
    ET_ASSIGN(const ReferenceTensor elements, constants.get(weight.elements));
    const auto* meta = method.meta(value);
    const bool same = meta != nullptr &&
                      std::ranges::equal(meta->sizes, elements.view.sizes(), {}, &etrecord::SymInt::value);
    if (!same || elements.view.dtype() != core::ScalarType::Char || elements.view.dim() <= outputDim) {
        return std::nullopt;
    }
    const auto outputs = static_cast<std::size_t>(elements.view.size(outputDim));
    if (kind == QuantizerKind::Dequantize) {
        const auto scale = tensorScale(method, node);
        if (!scale || scale->zeroPoint != 0) {
            return std::nullopt;
        }
        weight.scales.assign(outputs, scale->scale);
        return weight;
    }
    const bool channels = kind == QuantizerKind::DequantizeChannels;
    ET_ASSIGN(const bool symmetric,
              isSymmetric(constants, valueName(findArgument(node, channels ? "zero_points" : "zero_point"))));
    const std::string_view scaleName = valueName(findArgument(node, channels ? "scales" : "scale"));
    if (!symmetric || !constants.has(scaleName)) {
        return std::nullopt;
    }
    ET_ASSIGN(const ReferenceTensor scaleTensor, constants.get(scaleName));
    auto scales = floatsOf(scaleTensor);
    if (channels) {
        const auto axis = lowering::integerArgument(node, "axis");
        if (!scales || !axis || std::cmp_not_equal(*axis, outputDim) || scales->size() != outputs) {
            return std::nullopt;
        }
        weight.scales = *std::move(scales);
        return weight;
    }
    const std::vector<std::int64_t> sizes(elements.view.sizes().begin(), elements.view.sizes().end());
    const auto block = blockOf(node, sizes);
    weight.fourBits = lowering::integerArgument(node, "quant_max").value_or(0) == 7 &&
                      lowering::integerArgument(node, "quant_min").value_or(0) == -8;
    const std::size_t count =
        block && *block != 0 ? outputs * static_cast<std::size_t>(sizes[1]) / *block : outputs;
    if (!scales || !block || outputDim != 0 || scales->size() != count || (*block != 0 && !weight.fourBits) ||
        (weight.fourBits && sizes[1] % 2 != 0)) {
        return std::nullopt;
    }
    weight.blockSize = *block;
    weight.scales = *std::move(scales);
    return weight;
}

std::vector<std::byte> packedNibbles(std::span<const std::int8_t> elements) {
    constexpr int zero = 8;
    const auto nibble = [&](std::size_t at) {
        return at < elements.size() ? static_cast<unsigned>(elements[at] + zero) & 0xFU : 0U;
    };
    std::vector<std::byte> packed((elements.size() + 1) / 2);
    for (std::size_t i = 0; i < packed.size(); ++i) {
        packed[i] = static_cast<std::byte>(nibble(2 * i) | nibble(2 * i + 1) << 4U);
    }
    return packed;
}

}  // namespace et::backends::xnnpack
