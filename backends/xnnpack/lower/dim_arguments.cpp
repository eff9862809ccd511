#include "backends/xnnpack/lower/dim_arguments.h"

#include "backends/lowering/node_arguments.h"

#include <algorithm>
#include <numeric>
#include <utility>

namespace et::backends::xnnpack {

std::optional<std::size_t> frontDim(std::int64_t dim, std::size_t rank) {
    const std::int64_t front = dim < 0 ? dim + static_cast<std::int64_t>(rank) : dim;
    return front >= 0 && std::cmp_less(front, rank) ? std::optional(static_cast<std::size_t>(front))
                                                    : std::nullopt;
}

std::optional<std::vector<std::uint8_t>> permutedDims(const etrecord::Node& node, std::size_t rank) {
    std::vector<std::uint8_t> order(rank);
    std::iota(order.begin(), order.end(), std::uint8_t{0});
    if (node.op == "aten.permute_copy.default") {
        const auto dims = lowering::integersArgument(node, "dims");
        if (rank == 0 || !dims || dims->size() != rank) {
            return rank == 0 ? std::optional(order) : std::nullopt;
        }
        for (std::size_t i = 0; i < rank; ++i) {
            const auto front = frontDim((*dims)[i], rank);
            if (!front) {
                return std::nullopt;
            }
            order[i] = static_cast<std::uint8_t>(*front);
        }
        std::vector<std::uint8_t> sorted = order;
        std::ranges::sort(sorted);
        return std::ranges::adjacent_find(sorted) == sorted.end() ? std::optional(order) : std::nullopt;
    }
    const bool isTranspose = node.op == "aten.transpose_copy.int";
    if (!isTranspose && node.op != "aten.t_copy.default") {
        return std::nullopt;
    }
    if (rank < 2) {
        return order;
    }
    const auto first = isTranspose ? lowering::integerArgument(node, "dim0") : std::optional(std::int64_t{0});
    const auto second =
        isTranspose ? lowering::integerArgument(node, "dim1") : std::optional(std::int64_t{1});
    const auto a = first ? frontDim(*first, rank) : std::nullopt;
    const auto b = second ? frontDim(*second, rank) : std::nullopt;
    if (!a || !b) {
        return std::nullopt;
    }
    std::swap(order[*a], order[*b]);
    return order;
}

}  // namespace et::backends::xnnpack
