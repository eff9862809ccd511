#pragma once

#include "app/output/cells.h"

#include <cstddef>
#include <string>

namespace et::output {

/// Formats a dictionary as indented text: single values as "key: value", lists of similar dictionaries as
/// columns. Lists longer than `longest` rows are cut, with a note; 0: never. With a `width` (in columns; 0:
/// none), lines of columns end there with an ellipsis, and other lines are wrapped. Text from files is
/// escaped.
[[nodiscard]] std::string infoText(const Dict& info, std::size_t longest, std::size_t width = 0);

}  // namespace et::output
