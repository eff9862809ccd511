#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <utility>
#include <vector>

// Pairs the operators of two graphs of one model that were exported or decomposed differently.
namespace et::tasks {

/// A graph as far as pairing needs it. Values are numbered from 0.
struct PairedGraph {
    using Value = std::size_t;

    struct Shape {
        bool isTensor = false;
        bool isDynamic = false;  ///< `elements` is then only an example
        std::size_t rank = 0;
        std::int64_t elements = 0;
    };
    struct Operator {
        std::string name;  ///< "aten.add.Tensor" or "aten::add.out"
        std::vector<Value> inputs{};
        std::vector<Value> outputs{};
        std::vector<double> numbers{};  ///< plain numbers among the arguments
    };

    std::vector<Shape> values;
    std::vector<Operator> operators;  ///< in an order in which values are produced before they are read

    Value add(const Shape& shape) {
        values.push_back(shape);
        return values.size() - 1;
    }
};

struct OperatorPair {
    std::size_t first = 0;
    std::size_t second = 0;
};

/// Pairs of operators that compute the same value: same kind of operator, computed from the same paired
/// values, directly or through operators without a twin; linear layers and matrix products are one kind.
/// `known`: pairs of inputs and constants. An operator has at most one twin.
[[nodiscard]] std::vector<OperatorPair> pairOperators(
    const PairedGraph& first, const PairedGraph& second,
    std::span<const std::pair<PairedGraph::Value, PairedGraph::Value>> known);

}  // namespace et::tasks
