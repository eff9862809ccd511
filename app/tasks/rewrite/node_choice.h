#pragma once

#include "runtime/core/result.h"

#include <cstddef>
#include <map>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace et::tasks {

/// Selected operators of delegates in ascending order, by the instruction that calls the delegate. Calls that
/// are not listed are selected as a whole.
using NodeChoice = std::map<std::size_t, std::vector<std::size_t>>;

/// "3,5..9" if there is only one call; otherwise "2:3,5..9+7:0": instructions with their operators.
[[nodiscard]] std::string nodeChoiceText(const NodeChoice& nodes, std::span<const std::size_t> instructions);

/// Parses that text; `what` names it. Errors: InvalidArgument (not a valid list; an instruction outside
/// `instructions`, or several instructions and none is named), Limit.
[[nodiscard]] core::Result<NodeChoice> parseNodeChoice(std::string_view text,
                                                       std::span<const std::size_t> instructions,
                                                       std::string_view what);

/// Number of operators in the choice.
[[nodiscard]] std::size_t nodeCount(const NodeChoice& nodes);

}  // namespace et::tasks
