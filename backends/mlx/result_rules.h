#pragma once

#include "backends/mlx/result_types.h"

#include <cstdint>
#include <map>
#include <optional>
#include <string_view>
#include <vector>

namespace et::backends::mlx {

using Sizes = std::vector<std::int64_t>;
using Type = std::optional<TensorType>;

/// Larger sizes and numbers count as unknown, so that sums and products of two fit 64 bits.
constexpr std::int64_t largestSize = std::int64_t{1} << 40U;
constexpr std::int64_t largestNumber = std::int64_t{1} << 31U;
constexpr std::int64_t largestWindow = std::int64_t{1} << 22U;

/// Types of a node's tensors and values while its results are derived.
struct RuleInput {
    const Node& node;
    const ResultTypes& types;

    [[nodiscard]] Type of(std::string_view field) const {
        const auto tensor = tensorIn(node, field);
        return tensor ? types.of(*tensor) : std::nullopt;
    }
    [[nodiscard]] Sizes numbers(std::string_view field) const {
        Sizes sizes;
        for (const Item& item : itemsIn(node, field)) {
            const std::int64_t size = types.valueOf(item).value_or(unknownSize);
            sizes.push_back(size > largestNumber || size < -largestNumber ? unknownSize : size);
        }
        return sizes;
    }
    [[nodiscard]] std::int64_t whole(std::string_view field) const { return wholeIn(node, field); }
};

using Rule = Type (*)(const RuleInput& in);

using Rules = std::map<std::string_view, Rule>;

/// Rules of products, convolutions and attention, by kind of node.
void addProductRules(Rules& to);
/// Those of nodes that arrange, select or create elements.
void addShapeRules(Rules& to);

/// Number of elements; unknownSize if a size is unknown.
[[nodiscard]] std::int64_t product(const Sizes& sizes);
[[nodiscard]] Sizes broadcast(const Sizes& left, const Sizes& right);
[[nodiscard]] Type withDtype(Type type, core::ScalarType dtype);

/// Types of the parts of a SplitNode, and of the outputs of a MetalKernelNode.
[[nodiscard]] std::vector<Type> splitTypes(const RuleInput& in);
[[nodiscard]] std::vector<Type> kernelTypes(const RuleInput& in);

}  // namespace et::backends::mlx
