#pragma once

#include "runtime/core/result.h"

#include <cstddef>
#include <map>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace et::app {

/// Operators of delegates, ascending, by the instruction that calls the delegate. What is called by an
/// instruction that is not here is meant as a whole.
using NodeChoice = std::map<std::size_t, std::vector<std::size_t>>;

/// "3,5..9" where there is one call and nothing else; else "2:3,5..9+7:0": instructions with their operators.
[[nodiscard]] std::string nodeChoiceText(const NodeChoice& nodes, std::span<const std::size_t> instructions);

/// And back; `what` names the text. Errors: InvalidArgument (no such list; an instruction that is not among
/// `instructions`, or none is named and there are several), Limit.
[[nodiscard]] core::Result<NodeChoice> parseNodeChoice(std::string_view text,
                                                       std::span<const std::size_t> instructions,
                                                       std::string_view what);

/// How many operators it names.
[[nodiscard]] std::size_t nodeCount(const NodeChoice& nodes);

}  // namespace et::app
