#pragma once

#include "inspector/numeric_gap/handle_mapping.h"
#include "inspector/numeric_gap/numeric_gap.h"
#include "inspector/numeric_gap/reference_values.h"
#include "inspector/numeric_gap/units.h"

#include <span>
#include <string>
#include <string_view>

namespace et::inspector {

/// A pair of values: tensors, numbers, or lists of them, which give several pairs.
[[nodiscard]] std::vector<GapPair> pairsOf(const backends::reference::ReferenceValue& reference,
                                           const backends::reference::ReferenceValue& runtime);

/// What calculate_numeric_gap has as a row, with what the graph says of its nodes.
[[nodiscard]] GapRow rowOf(const HandleMatch& match, const etrecord::ExportedGraph& graph, GapGraph which);

/// The row of one value. `nodes`: of the graph, that the operator computes.
[[nodiscard]] GapRow rowOf(const GapUnit& unit, const GraphWalk& graph, const GraphValues& reference,
                           std::span<const etrecord::NodeIndex> nodes);

/// Gives the memory of the row's tensors back; their dtypes and sizes stay.
void dropTensors(GapRow& row);

/// Adds what `nodes` are to the row: names, stack traces, the innermost module that has all of them.
void describeNodes(GapRow& row, const etrecord::ExportedGraph& graph,
                   std::span<const etrecord::NodeIndex> nodes);

}  // namespace et::inspector
