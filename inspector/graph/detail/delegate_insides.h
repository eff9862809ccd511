#pragma once

#include "backends/inlined_delegate.h"
#include "inspector/graph/detail/recorded_part.h"
#include "inspector/graph/graph_sources.h"
#include "inspector/join/instruction_nodes.h"
#include "runtime/core/graph.h"
#include "runtime/core/result.h"
#include "runtime/executor/module_data.h"
#include "runtime/program/instruction_access.h"
#include "runtime/program/method.h"
#include "runtime/program/value_flow.h"

#include <cstddef>
#include <map>
#include <optional>
#include <vector>

namespace et::inspector::graph::detail {

/// Description of a delegate by its backend. Errors: as executor::Backend::describe(), Unsupported (unknown
/// backend).
[[nodiscard]] core::Result<core::ModelGraph> describeDelegate(const program::Delegate& delegate,
                                                              const ProgramGraphSources& sources,
                                                              const executor::NamedDataSource& data);

/// Expands delegates in the graph of the method that calls them.
class DelegateInsides {
  public:
    /// Borrows all arguments.
    DelegateInsides(const ProgramGraphSources& from, const InstructionNodes& recorded, core::ModelGraph& into,
                    program::ValueFlow& values)
        : sources(from),
          edgeNodes(recorded),
          method(from.method),
          data(from.program, from.tensorData),
          graph(into),
          flow(values) {}

    /// Adds the content of a delegate to the graph: its backend's description, or else the record's nodes
    /// from which it was made. Returns false if it is unknown; `node` then contains the reason.
    bool add(const program::DelegateCall& call, const program::InstructionAccess& access,
             const std::vector<const etrecord::Node*>& edges, core::GraphNode& node);

  private:
    const core::Result<core::ModelGraph>& insideOf(program::DelegateId id);
    bool addRecorded(const program::DelegateCall& call, const program::InstructionAccess& access,
                     std::vector<const etrecord::Node*> edges, core::GraphNode& node);
    [[nodiscard]] backends::CallArguments argumentsByType(const core::ModelGraph& inner,
                                                          const program::DelegateCall& call,
                                                          const program::InstructionAccess& access) const;

    const ProgramGraphSources& sources;
    const InstructionNodes& edgeNodes;
    const program::Method& method;
    executor::ModuleData data;
    core::ModelGraph& graph;
    program::ValueFlow& flow;
    std::map<program::DelegateId, core::Result<core::ModelGraph>> described;
    std::optional<UseCounts> recordUses;  ///< of the record's Edge graph
    std::size_t inside = 0;               ///< nodes added so far
};

}  // namespace et::inspector::graph::detail
