#pragma once

#include "inspector/numeric_gap/handle_mapping.h"
#include "inspector/numeric_gap/numeric_gap.h"
#include "inspector/numeric_gap/reference_values.h"
#include "inspector/numeric_gap/units.h"

#include <span>
#include <string>
#include <string_view>

namespace et::inspector {

/// Pairs up the tensors or numbers of two values; lists yield several pairs.
[[nodiscard]] std::vector<GapPair> pairsOf(const backends::reference::ReferenceValue& reference,
                                           const backends::reference::ReferenceValue& runtime);

/// Builds the row of a pair that calculate_numeric_gap compares, with the graph's data about its nodes.
[[nodiscard]] GapRow rowOf(const HandleMatch& match, const etrecord::ExportedGraph& graph, GapGraph which);

/// Builds the row of one value. `nodes`: nodes of the graph that the operator computes.
[[nodiscard]] GapRow rowOf(const GapUnit& unit, const GraphWalk& graph, const GraphValues& reference,
                           std::span<const etrecord::NodeIndex> nodes);

/// Frees the row's tensors; their dtypes and sizes remain.
void dropTensors(GapRow& row);

/// Adds the names, stack traces and innermost common module of `nodes` to the row.
void describeNodes(GapRow& row, const etrecord::ExportedGraph& graph,
                   std::span<const etrecord::NodeIndex> nodes);

}  // namespace et::inspector
