#pragma once

#include "inspector/format/table.h"

#include <cstddef>
#include <string>

namespace et::cli {

/// A dictionary as indented text: single values as "key: value", lists of like dictionaries as columns. Lists
/// longer than `longest` rows are cut, saying so; 0: never. Text from files is escaped.
[[nodiscard]] std::string infoText(const inspector::report::Dict& info, std::size_t longest);

}  // namespace et::cli
