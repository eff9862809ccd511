#include "backends/xnnpack/lower/part_constants.h"

#include "backends/lowering/permute_elements.h"
#include "runtime/kernels/half_conversion.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <cstring>
#include <limits>
#include <utility>

namespace et::backends::xnnpack {

using core::ErrorCode;
using core::fail;
using core::Result;

namespace {

bool isComputedType(core::ScalarType type) {
    return type == core::ScalarType::Float || core::isReducedFloat(type) || type == core::ScalarType::Char;
}

template <class T>
lowering::PartConstant roundedTo(std::span<const float> numbers) {
    std::vector<T> narrow(numbers.size());
    kernels::floatsTo(numbers.data(), narrow.data(), narrow.size());
    const core::Bytes bytes = std::as_bytes(std::span(narrow));
    return {.dtype = core::scalarTypeOf<T>, .sizes = {}, .elements = {bytes.begin(), bytes.end()}};
}

/// Numbers as elements of Fp32, Fp16 or BFloat16.
lowering::PartConstant storedNumbers(std::span<const float> numbers, Datatype datatype) {
    if (datatype == Datatype::Fp16) {
        return roundedTo<core::Half>(numbers);
    }
    if (datatype == Datatype::BFloat16) {
        return roundedTo<core::BFloat16>(numbers);
    }
    const core::Bytes bytes = std::as_bytes(numbers);
    return {.dtype = core::ScalarType::Float, .sizes = {}, .elements = {bytes.begin(), bytes.end()}};
}

}  // namespace

Result<std::vector<float>> PartConstants::floats(std::string_view value) {
    ET_ASSIGN(const auto tensor, constants.get(value));
    std::vector<float> out(static_cast<std::size_t>(tensor.view.numel()));
    if (tensor.view.dtype() == core::ScalarType::Float) {
        std::memcpy(out.data(), tensor.view.raw(), tensor.view.bytes());
    } else if (tensor.view.dtype() == core::ScalarType::Half) {
        kernels::floatsFrom(tensor.view.data<core::Half>(), out.data(), out.size());
    } else if (tensor.view.dtype() == core::ScalarType::BFloat16) {
        kernels::floatsFrom(tensor.view.data<core::BFloat16>(), out.data(), out.size());
    } else {
        return fail(ErrorCode::Unsupported, fmt::format("the constant \"{}\" is {}", core::printable(value),
                                                        core::scalarTypeName(tensor.view.dtype())));
    }
    return out;
}

ValueIndex PartConstants::weights(std::span<const float> elements, std::vector<std::uint32_t> sizes,
                                  std::string_view hint, Datatype datatype) {
    return draft.constant({.datatype = datatype, .sizes = std::move(sizes), .quantization = {}},
                          store.add(storedNumbers(elements, datatype).elements, hint));
}

Result<std::optional<QuantizedWeight>> PartConstants::integerWeight(std::string_view value,
                                                                    std::size_t outputDim) {
    return quantizedWeight(graph.edge(), constants, value, outputDim);
}

Result<ValueIndex> PartConstants::integerFilter(const QuantizedWeight& weight,
                                                std::span<const std::uint8_t> order,
                                                std::uint32_t outputDim) {
    ET_ASSIGN(const auto tensor, constants.get(weight.elements));
    std::vector<std::int64_t> sizes(tensor.view.sizes().begin(), tensor.view.sizes().end());
    if (sizes.size() + 1 == order.size()) {  // 1-d weights, as images of height 1
        sizes.insert(sizes.begin() + 2, 1);
    }
    std::vector<std::uint32_t> shape;
    for (const std::uint8_t dim : order) {
        shape.push_back(static_cast<std::uint32_t>(sizes[dim]));
    }
    std::vector<std::byte> bytes = lowering::permuteElements(tensor.view.rawBytes(), 1, sizes, order);
    if (weight.fourBits) {
        bytes = packedNibbles({reinterpret_cast<const std::int8_t*>(bytes.data()), bytes.size()});
    }
    DraftValue value{
        .datatype = weight.fourBits ? Datatype::QCInt4 : Datatype::QCInt8,
        .sizes = std::move(shape),
        .quantization = PerChannelQuantization{.channelDim = outputDim, .scales = weight.scales}};
    if (weight.blockSize != 0) {
        const auto scales = storedNumbers(weight.scales, Datatype::BFloat16).elements;
        value.datatype = Datatype::QBInt4;
        value.quantization = BlockwiseQuantization{
            .channelDim = outputDim,
            .blockSize = weight.blockSize,
            .scales = {},
            .scaleConstant =
                draft.namedConstant(store.add(scales, fmt::format("{}.scales", weight.elements))),
            .scaleCount = static_cast<std::uint32_t>(weight.scales.size())};
    }
    return draft.constant(std::move(value), store.add(bytes, weight.elements));
}

ValueIndex PartConstants::integerBias(std::span<const float> bias, float inputScale,
                                      std::span<const float> weightScales, std::string_view hint) {
    constexpr double low = std::numeric_limits<std::int32_t>::min();
    constexpr double high = std::numeric_limits<std::int32_t>::max();
    std::vector<std::int32_t> elements;
    PerChannelQuantization quantization;
    for (std::size_t i = 0; i < bias.size(); ++i) {
        const float scale = inputScale * weightScales[i];
        quantization.scales.push_back(scale);
        const double steps = std::nearbyint(static_cast<double>(bias[i]) / static_cast<double>(scale));
        elements.push_back(static_cast<std::int32_t>(std::clamp(steps, low, high)));
    }
    const auto count = static_cast<std::uint32_t>(bias.size());
    return draft.constant(
        {.datatype = Datatype::QCInt32, .sizes = {count}, .quantization = std::move(quantization)},
        store.add(std::as_bytes(std::span(elements)), fmt::format("{}.int32", hint)));
}

/// A constant that nodes read in each run.
Result<reference::ReferenceTensor> PartConstants::tensor(std::string_view value) {
    ET_ASSIGN(auto tensor, constants.get(value));
    const auto* meta = graph.edge().meta(value);
    if (meta == nullptr || meta->scalarType != std::to_underlying(tensor.view.dtype()) ||
        !isComputedType(tensor.view.dtype())) {
        return fail(ErrorCode::Unsupported, fmt::format("the constant \"{}\" is {}", core::printable(value),
                                                        core::scalarTypeName(tensor.view.dtype())));
    }
    return tensor;
}

Result<ValueIndex> PartConstants::argument(std::string_view value, Layout layout) {
    ET_ASSIGN(const auto read, tensor(value));
    const std::vector<std::int64_t> sizes(read.view.sizes().begin(), read.view.sizes().end());
    const core::Bytes bytes = read.view.rawBytes();
    lowering::PartConstant kept{.dtype = read.view.dtype(), .sizes = {}, .elements = {}};
    if (layout == Layout::ChannelsLast) {
        kept.elements = lowering::permuteElements(bytes, read.view.elementSize(), sizes, channelsLastOrder);
    } else {
        kept.elements.assign(bytes.begin(), bytes.end());
    }
    return addArgument(graph.describe(value, layout), std::move(kept));
}

Result<ValueIndex> PartConstants::perChannel(std::string_view value, std::size_t rank, Layout layout) {
    ET_ASSIGN(const auto read, tensor(value));
    const core::Bytes bytes = read.view.rawBytes();
    DraftValue made{.datatype = graph.datatypeOf(value),
                    .sizes = {static_cast<std::uint32_t>(read.view.numel())},
                    .quantization = {}};
    const bool channelsLast = layout == Layout::ChannelsLast && rank == imageRank;
    if (!channelsLast && rank > 1) {
        made.sizes.resize(rank - 1, 1);
    }
    return addArgument(std::move(made),
                       {.dtype = read.view.dtype(), .sizes = {}, .elements = {bytes.begin(), bytes.end()}});
}

ValueIndex PartConstants::number(float number, Datatype datatype) {
    return addArgument({.datatype = datatype, .sizes = {}, .quantization = {}},
                       storedNumbers(std::span(&number, 1), datatype));
}

/// Sizes are in memory order.
ValueIndex PartConstants::addArgument(DraftValue value, lowering::PartConstant constant) {
    constant.sizes.assign(value.sizes.begin(), value.sizes.end());
    arguments.push_back(std::move(constant));
    inputs.push_back(draft.value(std::move(value)));
    return inputs.back();
}

std::vector<lowering::PartConstant> PartConstants::takeArguments() {
    for (const ValueIndex input : inputs) {
        draft.markInput(input);
    }
    return std::move(arguments);
}

}  // namespace et::backends::xnnpack
