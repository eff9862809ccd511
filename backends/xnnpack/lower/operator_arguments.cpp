#include "backends/xnnpack/lower/operator_arguments.h"

#include "backends/lowering/edge_method.h"
#include "backends/lowering/node_arguments.h"
#include "runtime/core/dim_order.h"

#include <algorithm>
#include <utility>
#include <vector>

namespace et::backends::xnnpack {

using etrecord::Node;
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

bool fusesClamp(NodeKind kind) {
    switch (kind) {
        case NodeKind::Add:
        case NodeKind::Subtract:
        case NodeKind::Multiply:
        case NodeKind::Divide:
        case NodeKind::FullyConnected:
        case NodeKind::Convolution:
        case NodeKind::DepthwiseConvolution:
        case NodeKind::TransposedConvolution:
            return true;
        default:
            return false;
    }
}

std::optional<OutputRange> clampRange(const Node& node) {
    if (node.op == "aten.relu.default") {
        return OutputRange{.min = 0};
    }
    const bool hardtanh = node.op == "aten.hardtanh.default";
    if (!hardtanh && node.op != "aten.clamp.default") {
        return std::nullopt;
    }
    const auto min = lowering::numberArgument(node, hardtanh ? "min_val" : "min");
    const auto max = lowering::numberArgument(node, hardtanh ? "max_val" : "max");
    OutputRange range;
    if (min || hardtanh) {
        range.min = static_cast<float>(min.value_or(-1));
    }
    if (max || hardtanh) {
        range.max = static_cast<float>(max.value_or(1));
    }
    return range;
}

std::optional<Numbers> pairArgument(const Node& node, std::string_view name, const Numbers& otherwise) {
    if (lowering::findArgument(node, name) == nullptr) {
        return otherwise;
    }
    auto numbers = lowering::integersArgument(node, name);
    if (numbers && numbers->empty()) {
        return otherwise;
    }
    if (numbers && numbers->size() == 1) {
        numbers->push_back(numbers->front());
    }
    const bool fits = numbers && numbers->size() == 2 &&
                      std::ranges::all_of(*numbers, [](std::int64_t number) { return number >= 0; });
    return fits ? numbers : std::nullopt;
}

HeightWidth both(const Numbers& numbers) {
    return {.height = static_cast<std::uint32_t>(numbers[0]),
            .width = static_cast<std::uint32_t>(numbers[1])};
}
ImagePadding around(const Numbers& numbers) {
    const HeightWidth sides = both(numbers);
    return {.top = sides.height, .right = sides.width, .bottom = sides.height, .left = sides.width};
}

std::optional<std::size_t> frontDim(std::int64_t dim, std::size_t rank) {
    const std::int64_t front = dim < 0 ? dim + static_cast<std::int64_t>(rank) : dim;
    return front >= 0 && std::cmp_less(front, rank) ? std::optional(static_cast<std::size_t>(front))
                                                    : std::nullopt;
}

std::optional<std::vector<std::uint8_t>> permutedDims(const etrecord::Node& node, std::size_t rank) {
    std::vector<std::uint8_t> order = core::rowMajorOrder(rank);
    if (node.op == "aten.permute_copy.default") {
        const auto dims = lowering::integersArgument(node, "dims");
        if (rank == 0 || !dims || dims->size() != rank) {
            return rank == 0 ? std::optional(order) : std::nullopt;
        }
        for (std::size_t i = 0; i < rank; ++i) {
            const auto front = frontDim((*dims)[i], rank);
            if (!front) {
                return std::nullopt;
            }
            order[i] = static_cast<std::uint8_t>(*front);
        }
        std::vector<std::uint8_t> sorted = order;
        std::ranges::sort(sorted);
        return std::ranges::adjacent_find(sorted) == sorted.end() ? std::optional(order) : std::nullopt;
    }
    const bool isTranspose = node.op == "aten.transpose_copy.int";
    if (!isTranspose && node.op != "aten.t_copy.default") {
        return std::nullopt;
    }
    if (rank < 2) {
        return order;
    }
    const auto first = isTranspose ? lowering::integerArgument(node, "dim0") : std::optional(std::int64_t{0});
    const auto second =
        isTranspose ? lowering::integerArgument(node, "dim1") : std::optional(std::int64_t{1});
    const auto a = first ? frontDim(*first, rank) : std::nullopt;
    const auto b = second ? frontDim(*second, rank) : std::nullopt;
    if (!a || !b) {
        return std::nullopt;
    }
    std::swap(order[*a], order[*b]);
    return order;
}

}  // namespace et::backends::xnnpack
