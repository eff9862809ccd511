#pragma once

#include "backends/reference/value_names.h"
#include "runtime/program/method.h"

#include <cstdint>
#include <set>
#include <string>
#include <vector>

// Records of programs with control flow lack debug handles. The nodes of a delegate are then found by
// exclusion: kernels of the program match the graph's nodes in order, and the remaining nodes belong to
// delegates.
namespace et::backends::reference {

/// Consecutive instructions of a method and the control flow between them, as the exporter emits it for cond,
/// map and while.
struct Region {
    enum class Kind : std::uint8_t { Branches, Loop };
    struct ControlFlow {
        Kind kind = Kind::Branches;
        /// Branches: the true and the false branch. Loop: its body; if it exits in the middle, the
        /// instructions before and after the exit.
        std::vector<Region> parts;
    };

    std::vector<std::int32_t>
        instructions;                ///< in order, without those inside control flow and without jumps
    std::vector<ControlFlow> inner;  ///< in order
};

/// Ignores other jumps.
[[nodiscard]] Region makeRegions(const program::Chain& chain);

/// A region of a method and the graph it was made from.
struct RegionMatch {
    const etrecord::ExportedGraph* graph = nullptr;
    bool isSubgraph = false;
    ValueNames names;                          ///< names of the program's values in this graph
    std::vector<etrecord::NodeIndex> unknown;  ///< nodes that match no kernel
    std::vector<std::int32_t> delegates;       ///< instructions of the region that call a delegate
    std::set<std::string> weights;  ///< inputs of a subgraph that are parameters or buffers of the outer
                                    ///< graph
};

/// The regions of the method's first chain that call delegates.
[[nodiscard]] std::vector<RegionMatch> matchRegions(const program::Method& method,
                                                    const etrecord::ExportedGraph& graph,
                                                    const kernels::KernelRegistry& registry);

}  // namespace et::backends::reference
