#pragma once

#include "backends/lowering/edge_method.h"

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace et::backends::xnnpack {

/// An operator of the exported (ATen) program, with what became of it in the Edge graph. Quantizers annotate
/// exported programs: a view inside decomposed attention is none of theirs.
struct ExportedOperator {
    std::string name;    ///< "conv2d_1"; the node's own name where the record does not know
    std::string target;  ///< "aten.conv2d.default"
    std::vector<lowering::NodeIndex> nodes{};
    std::string_view output{};  ///< the one value that others read; empty where they read several or none
};

/// Where a node comes from at the very start: the last operator of its history on the way down, whatever
/// Python called it by. Nothing where the record does not know.
[[nodiscard]] std::optional<etrecord::NodeSource> originOf(const etrecord::Node& node);

/// The operators that an Edge graph was made of, found by the history of its nodes. Borrows the graph.
class ExportedOperators {
  public:
    explicit ExportedOperators(const lowering::EdgeMethod& method);

    [[nodiscard]] const std::vector<ExportedOperator>& all() const { return operators; }
    [[nodiscard]] const ExportedOperator& operator[](std::size_t index) const { return operators[index]; }
    [[nodiscard]] std::size_t operatorOf(lowering::NodeIndex node) const { return byNode[node]; }
    /// The operator that makes a value; nothing for an input.
    [[nodiscard]] std::optional<std::size_t> producer(std::string_view value) const;
    /// Operators that read a value which another one makes, in graph order, each once.
    [[nodiscard]] std::vector<std::size_t> readers(std::string_view value) const;

  private:
    void findOutput(ExportedOperator& op);

    const lowering::EdgeMethod& method;
    std::vector<ExportedOperator> operators;
    std::vector<std::size_t> byNode;
};

}  // namespace et::backends::xnnpack
