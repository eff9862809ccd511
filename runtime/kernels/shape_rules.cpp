#include "runtime/kernels/shape_rules.h"

#include "runtime/core/tensor.h"
#include "runtime/kernels/kernel_context.h"

#include <fmt/format.h>

#include <algorithm>

namespace et::kernels {

core::Result<std::size_t> wrapDim(std::int64_t dim, std::size_t rank) {
    const auto count = static_cast<std::int64_t>(std::max<std::size_t>(rank, 1));
    if (dim < -count || dim >= count) {
        return invalid(fmt::format("expected a dimension from {} to {}, got {}", -count, count - 1, dim));
    }
    return static_cast<std::size_t>(dim < 0 ? dim + count : dim);
}

core::Result<DimSet> wrapDims(std::span<const std::int64_t> dims, std::size_t rank, bool emptyMeansAll) {
    DimSet set;
    if (dims.empty() && emptyMeansAll) {
        for (std::size_t dim = 0; dim < rank; ++dim) {
            set.set(dim);
        }
        return set;
    }
    for (const std::int64_t dim : dims) {
        ET_ASSIGN(const std::size_t wrapped, wrapDim(dim, rank));
        if (set.test(wrapped)) {
            return invalid(fmt::format("dimension {} is named twice", dim));
        }
        set.set(wrapped);
    }
    return set;
}

core::Result<Sizes> broadcastSizes(std::span<const std::int64_t> left, std::span<const std::int64_t> right) {
    const std::size_t rank = std::max(left.size(), right.size());
    if (rank > core::maxDims) {
        return core::fail(core::ErrorCode::Limit, fmt::format("{} dimensions", rank));
    }
    Sizes sizes(rank, 1);
    for (std::size_t back = 1; back <= rank; ++back) {
        const std::int64_t a = back <= left.size() ? left[left.size() - back] : 1;
        const std::int64_t b = back <= right.size() ? right[right.size() - back] : 1;
        if (a != b && a != 1 && b != 1) {
            return invalid(
                fmt::format("{} and {} do not broadcast", core::sizesText(left), core::sizesText(right)));
        }
        sizes[rank - back] = a == 1 ? b : a;
    }
    return sizes;
}

Strides broadcastStrides(std::span<const std::int64_t> sizes, std::span<const std::int64_t> strides,
                         std::span<const std::int64_t> target) {
    Strides steps(target.size(), 0);
    const std::size_t missing = target.size() - sizes.size();
    for (std::size_t i = 0; i < sizes.size(); ++i) {
        steps[missing + i] = sizes[i] == 1 && target[missing + i] != 1 ? 0 : strides[i];
    }
    return steps;
}

}  // namespace et::kernels
