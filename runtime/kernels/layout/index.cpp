#include "runtime/kernels/boxing.h"
#include "runtime/kernels/builtin.h"
#include "runtime/kernels/layout/accumulate.h"
#include "runtime/kernels/layout/index_values.h"
#include "runtime/kernels/layout/views.h"
#include "runtime/kernels/strided_copy.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstdint>
#include <span>

// Operators that read or write the part of a tensor that index tensors select, as in NumPy's advanced
// indexing: https://numpy.org/doc/stable/user/basics.indexing.html#advanced-indexing
namespace et::kernels {
namespace {

using core::Result;

/// Positions along one dimension: row-major indices of shape `sizes`.
struct IndexAxis {
    std::size_t dim = 0;
    Sizes sizes;
    std::span<const std::int64_t> numbers;
};
using IndexAxes = core::DimVector<IndexAxis>;

/// Selection of index tensors: one slice of `restSizes` at every position of `indexSizes`.
struct IndexedPart {
    Sizes indexSizes;                         ///< broadcast sizes of all index tensors
    std::span<const std::int64_t> offsets{};  ///< offset of each slice in the tensor, in elements, row-major
    Sizes restSizes;                          ///< sizes of the dimensions that are not indexed
    Strides restStrides;                      ///< their strides in the tensor
    std::size_t place = 0;                    ///< position of the index dimensions in the result

    [[nodiscard]] Sizes resultSizes() const;

