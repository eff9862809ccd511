#pragma once

#include "inspector/size/duplicates.h"
#include "inspector/size/size_map.h"

#include <cstddef>
#include <string>
#include <vector>

namespace et::output {

/// Size map of a session's files; borrows the same data as `map`.
struct PageSizes {
    inspector::SizeMap map;
    std::vector<inspector::DuplicateGroup> duplicates;
};

/// The size map, by module if the record has modules; below it totals by kind, and at most `top` groups of
/// duplicates. Tensors list their readers.
[[nodiscard]] std::string pageSizes(const PageSizes& sizes, std::size_t top);

}  // namespace et::output
