#pragma once

#include "inspector/graph/box_info.h"
#include "inspector/graph/graph_numbers.h"
#include "runtime/core/graph.h"

#include <cstddef>
#include <optional>
#include <string>
#include <vector>

// Comparison of modules that a graph folds into one because they repeat (simplify.h).
namespace et::inspector {

/// Amount of each member if known; one per member.
using MemberAmounts = std::vector<std::optional<double>>;

/// Corresponding operators of all members.
struct RepeatedOperator {
    std::string kind;  ///< "aten.linear.default"
    MemberAmounts amounts;
};

struct RepeatStatistics {
    std::vector<core::GraphGroupId> members;
    MemberAmounts amounts;                    ///< total of each member
    std::vector<RepeatedOperator> operators;  ///< in the order of the first member; only operators that all
                                              ///< members have
    std::vector<std::string> unlike;          ///< "layers.3: 2 nodes more than layers.0"
};

/// For a group of repeated modules; empty for any other group. Numbers of parts that extend beyond a member
/// are not assigned.
[[nodiscard]] std::optional<RepeatStatistics> repeatStatistics(const core::ModelGraph& graph,
                                                               core::GraphGroupId group,
                                                               const GraphNumbers& numbers);

/// Details of a group of repeated modules: median and spread of its members, each member, and the operators
/// that differ most among them. Empty for any other group.
[[nodiscard]] std::vector<DetailSection> repeatSections(const core::ModelGraph& graph,
                                                        core::GraphGroupId group,
                                                        const GraphNumbers& numbers);

}  // namespace et::inspector
