#pragma once

#include "runtime/core/graph.h"
#include "runtime/program/method.h"

#include <cstdint>
#include <map>
#include <optional>
#include <utility>
#include <vector>

namespace et::inspector::detail {

/// What the values of a method are in a graph of its instructions, as far as these have been added: each
/// write makes a value of its own.
class ValueFlow {
  public:
    /// Borrows both. Adds the inputs of the method to the graph.
    ValueFlow(const program::Method& of, core::ModelGraph& into);

    /// A value by itself, with its type, bytes and place.
    [[nodiscard]] core::GraphValue describe(program::ValueId id, core::GraphValue::Role role) const;

    /// What a value is now. One that nothing has written is a constant or state, or, at a place that
    /// something else has filled, a view of that: exporters drop the instruction of a view that copies
    /// nothing.
    [[nodiscard]] core::GraphValueId now(program::ValueId id);
    /// The same without adding one; nothing: it has not been in the graph yet.
    [[nodiscard]] const std::optional<core::GraphValueId>& before(program::ValueId id) const {
        return current[id.value];
    }
    /// What a value becomes when an instruction writes it.
    core::GraphValueId write(program::ValueId id);

    /// Tensors flow; numbers do where an instruction computes them or the caller gives them.
    [[nodiscard]] bool flows(program::ValueId id) const;

  private:
    [[nodiscard]] std::optional<core::GraphValueId> viewed(program::ValueId id) const;
    void fill(program::ValueId id);

    const program::Method& method;
    core::ModelGraph& graph;
    std::vector<std::optional<core::GraphValueId>> current;  ///< by value
    std::vector<bool> changing;  ///< by value: an input, or an instruction has written it
    /// By place: the last there.
    std::map<std::pair<program::ArenaId, std::uint64_t>, core::GraphValueId> filled;
};

}  // namespace et::inspector::detail
