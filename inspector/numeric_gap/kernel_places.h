#pragma once

#include "etrecord/exported_graph.h"
#include "inspector/numeric_gap/units.h"

#include <map>

namespace et::inspector {

/// The node of the graph that each call of a kernel computes.
using KernelPlaces = std::map<const RuntimeCall*, etrecord::NodeIndex>;

/// Among the nodes with the call's debug handles whose result has its sizes: one whose operator the kernel
/// may implement, of several the one whose value is closest. What is left goes by debug handle alone: a
/// program may call a wrong operator. No node is given twice.
[[nodiscard]] KernelPlaces placeKernels(const UnitSources& sources);

}  // namespace et::inspector
