#pragma once

#include <cstddef>
#include <cstdint>

// Inner loops that move elements by width, independent of dtype. Steps are in bytes.
namespace et::kernels {

/// Copies `count` elements from `from`, from + fromStep, … to `to`, to + toStep, …
using MoveRow = void (*)(const std::byte* from, std::int64_t fromStep, std::byte* to, std::int64_t toStep,
                         std::int64_t count);

/// Copies countA x countB elements, from `from` + a * width + b * fromStep to `to` + a * toStep + b * width.
using TransposeTile = void (*)(const std::byte* from, std::int64_t fromStep, std::byte* to,
                               std::int64_t toStep, std::int64_t countA, std::int64_t countB);

/// For elements of `width` bytes: 1, 2, 4, 8 or 16.
[[nodiscard]] MoveRow selectMoveRow(std::size_t width);
[[nodiscard]] TransposeTile selectTransposeTile(std::size_t width);

}  // namespace et::kernels
