#pragma once

#include "inspector/graph/detail/recorded_part.h"
#include "inspector/graph/graph_sources.h"
#include "inspector/join/instruction_access.h"
#include "runtime/core/graph.h"
#include "runtime/core/result.h"
#include "runtime/executor/module_data.h"
#include "runtime/program/method.h"

#include <cstddef>
#include <cstdint>
#include <map>
#include <optional>
#include <utility>
#include <vector>

namespace et::inspector::graph::detail {

/// Maps the values of a method to those of a graph of its instructions, as far as these have been added; each
/// write creates a new graph value.
class ValueFlow {
  public:
    /// Borrows both. Adds the inputs of the method to the graph.
    ValueFlow(const program::Method& of, core::ModelGraph& into);

    /// A new description of a value, with its type, size and location.
    [[nodiscard]] core::GraphValue describe(program::ValueId id, core::GraphValue::Role role) const;

    /// The current graph value. A value that nothing has written is a constant or state or, if its memory was
    /// filled by another value, a view of that: exporters drop the instruction of a view that copies nothing.
    [[nodiscard]] core::GraphValueId now(program::ValueId id);
    /// The current graph value without adding one; empty: not in the graph yet.
    [[nodiscard]] const std::optional<core::GraphValueId>& before(program::ValueId id) const {
        return current[id.value];
    }
    /// Adds the graph value for an instruction's write.
    core::GraphValueId write(program::ValueId id);

    /// Whether a value is an edge of the graph: tensors, and numbers that are inputs or computed by an
    /// instruction.
    [[nodiscard]] bool flows(program::ValueId id) const;

  private:
    [[nodiscard]] std::optional<core::GraphValueId> viewed(program::ValueId id) const;
    void fill(program::ValueId id);

    const program::Method& method;
    core::ModelGraph& graph;
    std::vector<std::optional<core::GraphValueId>> current;  ///< by value
    std::vector<bool> changing;  ///< by value: an input, or written by an instruction
    /// By memory location: the last value written there.
    std::map<std::pair<program::ArenaId, std::uint64_t>, core::GraphValueId> filled;
};

/// Description of a delegate by its backend. Errors: as executor::Backend::describe(), Unsupported (unknown
/// backend).
[[nodiscard]] core::Result<core::ModelGraph> describeDelegate(const program::Delegate& delegate,
                                                              const ProgramGraphSources& sources,
                                                              const executor::NamedDataSource& data);

/// Expands delegates in the graph of the method that calls them.
class DelegateInsides {
  public:
    /// Borrows all arguments.
    DelegateInsides(const ProgramGraphSources& from, core::ModelGraph& into, ValueFlow& values)
        : sources(from),
          method(from.method),
          data(from.program, from.tensorData),
          graph(into),
          flow(values) {}

    /// Adds the content of a delegate to the graph: its backend's description, or else the record's nodes
    /// from which it was made. Returns false if it is unknown; `node` then contains the reason.
    bool add(const program::DelegateCall& call, const join::detail::InstructionAccess& access,
             const std::vector<const etrecord::Node*>& edges, core::GraphNode& node);

  private:
    /// By value of a delegate's graph: its argument index in the call.
    using Arguments = std::vector<std::optional<std::size_t>>;

    const core::Result<core::ModelGraph>& insideOf(program::DelegateId id);
    bool addRecorded(const program::DelegateCall& call, const join::detail::InstructionAccess& access,
                     std::vector<const etrecord::Node*> edges, core::GraphNode& node);
    [[nodiscard]] Arguments argumentsByType(const core::ModelGraph& inner, const program::DelegateCall& call,
                                            const join::detail::InstructionAccess& access) const;
    void inlineGraph(const core::ModelGraph& inner, const Arguments& arguments,
                     const program::DelegateCall& call, const core::GraphNode& outer);
    std::vector<core::GraphGroupId> addInnerGroups(const core::ModelGraph& inner, core::GraphGroupId outer);
    std::vector<core::GraphValueId> addInnerValues(const core::ModelGraph& inner, const Arguments& arguments,
                                                   const program::DelegateCall& call);

    const ProgramGraphSources& sources;
    const program::Method& method;
    executor::ModuleData data;
    core::ModelGraph& graph;
    ValueFlow& flow;
    std::map<program::DelegateId, core::Result<core::ModelGraph>> described;
    std::optional<UseCounts> recordUses;  ///< of the record's Edge graph
    std::size_t inside = 0;               ///< nodes added so far
};

}  // namespace et::inspector::graph::detail
