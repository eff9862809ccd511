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

/// The part of a graph between the inputs and the outputs of a delegate, and how well it is what the
/// delegate's debug handles name. A handle of attention stands on many nodes, of delegates and of kernels
/// alike: how often the list of a delegate has it says how many of them are the delegate's.
class DelegateCut {
  public:
    /// All is borrowed. `handles`: of the call, one for each of its nodes. `kernels`: nodes of others. `own`:
    /// names of parameters, buffers and constants, which need no input.
    DelegateCut(const etrecord::ExportedGraph& graph, std::span<const core::DebugHandle> handles,
                const std::set<etrecord::NodeIndex>& kernels, const std::map<std::string, std::string>& own);

    /// 0: the nodes that make `outputs` of `inputs` are those of the handles. Else how many are too many,
    /// weighed by what is wrong with them; `impossible` where something is needed that is no input.
    [[nodiscard]] double misfit(std::span<const std::string> inputs,
                                std::span<const std::string> outputs) const;
    static constexpr double impossible = 1e9;

    /// Names for each place, best first: the first of all choices that fits best. Empty: none is possible.
    /// `isInput`: whether a place is one of the delegate's inputs; the others are outputs.
    [[nodiscard]] std::vector<std::string> choose(std::span<const std::vector<std::string>> candidates,
                                                  const std::vector<bool>& isInput) const;

    /// Whether nodes with the handle of this value's node are others', too.
    [[nodiscard]] bool isShared(const std::string& name) const;

  private:
    /// What makes outputs of inputs.
    struct Between {
        std::set<etrecord::NodeIndex> nodes{};
        std::set<std::string> read{};  ///< of the inputs and own tensors
    };
    /// Nothing where something else is needed.
    [[nodiscard]] std::optional<Between> between(std::span<const std::string> inputs,
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
