#include "backends/xnnpack/nodes/signatures.h"

#include "backends/xnnpack/nodes/stored_types.h"

#include <fmt/format.h>

#include <algorithm>
#include <string>

namespace et::backends::xnnpack {

using core::Result;

Datatype NodeTypes::type(ValueIndex value) const {
    return computedAs(payload.value(value).datatype, widenHalf);
}

bool haveOneTypeOf(std::uint32_t set, const NodeTypes& types) {
    bool isOne = has(set, types.output());
    for (std::size_t i = 0; isOne && i < types.inputs(); ++i) {
        isOne = types.input(i) == types.output();
    }
    return isOne;
}

bool isProductOf(std::span<const ProductTypes> products, Filter filter, const NodeTypes& types) {
    return std::ranges::any_of(products, [&](const ProductTypes& product) {
        const bool mayVary = filter == Filter::MayVary && product.filter == product.input;
        return types.input(0) == product.input && types.input(1) == product.filter &&
               types.output() == product.output && (!types.hasInput(2) || types.input(2) == product.bias) &&
               (types.isConstant(1) || mayVary);
    });
}

Result<> checkSignature(const Payload& payload, std::size_t index, const NodeFormInfo& form, bool widenHalf) {
    const PayloadNode& node = payload.nodes[index];
    const NodeTypes known(payload, node, widenHalf);
    if (form.accepts(known)) {
        return {};
    }
    std::string types;
    for (std::size_t i = 0; i < known.inputs(); ++i) {
        types += (types.empty() ? "" : ", ") + (known.hasInput(i) ? datatypeName(known.input(i)) : "none");
    }
    for (std::size_t i = 0; i < node.outputs.size(); ++i) {
        types += " -> " + datatypeName(known.output(i));
    }
    return core::fail(
        core::ErrorCode::Unsupported, fmt::format("no support for {}", types),
        {.file = {}, .field = fmt::format("nodes[{}] ({})", index, node.traits->name), .offset = {}});
}

}  // namespace et::backends::xnnpack
