#pragma once

#include "app/tasks/debug/breakpoints.h"
#include "app/tasks/debug/program_index.h"
#include "runtime/core/strong_id.h"

#include <string>
#include <vector>

namespace et::tasks {

/// A node of the Edge graph without an operator of its own in its delegate.
struct FusedNode {
    std::string name;
    BreakSite into;  ///< the operator inside the delegate that is nearest in the graph, else the whole call
};

/// Where nodes of the Edge graph run.
struct EdgeSites {
    std::vector<BreakSite> sites{};  ///< unique, in program order
    std::vector<FusedNode> fused{};
};

/// The instructions, and the operators inside delegate calls, that compute the nodes with these handles. A
/// node that is fused into an operator, as an activation into a convolution, is found there.
[[nodiscard]] EdgeSites edgeSites(const MethodIndex& method, const std::vector<core::DebugHandle>& handles);

}  // namespace et::tasks
