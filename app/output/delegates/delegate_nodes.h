#pragma once

#include "app/output/cells.h"
#include "etrecord/record.h"
#include "inspector/delegates/delegates.h"
#include "runtime/core/graph.h"

#include <vector>

namespace et::output {

/// Lists the nodes inside delegates, with the Edge nodes, modules and Python lines of each.
class DelegateNodes {
  public:
    /// `edgeGraph` belongs to the record, which must outlive this object; null if the record has none.
    /// `isRecorded`: a record was given.
    DelegateNodes(const etrecord::ExportedGraph* edgeGraph, bool isRecorded)
        : graph(edgeGraph), recorded(isRecorded) {}

    /// Adds debug handles, and the Edge nodes, modules and lines that they identify.
    void addSymbols(Dict& info, const std::vector<core::DebugHandle>& handles,
                    const std::vector<const etrecord::Node*>& nodes) const;
    /// Nodes and values of a payload that can be described.
    [[nodiscard]] Dict ofGraph(const core::ModelGraph& inner) const;
    /// The Edge nodes of a delegate whose payload cannot be described; empty without a record.
    [[nodiscard]] Dict ofEdgeNodes(const inspector::DelegateReport& report) const;

  private:
    [[nodiscard]] std::vector<const etrecord::Node*> edgeNodes(
        const std::vector<core::DebugHandle>& handles) const;

    const etrecord::ExportedGraph* graph;
    bool recorded;
};

}  // namespace et::output
