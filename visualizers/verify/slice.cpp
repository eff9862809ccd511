#include "visualizers/verify/slice.h"

#include <cmath>

namespace et::visualizers {

namespace {

constexpr std::int64_t longRow = 64;
constexpr std::int64_t fewestRows = 8;

/// Number of equal rows that makes a long row closest to a square; 1 if it is short or has no suitable
/// divisor.
std::int64_t wrappedRows(std::int64_t columns) {
    if (columns <= longRow) {
        return 1;
    }
    auto rows = static_cast<std::int64_t>(std::sqrt(static_cast<double>(columns)));
    while (rows >= fewestRows && columns % rows != 0) {
        --rows;
    }
    return rows >= fewestRows ? rows : 1;
}

}  // namespace

Slice::Slice(std::span<const std::int64_t> sizes, std::span<const std::int64_t> place)
    : outer(outerDimensions(sizes), 0), dimensions(sizes.size()) {
    rowCount = sizes.size() > 1 ? sizes[sizes.size() - 2] : 1;
    columnCount = sizes.empty() ? 1 : sizes.back();
    if (rowCount == 1) {
        rowCount = wrappedRows(columnCount);
        columnCount /= rowCount;
        wrapped = rowCount > 1;
    }
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
        result.push_back(wrapped ? 0 : row);
    }
    if (dimensions > 0) {
        result.push_back(wrapped ? row * columnCount + column : column);
    }
    return result;
}

SliceCell cellOf(const Slice& slice, std::span<const std::int64_t> index) {
    if (index.empty() || slice.empty()) {
        return {};
    }
    if (slice.wraps()) {
        return {.row = index.back() / slice.columns(), .column = index.back() % slice.columns()};
    }
    return {.row = index.size() > 1 ? index[index.size() - 2] : 0, .column = index.back()};
}

}  // namespace et::visualizers
