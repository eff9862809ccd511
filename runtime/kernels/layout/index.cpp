#include "runtime/kernels/boxing.h"
#include "runtime/kernels/builtin.h"
#include "runtime/kernels/layout/accumulate.h"
#include "runtime/kernels/layout/indexed_part.h"
#include "runtime/kernels/layout/views.h"

#include <fmt/format.h>

// Operators that read or write slices of a tensor by index.
namespace et::kernels {
namespace {

using core::Result;

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
