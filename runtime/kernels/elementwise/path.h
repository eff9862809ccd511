#pragma once

#include "runtime/core/tensor.h"
#include "runtime/kernels/elementwise/operation.h"
#include "runtime/kernels/shape_rules.h"

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>

namespace et::kernels {

/// The way through a result and the inputs that broadcast to it, in the order of the result's memory. Where
/// all of them lie alike it is one straight line.
class Path {
  public:
    /// One number for the result, then one for each input; in elements.
    using Offsets = std::array<std::int64_t, 1 + maxInputs>;

    Path(std::span<const Input> inputs, const core::Tensor& out);

    /// Elements that lie at constant strides, one after another.
    [[nodiscard]] std::int64_t rowLength() const { return length; }
    [[nodiscard]] const Offsets& strides() const { return rowStrides; }

    /// Calls `visit(at, count, offsets)` for the rows, or parts of them, that make up the result's elements
    /// [begin, end): `count` elements from `at` on, and where they begin in each tensor.
    template <class Visit>
    void forRows(std::size_t begin, std::size_t end, Visit&& visit) const;

  private:
    std::optional<StridedWalk<1 + maxInputs>> walk;  ///< none: a straight line
    std::int64_t length;
    Offsets rowStrides{};
};

template <class Visit>
void Path::forRows(std::size_t begin, std::size_t end, Visit&& visit) const {
    if (!walk) {
        Offsets offsets;
        offsets.fill(static_cast<std::int64_t>(begin));
        visit(begin, end - begin, offsets);
        return;
    }
    const auto size = static_cast<std::size_t>(length);
    std::size_t row = begin / size;
    const auto visitRow = [&](Offsets offsets) {
        const std::size_t first = std::max(begin, row * size);
        for (std::size_t i = 0; i < offsets.size(); ++i) {
            offsets[i] += static_cast<std::int64_t>(first - row * size) * rowStrides[i];
        }
        ++row;
        visit(first, std::min(end, row * size) - first, offsets);
    };
    walk->forRows(static_cast<std::int64_t>(row), static_cast<std::int64_t>((end + size - 1) / size),
                  visitRow);
}

}  // namespace et::kernels
