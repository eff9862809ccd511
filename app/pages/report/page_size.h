#pragma once

#include "inspector/size/duplicates.h"
#include "inspector/size/size_map.h"

#include <cstddef>
#include <string>
#include <vector>

namespace et::app {

/// Why a session's files are as big as they are; borrows what `map` does.
struct PageSizes {
    inspector::SizeMap map;
    std::vector<inspector::DuplicateGroup> duplicates;
};

/// The map of a page, by module where the record knows any; below it sums by kind, and at most `top` groups
/// of duplicates. Tensors say who reads them.
[[nodiscard]] std::string pageSizes(const PageSizes& sizes, std::size_t top);

}  // namespace et::app
