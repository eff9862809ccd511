#include "backends/lowering/permute_elements.h"
#include "backends/xnnpack/lower/part_conversion.h"
#include "runtime/kernels/half_conversion.h"

#include <fmt/format.h>

#include <array>
#include <cstring>
#include <utility>

// Constants that a part reads: weights, which nodes pack, and arguments, which they read in each run.
namespace et::backends::xnnpack {

using core::ErrorCode;
using core::fail;
using core::Result;

namespace {

bool isComputedType(core::ScalarType type) {
    return type == core::ScalarType::Float || type == core::ScalarType::Half ||
           type == core::ScalarType::Char;
}

}  // namespace

Result<std::vector<float>> PartConversion::floats(std::string_view value) {
    ET_ASSIGN(const auto tensor, constants.get(value));
    std::vector<float> out(static_cast<std::size_t>(tensor.view.numel()));
    if (tensor.view.dtype() == core::ScalarType::Float) {
        std::memcpy(out.data(), tensor.view.raw(), tensor.view.bytes());
    } else if (tensor.view.dtype() == core::ScalarType::Half) {
        kernels::floatsFrom(tensor.view.data<core::Half>(), out.data(), out.size());
    } else {
        return fail(ErrorCode::Unsupported, fmt::format("the constant \"{}\" is {}", core::printable(value),
                                                        core::scalarTypeName(tensor.view.dtype())));
    }
    return out;
}

Result<ValueIndex> PartConversion::constant(std::string_view value, Layout layout) {
    ET_ASSIGN(const auto tensor, constants.get(value));
    DraftValue made = describe(value, layout);
    const auto* meta = method.meta(value);
    if (meta == nullptr || meta->scalarType != std::to_underlying(tensor.view.dtype()) ||
        !isComputedType(tensor.view.dtype())) {
        return fail(ErrorCode::Unsupported, fmt::format("the constant \"{}\" is {}", core::printable(value),
                                                        core::scalarTypeName(tensor.view.dtype())));
    }
    const std::vector<std::int64_t> sizes(tensor.view.sizes().begin(), tensor.view.sizes().end());
    const core::Bytes bytes = tensor.view.rawBytes();
    lowering::PartConstant kept{.dtype = tensor.view.dtype(), .sizes = {}, .elements = {}};
    if (layout == Layout::ChannelsLast) {
        constexpr std::array<std::uint8_t, imageRank> order{0, 2, 3, 1};
        kept.elements = lowering::permuteElements(bytes, tensor.view.elementSize(), sizes, order);
    } else {
        kept.elements.assign(bytes.begin(), bytes.end());
    }
    if (made.sizes.empty()) {
        made.sizes.push_back(1);
    }
    return addConstant(std::move(made), std::move(kept));
}

/// Sizes are in memory order.
ValueIndex PartConversion::addConstant(DraftValue value, lowering::PartConstant constant) {
    constant.sizes.assign(value.sizes.begin(), value.sizes.end());
    part.constants.push_back(std::move(constant));
    constantInputs.push_back(draft.value(std::move(value)));
    return constantInputs.back();
}

ValueIndex PartConversion::number(float number, Datatype datatype) {
    const auto half = core::Half(number);
    const core::Bytes bytes = datatype == Datatype::Fp16 ? std::as_bytes(std::span(&half, 1))
                                                         : std::as_bytes(std::span(&number, 1));
    return addConstant(
        {.datatype = datatype, .sizes = {1}, .quantization = {}},
        {.dtype = datatype == Datatype::Fp16 ? core::ScalarType::Half : core::ScalarType::Float,
         .sizes = {},
         .elements = {bytes.begin(), bytes.end()}});
}

ValueIndex PartConversion::weights(std::span<const float> elements, std::vector<std::uint32_t> sizes,
                                   std::string_view hint, Datatype datatype) {
    std::vector<core::Half> halves;
    core::Bytes bytes = std::as_bytes(elements);
    if (datatype == Datatype::Fp16) {
        halves.resize(elements.size());
        kernels::floatsTo(elements.data(), halves.data(), halves.size());
        bytes = std::as_bytes(std::span(halves));
    }
    return draft.constant({.datatype = datatype, .sizes = std::move(sizes), .quantization = {}},
                          store.add(bytes, hint));
}

}  // namespace et::backends::xnnpack
