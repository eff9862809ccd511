#include "runtime/kernels/layout/indexed_part.h"

#include "runtime/kernels/layout/views.h"

#include <fmt/format.h>

#include <algorithm>

namespace et::kernels {
namespace {

using core::Result;

/// Adds a mask over the dimensions from `first` on: one axis per mask dimension.
Result<> addMask(KernelContext& context, const Sizes& sizes, std::size_t first, const Tensor& mask,
                 IndexAxes& axes) {
    const std::span<const std::int64_t> covered =
        std::span<const std::int64_t>(sizes).subspan(first, std::min(mask.dim(), sizes.size() - first));
    if (mask.dim() == 0 || !std::ranges::equal(covered, mask.sizes())) {
        return invalid(fmt::format("expected a mask of {}, got {}", core::sizesText(covered),
                                   core::sizesText(mask.sizes())));
    }
    ET_ASSIGN(const std::span<const bool> truths, truthsOf(context, viewOf(mask)));
    const auto count = static_cast<std::size_t>(std::ranges::count(truths, true));
    std::array<std::span<std::int64_t>, core::maxDims> numbers;
    for (std::size_t dim = 0; dim < mask.dim(); ++dim) {
        ET_ASSIGN(numbers[dim], context.scratch<std::int64_t>(count));
        axes.push_back(
            {.dim = first + dim, .sizes = {static_cast<std::int64_t>(count)}, .numbers = numbers[dim]});
    }
    std::size_t next = 0;
    forTruths(truths, mask.sizes(), [&](const Sizes& position) {
        for (std::size_t dim = 0; dim < position.size(); ++dim) {
            numbers[dim][next] = position[dim];
        }
        ++next;
    });
    return {};
}

/// Errors: InvalidArgument (index out of range).
Result<> addOffsets(const IndexAxis& axis, const ReadView& tensor, NegativeIndex negative,
                    const Sizes& indexSizes, std::span<std::int64_t> offsets) {
    const std::int64_t size = tensor.sizes[axis.dim];
    const std::int64_t min = negative == NegativeIndex::FromEnd ? -size : 0;
    const Strides steps = broadcastStrides(axis.sizes, rowMajorStrides(axis.sizes), indexSizes);
    std::int64_t wrong = 0;
    bool inside = true;
    forRowMajor(indexSizes, steps, [&](std::int64_t i, std::int64_t at) {
        const std::int64_t number = axis.numbers[static_cast<std::size_t>(at)];
        if (number < min || number >= size) {
            inside = false;
            wrong = number;
            return;
        }
        offsets[static_cast<std::size_t>(i)] +=
            (number < 0 ? number + size : number) * tensor.strides[axis.dim];
    });
    if (!inside) {
        return invalid(fmt::format("expected indices from {} to {} in dimension {}, got {}", min, size - 1,
                                   axis.dim, wrong));
    }
    return {};
}

/// If the indexed dimensions are adjacent, the index dimensions replace them; otherwise they come first.
std::size_t placeOf(const IndexAxes& axes) {
    for (std::size_t i = 1; i < axes.size(); ++i) {
        if (axes[i].dim != axes[i - 1].dim + 1) {
            return 0;
        }
    }
    return axes[0].dim;
}

}  // namespace

Result<IndexAxes> indexAxes(KernelContext& context, const Sizes& sizes, const OptionalTensorList& indices) {
    IndexAxes axes;
    std::size_t dim = 0;
    for (const Tensor* index : indices.items) {
        const bool isMask =
            index != nullptr && (index->dtype() == ScalarType::Bool || index->dtype() == ScalarType::Byte);
        const std::size_t covered = isMask ? index->dim() : 1;
        if (covered > sizes.size() - dim) {
            return invalid(fmt::format("expected indices of at most {} dimensions, got more", sizes.size()));
        }
        if (isMask) {
            ET_TRY(addMask(context, sizes, dim, *index, axes));
        } else if (index != nullptr) {
            ET_ASSIGN(const std::span<const std::int64_t> numbers, indexNumbers(context, *index));
            axes.push_back({.dim = dim, .sizes = index->sizes(), .numbers = numbers});
        }
        dim += covered;
    }
    if (axes.empty()) {
        return invalid("expected at least one index, got none");
    }
    return axes;
}

Result<IndexedPart> indexedPart(KernelContext& context, const ReadView& tensor, const IndexAxes& axes,
                                NegativeIndex negative) {
    IndexedPart part;
    DimSet indexed;
    for (const IndexAxis& axis : axes) {
        ET_ASSIGN(part.indexSizes, broadcastSizes(part.indexSizes, axis.sizes));
        indexed.set(axis.dim);
    }
    ET_TRY(expectRank(part.indexSizes.size() + tensor.dim() - axes.size()));
    for (std::size_t dim = 0; dim < tensor.dim(); ++dim) {
        if (!indexed.test(dim)) {
            part.restSizes.push_back(tensor.sizes[dim]);
            part.restStrides.push_back(tensor.strides[dim]);
        }
    }
    part.place = placeOf(axes);
    std::int64_t count = 1;
    for (const std::int64_t size : part.indexSizes) {
        ET_ASSIGN(count, timesSize(count, size));
    }
    ET_ASSIGN(const std::span<std::int64_t> offsets,
              context.scratch<std::int64_t>(static_cast<std::size_t>(count)));
    std::ranges::fill(offsets, tensor.offset);
    for (const IndexAxis& axis : axes) {
        ET_TRY(addOffsets(axis, tensor, negative, part.indexSizes, offsets));
    }
    part.offsets = offsets;
    return part;
}

Sizes IndexedPart::resultSizes() const {
    Sizes sizes = restSizes;
    for (std::size_t i = 0; i < indexSizes.size(); ++i) {
        sizes.insert(place + i, indexSizes[i]);
    }
    return sizes;
}

Strides IndexedPart::restOf(const Strides& result) const {
    Strides strides = result;
    for (std::size_t i = 0; i < indexSizes.size(); ++i) {
        strides.erase(place);
    }
    return strides;
}

Strides IndexedPart::indexOf(const Strides& result) const {
    return Strides(std::span<const std::int64_t>(result).subspan(place, indexSizes.size()));
}

}  // namespace et::kernels
