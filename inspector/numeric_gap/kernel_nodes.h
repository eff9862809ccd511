#pragma once

#include "etrecord/exported_graph.h"
#include "inspector/numeric_gap/units.h"

#include <map>
#include <optional>
#include <span>
#include <string_view>
#include <vector>

namespace et::inspector {

/// The graph node that each kernel call computes.
using KernelNodes = std::map<const RuntimeCall*, etrecord::NodeIndex>;

/// Selects, among the nodes with the call's debug handles and result sizes, one whose operator the kernel may
/// implement; if there are several, the one with the closest value. The remaining calls are matched by debug
/// handle alone, since a program may call a wrong operator. Each node is assigned at most once.
[[nodiscard]] KernelNodes matchKernels(const UnitSources& sources);

/// Index of the node's result of each value that a kernel wrote: the one at its position, or a result that is
/// read and that only this value fits. Kernels that write to an argument also return a placeholder, in
/// another order than functional nodes.
[[nodiscard]] std::vector<std::optional<std::size_t>> placesOfValues(
    const UnitSources& sources, std::span<const backends::reference::ReferenceValue> values,
    std::span<const std::string_view> names);

}  // namespace et::inspector
