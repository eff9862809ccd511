#pragma once

#include "etrecord/record.h"
#include "inspector/delegates/delegates.h"

#include <vector>

namespace et::inspector {

/// Counts the operators of a method by where they run: in the record's Edge graph if `graph` and `maps` are
/// given, else among the instructions and the nodes of the described `delegates`. Sorted by frequency,
/// descending, then by name.
[[nodiscard]] std::vector<OperatorPlacement> placements(const program::Method& method,
                                                        const std::vector<DelegateReport>& delegates,
                                                        const etrecord::MethodMaps* maps,
                                                        const etrecord::ExportedGraph* graph);

}  // namespace et::inspector
