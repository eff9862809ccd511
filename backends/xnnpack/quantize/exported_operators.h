#pragma once

#include "backends/lowering/edge_method.h"

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace et::backends::xnnpack {

/// An operator of the exported (ATen) program and its nodes in the Edge graph. Quantizers annotate exported
/// programs, so a view inside decomposed attention is not an operator for them.
struct ExportedOperator {
    std::string name;    ///< "conv2d_1"; the Edge node's name if the record lacks the history
    std::string target;  ///< "aten.conv2d.default"
    std::vector<lowering::NodeIndex> nodes{};
    std::string_view output{};  ///< its only value read by others; empty if there are several or none
};

/// The original source of a node: the last operator in its history, not the Python function that called it.
/// Nothing if the record lacks it.
[[nodiscard]] std::optional<etrecord::NodeSource> originOf(const etrecord::Node& node);

/// The operators that an Edge graph was made from, according to the history of its nodes. Borrows the graph.
class ExportedOperators {
  public:
    explicit ExportedOperators(const lowering::EdgeMethod& method);

    [[nodiscard]] const std::vector<ExportedOperator>& all() const { return operators; }
    [[nodiscard]] const ExportedOperator& operator[](std::size_t index) const { return operators[index]; }
    [[nodiscard]] std::size_t operatorOf(lowering::NodeIndex node) const { return byNode[node]; }
    /// The operator that produces a value; nothing for an input.
    [[nodiscard]] std::optional<std::size_t> producer(std::string_view value) const;
    /// Operators that read a value produced by another operator, in graph order, without duplicates.
    [[nodiscard]] std::vector<std::size_t> readers(std::string_view value) const;

  private:
    void findOutput(ExportedOperator& op);

    const lowering::EdgeMethod& method;
    std::vector<ExportedOperator> operators;
    std::vector<std::size_t> byNode;
};

}  // namespace et::backends::xnnpack
