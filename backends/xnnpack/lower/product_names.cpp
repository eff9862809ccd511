#include "backends/xnnpack/lower/product_names.h"

#include "backends/lowering/node_arguments.h"
#include "backends/xnnpack/lower/dim_arguments.h"

#include <vector>

namespace et::backends::xnnpack {

using lowering::findArgument;
using lowering::valueName;

ProductOperands productOperands(const lowering::EdgeMethod& method, const etrecord::Node& node) {
    const auto named = [&](std::string_view name) { return valueName(findArgument(node, name)); };
    const bool isSum = node.op == "aten.addmm.default";
    if (!isSum && node.op != "aten.mm.default") {
        const bool transposed = lowering::booleanArgument(node, "transposed", false);
        return {.input = named("input"),
                .weight = named("weight"),
                .bias = named("bias"),
                .columns = false,
                .outputDim = transposed ? std::size_t{1} : 0};
    }
    ProductOperands operands{.input = named(isSum ? "mat1" : "self"),
                             .weight = named("mat2"),
                             .bias = isSum ? named("self") : std::string_view(),
                             .columns = true,
                             .outputDim = 1};
    if (const auto producer = method.producer(operands.weight)) {
        const auto& before = method.node(*producer);
        if (permutedDims(before, 2) == std::vector<std::uint8_t>{1, 0}) {
            operands.weight = valueName(findArgument(before, "self"));
            operands.columns = false;
            operands.outputDim = 0;
        }
    }
    return operands;
}

}  // namespace et::backends::xnnpack
