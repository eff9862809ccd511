#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <vector>

namespace et::visualizers {

/// A 2-D part of a tensor: its last two dimensions at one index of the others. A scalar is one cell, a short
/// vector one row; a long vector, such as the scores of a classifier, is wrapped to a rectangle.
class Slice {
  public:
    Slice() = default;
    /// `place` has an index for each dimension before the last two, each within its size; missing ones are 0.
    Slice(std::span<const std::int64_t> sizes, std::span<const std::int64_t> place);

    /// Number of dimensions that select a slice: all but the last two.
    [[nodiscard]] static std::size_t outerDimensions(std::span<const std::int64_t> sizes) {
        return sizes.size() > 2 ? sizes.size() - 2 : 0;
    }

    [[nodiscard]] std::int64_t rows() const { return rowCount; }
    [[nodiscard]] std::int64_t columns() const { return columnCount; }
    [[nodiscard]] bool empty() const { return rowCount == 0 || columnCount == 0; }

    /// Position of a cell in the row-major elements of the tensor.
    [[nodiscard]] std::size_t place(std::int64_t row, std::int64_t column) const {
        return first + static_cast<std::size_t>(row * columnCount + column);
    }
    /// The tensor index of a cell, with one entry per dimension.
    [[nodiscard]] std::vector<std::int64_t> index(std::int64_t row, std::int64_t column) const;
    /// True if the rows are parts of one long row.
    [[nodiscard]] bool wraps() const { return wrapped; }

  private:
    std::vector<std::int64_t> outer;
    std::size_t dimensions = 0;
    std::size_t first = 0;
    std::int64_t rowCount = 0;
    std::int64_t columnCount = 0;
    bool wrapped = false;
};

/// A cell of a slice.
struct SliceCell {
    std::int64_t row = 0;
    std::int64_t column = 0;
    bool operator==(const SliceCell&) const = default;
};

/// Cell of a tensor index in the slice that contains it.
[[nodiscard]] SliceCell cellOf(const Slice& slice, std::span<const std::int64_t> index);

}  // namespace et::visualizers
