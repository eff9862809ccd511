#pragma once

#include "inspector/numeric_gap/graph_walk.h"
#include "inspector/numeric_gap/node_mapping.h"
#include "inspector/numeric_gap/parameter_owners.h"
#include "inspector/numeric_gap/reference_values.h"
#include "runtime/core/tensor.h"

#include <optional>
#include <span>
#include <string_view>
#include <vector>

// Maps values inside a delegate whose operators have no debug handles to values of the Edge graph.
namespace et::inspector {

/// A value inside a delegate. All members are borrowed.
struct UnnamedValue {
    std::string_view kind;  ///< of the operator that computes it: "AddmmNode"
    const core::Tensor* tensor = nullptr;
    std::optional<ParameterOwner> owner;  ///< of its operator
};

/// Pairs `values`, in execution order, with results of `nodes`, in graph order. A pair has the same number of
/// elements, and either almost equal numbers, or equal sizes and operators of the same kind or parameters. No
/// value is paired with a node whose parameters are read later. Among the assignments that keep the order,
/// the one with the most evidence is chosen; values out of order are then paired if their numbers are almost
/// equal. Numbers are compared by a sample.
[[nodiscard]] std::vector<std::optional<MappedValue>> alignValues(const GraphWalk& graph,
                                                                  const GraphValues& reference,
                                                                  std::span<const UnnamedValue> values,
                                                                  std::span<const etrecord::NodeIndex> nodes);

}  // namespace et::inspector
