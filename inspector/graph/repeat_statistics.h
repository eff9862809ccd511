#pragma once

#include "inspector/graph/box_info.h"
#include "inspector/graph/graph_numbers.h"
#include "runtime/core/graph.h"

#include <cstddef>
#include <optional>
#include <string>
#include <vector>

// Modules that a graph folds into one because they repeat (simplify.h), beside one another.
namespace et::inspector {

/// An amount of each member, where it is known: as many as there are members.
using MemberAmounts = std::vector<std::optional<double>>;

/// Operators that stand at the same place of each member.
struct RepeatedOperator {
    std::string kind;  ///< "aten.linear.default"
    MemberAmounts amounts;
};

struct RepeatStatistics {
    std::vector<core::GraphGroupId> members;
    MemberAmounts amounts;                    ///< of all that is in each
    std::vector<RepeatedOperator> operators;  ///< in the order of the first member; those that all have
    std::vector<std::string> unlike;          ///< "layers.3: 2 nodes more than layers.0"
};

/// Of a group of repeated modules; nothing for any other group. Numbers of parts that reach beyond a member
/// are nobody's.
[[nodiscard]] std::optional<RepeatStatistics> repeatStatistics(const core::ModelGraph& graph,
                                                               core::GraphGroupId group,
                                                               const GraphNumbers& numbers);

/// What to read about a group of repeated modules: the median and the spread of its members, each of them,
/// and the operators that differ most among them. Empty for any other group.
[[nodiscard]] std::vector<DetailSection> repeatSections(const core::ModelGraph& graph,
                                                        core::GraphGroupId group,
                                                        const GraphNumbers& numbers);

}  // namespace et::inspector
