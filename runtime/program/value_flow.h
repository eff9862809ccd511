#pragma once

#include "runtime/core/graph.h"
#include "runtime/program/method.h"

#include <cstdint>
#include <map>
#include <optional>
#include <utility>
#include <vector>

namespace et::program {

/// Maps the values of a method to those of a graph of its instructions, as far as these have been added; each
/// write creates a new graph value.
class ValueFlow {
  public:
    /// Whether constants of the graph refer to their data.
    enum class Data : std::uint8_t { Without, With };

    /// Borrows both. Adds the inputs of the method to the graph.
    ValueFlow(const Method& of, core::ModelGraph& into, Data data = Data::Without);

    /// Adds an attribute to descriptions of a value that is not an input.
    void addAttribute(ValueId id, core::GraphAttribute attribute) {
        attributes.insert_or_assign(id, std::move(attribute));
    }

    /// A new description of a value, with its type, size and location.
    [[nodiscard]] core::GraphValue describe(ValueId id, core::GraphValue::Role role) const;

    /// The current graph value. A value that nothing has written is a constant or state or, if its memory was
    /// filled by another value, a view of that: exporters drop the instruction of a view that copies nothing.
    [[nodiscard]] core::GraphValueId now(ValueId id);
    /// The current graph value without adding one; empty: not in the graph yet.
    [[nodiscard]] const std::optional<core::GraphValueId>& before(ValueId id) const {
        return current[id.value];
    }
    /// Adds the graph value for an instruction's write.
    core::GraphValueId write(ValueId id);

    /// Whether a value is an edge of the graph: tensors, and numbers that are inputs or computed by an
    /// instruction.
    [[nodiscard]] bool flows(ValueId id) const;

  private:
    [[nodiscard]] std::optional<core::GraphValueId> viewed(ValueId id) const;
    void fill(ValueId id);

    const Method& method;
    core::ModelGraph& graph;
    bool hasData;
    std::vector<std::optional<core::GraphValueId>> current;  ///< by value
    std::vector<bool> changing;  ///< by value: an input, or written by an instruction
    /// By memory location: the last value written there.
    std::map<std::pair<ArenaId, std::uint64_t>, core::GraphValueId> filled;
    std::map<ValueId, core::GraphAttribute> attributes;  ///< in addition to those of the value itself
};

}  // namespace et::program
