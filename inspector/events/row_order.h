#pragma once

#include "inspector/format/table.h"

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

namespace et::inspector::report {

/// A parsed EventTableOptions::sort.
struct SortKey {
    enum class Direction { Natural, Ascending, Descending };
    std::string column;
    Direction direction = Direction::Natural;  ///< Natural: numbers largest first, texts A to Z
};
[[nodiscard]] SortKey parseSortKey(std::string_view text);

/// Positions of `cells` in order; equal cells keep theirs, cells without a value come last.
[[nodiscard]] std::vector<std::size_t> sortedOrder(const std::vector<Cell>& cells, const Column& column,
                                                   SortKey::Direction direction);

}  // namespace et::inspector::report
