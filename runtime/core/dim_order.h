#pragma once

#include <cstddef>
#include <cstdint>
#include <numeric>
#include <vector>

namespace et::core {

/// Dim order of a row-major tensor: 0, 1, 2, ...
[[nodiscard]] inline std::vector<std::uint8_t> rowMajorOrder(std::size_t rank) {
    std::vector<std::uint8_t> order(rank);
    std::iota(order.begin(), order.end(), std::uint8_t{0});
    return order;
}

}  // namespace et::core
