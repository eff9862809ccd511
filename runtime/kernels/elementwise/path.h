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

/// Iteration over a result and the inputs that broadcast to it, in the memory order of the result. Contiguous
/// if all have the same layout.
class Path {
  public:
    /// One offset for the result, then one per input; in elements.
    using Offsets = std::array<std::int64_t, 1 + maxInputs>;

    Path(std::span<const Input> inputs, const core::Tensor& out);

    /// Number of consecutive elements at constant strides.
    [[nodiscard]] std::int64_t rowLength() const { return length; }
    [[nodiscard]] const Offsets& strides() const { return rowStrides; }

    /// Calls `visit(at, count, offsets)` for the rows, or parts of rows, of the result's elements [begin,
    /// end): `count` elements starting at `at`, and their offsets in each tensor.
    template <class Visit>
    void forRows(std::size_t begin, std::size_t end, Visit&& visit) const;

  private:
    std::optional<StridedWalk<1 + maxInputs>> walk;  ///< empty if contiguous
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
