#pragma once

#include "runtime/core/graph.h"

#include <cstddef>
#include <optional>
#include <utility>
#include <vector>

namespace et::backends {

/// Makes the graph of a payload whose calls name their values by number and come in the order in which they
/// run. What a call writes after something has read or written it is a value of its own from there on: so a
/// graph has no cycles, whatever a payload says, and what is written in place shows as what it is.
class CallGraph {
  public:
    explicit CallGraph(std::size_t numbers) : current(numbers), isTouched(numbers) {}

    /// The value of a number as it is before all calls. Once for each number, which is below `numbers`.
    void declare(std::size_t number, core::GraphValue value);
    [[nodiscard]] bool isDeclared(std::size_t number) const { return current[number].has_value(); }

    /// What a call reads or writes; the number is declared.
    [[nodiscard]] core::GraphValueId read(std::size_t number);
    [[nodiscard]] core::GraphValueId write(std::size_t number);
    void addNode(core::GraphNode node) { nodes.push_back(std::move(node)); }

    /// The number, declared, is argument `argument` of the delegate call; an output as it is after all calls
    /// before this one.
    void setInput(std::size_t number, std::size_t argument);
    void setOutput(std::size_t number, std::size_t argument);

    /// Ends this.
    [[nodiscard]] core::ModelGraph finish();

  private:
    std::vector<core::GraphValue> values;
    std::vector<core::GraphNode> nodes;
    std::vector<std::optional<core::GraphValueId>> current;  ///< by number
    std::vector<bool> isTouched;                             ///< by number: read or written
};

}  // namespace et::backends