    /// Calls `visit(offset, other)` for each slice in order: its offset in the tensor, and in a tensor of
    /// resultSizes() with the strides `result`.
    template <class Visit>
    void forSlices(const Strides& result, Visit&& visit) const;
    /// Returns the strides of the slice dimensions within those of the result.
    [[nodiscard]] Strides restOf(const Strides& result) const;
    [[nodiscard]] Strides indexOf(const Strides& result) const;
};

enum class NegativeIndex : bool { Refused, FromEnd };

template <class Visit>
void IndexedPart::forSlices(const Strides& result, Visit&& visit) const {
    forRowMajor(indexSizes, indexOf(result), [&](std::int64_t i, std::int64_t other) {
        visit(offsets[static_cast<std::size_t>(i)], other);
    });
}

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

/// The index tensors of aten::index: for each dimension indices, a mask over one or more dimensions, or
/// nothing. Errors: InvalidArgument (more indices than dimensions, a mask of another shape), Unsupported (a
/// dtype).
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

/// Errors: InvalidArgument (index out of range, index shapes that do not broadcast), Limit.
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

std::byte* at(const WriteView& view, std::int64_t offset) {
    return view.data + offset * static_cast<std::int64_t>(view.elementSize);
}
const std::byte* at(const ReadView& view, std::int64_t offset) {
    return view.data + offset * static_cast<std::int64_t>(view.elementSize);
}

bool isOneElement(const Sizes& sizes) {
    return std::ranges::all_of(sizes, [](std::int64_t size) { return size == 1; });
}

/// Copies the slices of `part` of a tensor to `out`, which has the sizes of the result.
void takeSlices(const ReadView& tensor, const IndexedPart& part, const WriteView& out) {
    if (out.isEmpty()) {
        return;
    }
    if (isOneElement(part.restSizes)) {
        const MoveRow move = selectMoveRow(out.elementSize);
        part.forSlices(out.strides, [&](std::int64_t offset, std::int64_t target) {
            move(at(tensor, offset), 0, at(out, target), 0, 1);
        });
        return;
    }
    const CopyPlan slice(out.elementSize, part.restSizes, part.restStrides, part.restOf(out.strides));
    part.forSlices(out.strides, [&](std::int64_t offset, std::int64_t target) {
        slice.run(at(tensor, offset), at(out, target));
    });
}

/// Writes the slices of `self` selected by the axes to `out`.
Result<> take(KernelContext& context, const Tensor& self, const IndexAxes& axes, NegativeIndex negative,
              Tensor& out) {
    ET_TRY(expectType(out, self.dtype()));
    const ReadView tensor = viewOf(self);
    ET_ASSIGN(const IndexedPart part, indexedPart(context, tensor, axes, negative));
    ET_TRY(out.resize(part.resultSizes()));
    takeSlices(tensor, part, viewOf(out));
    return {};
}

Result<> expectNoIndex(const OptionalTensorList& indices, const Tensor& out) {
    return std::ranges::contains(indices.items, &out)
               ? Result<>(invalid("the result is also one of the indices"))
               : Result<>{};
}

Result<> indexTensorOut(KernelContext& context, const Tensor& self, OptionalTensorList indices, Tensor& out) {
    ET_TRY(expectNoIndex(indices, out));
    ET_ASSIGN(const IndexAxes axes, indexAxes(context, self.sizes(), indices));
    return take(context, self, axes, NegativeIndex::FromEnd, out);
}

/// Copies slices of `values` into `tensor` in order, so the last one wins if several have the same target.
void putSlices(const ReadView& values, const IndexedPart& part, const WriteView& tensor) {
    if (isOneElement(part.restSizes)) {
        const MoveRow move = selectMoveRow(tensor.elementSize);
        part.forSlices(values.strides, [&](std::int64_t offset, std::int64_t source) {
            move(at(values, source), 0, at(tensor, offset), 0, 1);
        });
        return;
    }
    const CopyPlan slice(tensor.elementSize, part.restSizes, part.restOf(values.strides), part.restStrides);
    part.forSlices(values.strides, [&](std::int64_t offset, std::int64_t source) {
        slice.run(at(values, source), at(tensor, offset));
    });
}

Result<> addSlices(const ReadView& values, const IndexedPart& part, const WriteView& tensor) {
    ET_ASSIGN(const AddRow add, selectAddRow(tensor.dtype));
    const StridedWalk<2> slice(part.restSizes, {part.restStrides, part.restOf(values.strides)});
    const auto width = static_cast<std::int64_t>(tensor.elementSize);
    const auto [toStep, fromStep] = slice.rowStrides();
    part.forSlices(values.strides, [&](std::int64_t offset, std::int64_t source) {
        slice.forRows(0, slice.rows(), [&](const std::array<std::int64_t, 2>& row) {
            add(at(values, source + row[1]), fromStep * width, at(tensor, offset + row[0]), toStep * width,
                slice.rowLength());
        });
    });
    return {};
}

Result<> indexPutInPlace(KernelContext& context, Tensor& self, OptionalTensorList indices,
                         const Tensor& values, bool accumulate) {
    ET_TRY(expectType(values, self.dtype(), "values"));
    ET_ASSIGN(const IndexAxes axes, indexAxes(context, self.sizes(), indices));
    const WriteView tensor = viewOf(self);
    ET_ASSIGN(const IndexedPart part, indexedPart(context, tensor, axes, NegativeIndex::FromEnd));
    ET_ASSIGN(const ReadView source, broadcastTo(viewOf(values), part.resultSizes()));
    if (source.isEmpty()) {
        return {};
    }
    if (accumulate) {
        return addSlices(source, part, tensor);
    }
    putSlices(source, part, tensor);
    return {};
}

Result<> indexPutOut(KernelContext& context, const Tensor& self, OptionalTensorList indices,
                     const Tensor& values, bool accumulate, Tensor& out) {
    ET_TRY(expectNoIndex(indices, out));
    ET_TRY(copyView(context, viewOf(self), out));
    return indexPutInPlace(context, out, indices, values, accumulate);
}

Result<> indexSelectOut(KernelContext& context, const Tensor& self, std::int64_t dim, const Tensor& index,
                        Tensor& out) {
    ET_ASSIGN(const std::size_t along, wrapDim(dim, self.dim()));
    if (index.dim() > 1 || (self.dim() == 0 && index.numel() != 1)) {
        return invalid(fmt::format("expected an index of {}, got {}",
                                   self.dim() == 0 ? "one element" : "one dimension",
                                   core::sizesText(index.sizes())));
    }
    ET_ASSIGN(const std::span<const std::int64_t> numbers, indexNumbers(context, index));
    if (self.dim() == 0) {
        return numbers[0] == 0 ? copyView(context, viewOf(self), out)
                               : Result<>(invalid(fmt::format("expected an index of 0, got {}", numbers[0])));
    }
    IndexAxes axes;
    axes.push_back({.dim = along, .sizes = {index.numel()}, .numbers = numbers});
    return take(context, self, axes, NegativeIndex::Refused, out);
}

/// Padding and gradient arguments only matter for training.
Result<> embeddingOut(KernelContext& context, const Tensor& weight, const Tensor& indices, std::int64_t, bool,
                      bool, Tensor& out) {
    if (weight.dim() != 2) {
        return invalid(fmt::format("expected weights of 2 dimensions, got {}", weight.dim()));
    }
    IndexAxes axes;
    ET_ASSIGN(const std::span<const std::int64_t> numbers, indexNumbers(context, indices));
    axes.push_back({.dim = 0, .sizes = indices.sizes(), .numbers = numbers});
    return take(context, weight, axes, NegativeIndex::Refused, out);
}

constexpr KernelEntry indexEntries[] = {
    {"aten::index.Tensor_out", box<&indexTensorOut>}, {"aten::index_put.out", box<&indexPutOut>},
    {"aten::index_put_", box<&indexPutInPlace>},      {"aten::index_select.out", box<&indexSelectOut>},
    {"aten::embedding.out", box<&embeddingOut>},
};

}  // namespace

std::span<const KernelEntry> indexKernels() {
    return indexEntries;
}

}  // namespace et::kernels
