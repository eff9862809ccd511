#pragma once

#include "inspector/format/table.h"

#include <cstddef>
#include <string>

namespace et::cli {

/// Facts as indented text: single values as "key: value", lists of like dictionaries as columns. Lists longer
/// than `longest` rows are cut, saying so; 0: never. Text from files is escaped.
[[nodiscard]] std::string factsText(const inspector::report::Dict& facts, std::size_t longest);

}  // namespace et::cli
