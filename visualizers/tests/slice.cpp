#include "visualizers/tests/slice.h"

namespace et::visualizers {

Slice::Slice(std::span<const std::int64_t> sizes, std::span<const std::int64_t> place)
    : outer(outerDimensions(sizes), 0), dimensions(sizes.size()) {
    rowCount = sizes.size() > 1 ? sizes[sizes.size() - 2] : 1;
    columnCount = sizes.empty() ? 1 : sizes.back();
    std::int64_t number = 0;
    for (std::size_t dim = 0; dim < outer.size(); ++dim) {
        outer[dim] = dim < place.size() ? place[dim] : 0;
        number = number * sizes[dim] + outer[dim];
        if (sizes[dim] == 0) {
            rowCount = 0;
        }
    }
    first = static_cast<std::size_t>(number * rowCount * columnCount);
}

std::vector<std::int64_t> Slice::index(std::int64_t row, std::int64_t column) const {
    std::vector<std::int64_t> result = outer;
    if (dimensions > 1) {
        result.push_back(row);
    }
    if (dimensions > 0) {
        result.push_back(column);
    }
    return result;
}

}  // namespace et::visualizers
