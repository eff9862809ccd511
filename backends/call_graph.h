#pragma once

#include "runtime/core/graph.h"

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace et::backends {

/// Builds the graph of a payload whose calls refer to values by number and are in execution order. A value
/// that is written after it was read or written becomes a new value. So graphs have no cycles, whatever the
/// payload contains, and in-place writes are visible.
class CallGraph {
  public:
    explicit CallGraph(std::size_t numbers) : current(numbers), isTouched(numbers) {}

    /// Declares the initial value of a number below `numbers`. Call once per number.
    void declare(std::size_t number, core::GraphValue value);
    [[nodiscard]] bool isDeclared(std::size_t number) const { return current[number].has_value(); }

    /// Value that a call reads or writes; the number must be declared.
    [[nodiscard]] core::GraphValueId read(std::size_t number);
    [[nodiscard]] core::GraphValueId write(std::size_t number);
    /// Replaces the type of a number's current value.
    void setType(std::size_t number, std::string type, std::uint64_t bytes);
    void addNode(core::GraphNode node) { nodes.push_back(std::move(node)); }

    /// Makes a declared number argument `argument` of the delegate call; an output has its value after all
    /// calls so far.
    void setInput(std::size_t number, std::size_t argument);
    void setOutput(std::size_t number, std::size_t argument);

    /// Ends this.
    [[nodiscard]] core::ModelGraph finish();

  private:
    std::vector<core::GraphValue> values;
    std::vector<core::GraphNode> nodes;
    std::vector<std::optional<core::GraphValueId>> current;  ///< by number
    std::vector<bool> isTouched;                             ///< by number: already read or written
};

}  // namespace et::backends
