#include "runtime/kernels/shape_rules.h"

#include "runtime/core/tensor.h"
#include "runtime/kernels/kernel_context.h"

#include <fmt/format.h>

#include <algorithm>

namespace et::kernels {
namespace {

/// Stable sort without heap allocation, which std::stable_sort() uses for any number of items.
template <class T, class IsBefore>
void sortInPlace(core::DimVector<T>& items, IsBefore isBefore) {
    for (std::size_t i = 1; i < items.size(); ++i) {
        const T item = items[i];
        const bool isFirst = isBefore(item, items[0]);
        std::size_t at = i;
        for (; at > 0 && (isFirst || isBefore(item, items[at - 1])); --at) {
            items[at] = items[at - 1];
        }
        items[at] = item;
    }
}

}  // namespace

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
            return invalid(fmt::format("dimension {} occurs twice", dim));
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

template <std::size_t N>
StridedWalk<N>::StridedWalk(std::span<const std::int64_t> sizes, const std::array<Strides, N>& strides) {
    // Innermost first, by the first tensor's strides; dimensions of size 1 are ignored.
    core::DimVector<std::uint8_t> dims;
    for (std::size_t i = sizes.size(); i-- > 0;) {
        if (sizes[i] != 1) {
            dims.push_back(static_cast<std::uint8_t>(i));
        }
    }
    sortInPlace(dims, [&](std::uint8_t left, std::uint8_t right) {
        return strides[0][left] != 0 && strides[0][right] != 0 && strides[0][left] < strides[0][right];
    });
    Sizes mergedSizes;
    std::array<Strides, N> mergedStrides;
    for (const std::uint8_t dim : dims) {
        bool merges = !mergedSizes.empty();
        for (std::size_t t = 0; merges && t < N; ++t) {
            merges = strides[t][dim] == mergedStrides[t].back() * mergedSizes.back();
        }
        if (merges) {
            mergedSizes.back() *= sizes[dim];
            continue;
        }
        mergedSizes.push_back(sizes[dim]);
        for (std::size_t t = 0; t < N; ++t) {
            mergedStrides[t].push_back(strides[t][dim]);
        }
    }
    length = mergedSizes.empty() ? 1 : mergedSizes[0];
    rowCount = length == 0 ? 0 : 1;
    for (std::size_t i = 0; i < mergedSizes.size(); ++i) {
        if (i == 0) {
            for (std::size_t t = 0; t < N; ++t) {
                innerStrides[t] = mergedStrides[t][0];
            }
            continue;
        }
        rowCount *= mergedSizes[i];
        outerSizes.push_back(mergedSizes[i]);
        for (std::size_t t = 0; t < N; ++t) {
            outerStrides[t].push_back(mergedStrides[t][i]);
        }
    }
}

template <std::size_t N>
StridedWalk<N> StridedWalk<N>::without(std::size_t outerDim) const {
    StridedWalk rest = *this;
    rest.rowCount /= outerSizes[outerDim];
    rest.outerSizes.erase(outerDim);
    for (Strides& strides : rest.outerStrides) {
        strides.erase(outerDim);
    }
    return rest;
}

template class StridedWalk<2>;
template class StridedWalk<3>;
template class StridedWalk<4>;

}  // namespace et::kernels
