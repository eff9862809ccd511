#pragma once

#include "etrecord/exported_graph.h"
#include "etrecord/record.h"

#include <cstddef>
#include <map>
#include <optional>
#include <set>
#include <span>
#include <string>
#include <vector>

namespace et::backends::reference {

/// The nodes between the inputs and outputs of a delegate, and how well they match the delegate's debug
/// handles. In attention, many nodes of delegates and kernels have the same handle: the number of its
/// occurrences in a delegate's list is the number of nodes that belong to the delegate.
class DelegateCut {
  public:
    /// Borrows all arguments. `handles`: of the call, one per node. `kernels`: nodes outside delegates.
    /// `own`: names of parameters, buffers and constants, which need no input.
    DelegateCut(const etrecord::ExportedGraph& graph, std::span<const core::DebugHandle> handles,
                const std::set<etrecord::NodeIndex>& kernels, const std::map<std::string, std::string>& own);

    /// 0: the nodes that compute `outputs` from `inputs` are exactly those of the handles. Otherwise the
    /// weighted number of mismatching nodes; `impossible` if a needed value is not an input.
    [[nodiscard]] double misfit(std::span<const std::string> inputs,
                                std::span<const std::string> outputs) const;
    static constexpr double impossible = 1e9;

    /// The combination of names with the smallest misfit; candidates are ordered best first, and the first
    /// combination wins ties. Empty: none is possible. `isInput`: whether an item is an input of the
    /// delegate; otherwise an output.
    [[nodiscard]] std::vector<std::string> choose(std::span<const std::vector<std::string>> candidates,
                                                  const std::vector<bool>& isInput) const;

    /// Whether nodes with this handle also occur outside the delegate.
    [[nodiscard]] bool isShared(const std::string& name) const;

  private:
    /// The subgraph between inputs and outputs.
    struct Subgraph {
        std::set<etrecord::NodeIndex> nodes{};
        std::set<std::string> read{};  ///< inputs and own tensors that are read
    };
    /// Nothing if another value is needed.
    [[nodiscard]] std::optional<Subgraph> between(std::span<const std::string> inputs,
                                                  std::span<const std::string> outputs) const;
    [[nodiscard]] double handlesMisfit(const std::set<etrecord::NodeIndex>& nodes) const;

    const etrecord::ExportedGraph& graph;
    const std::set<etrecord::NodeIndex>& kernels;
    const std::map<std::string, std::string>& own;
    std::map<core::DebugHandle, std::size_t> wanted;
    std::map<std::string, etrecord::NodeIndex> producers;
    std::map<std::string, std::vector<etrecord::NodeIndex>> readers;
    std::set<std::string> results;  ///< of the graph
};

}  // namespace et::backends::reference
