#pragma once

#include "etrecord/exported_graph.h"
#include "inspector/numeric_gap/units.h"

#include <map>

namespace et::inspector {

/// The graph node that each kernel call computes.
using KernelNodes = std::map<const RuntimeCall*, etrecord::NodeIndex>;

/// Selects, among the nodes with the call's debug handles and result sizes, one whose operator the kernel may
/// implement; if there are several, the one with the closest value. The remaining calls are matched by debug
/// handle alone, since a program may call a wrong operator. Each node is assigned at most once.
[[nodiscard]] KernelNodes matchKernels(const UnitSources& sources);

}  // namespace et::inspector
