#include "runtime/kernels/boxing.h"
#include "runtime/kernels/builtin.h"
#include "runtime/kernels/element_conversion.h"
#include "runtime/kernels/layout/accumulate.h"
#include "runtime/kernels/layout/index_values.h"
#include "runtime/kernels/layout/views.h"

#include <fmt/format.h>

// Operators in which an index tensor gives each element's position along one dimension.
namespace et::kernels {
namespace {

using core::Result;

template <class Byte>
void needDimension(StridedView<Byte>& view) {
    if (view.dim() == 0) {
        view.append(1, 0);
    }
}

/// Narrows `view` to the sizes of the index, except along `free`. Errors: InvalidArgument (the view is
/// smaller).
template <class Byte>
Result<> cutTo(StridedView<Byte>& view, const Sizes& sizes, std::size_t free, std::string_view what) {
    bool fits = view.dim() == sizes.size();
    for (std::size_t dim = 0; fits && dim < sizes.size(); ++dim) {
        fits = dim == free || sizes[dim] <= view.sizes[dim];
    }
    if (!fits) {
        return invalid(fmt::format("{}: an index of {} exceeds a tensor of {}", what, core::sizesText(sizes),
                                   core::sizesText(view.sizes)));
    }
    for (std::size_t dim = 0; dim < sizes.size(); ++dim) {
        if (dim != free) {
            view.sizes[dim] = sizes[dim];
        }
    }
    return {};
}

/// Calls `visit(other, element)` for every element of the index in row-major order: the bytes of `others` at
/// the same position, and those of `tensor` at the same position except along `dim`, where the index applies.
/// Errors: InvalidArgument (index out of range).
template <class OtherByte, class Byte, class Visit>
Result<> forIndex(KernelContext& context, const Tensor& index, std::size_t dim,
                  const StridedView<OtherByte>& others, const StridedView<Byte>& tensor, const Visit& visit) {
    if (index.numel() == 0) {
        return {};
    }
    ET_ASSIGN(const std::span<const std::int64_t> numbers, indexNumbers(context, index));
    Sizes sizes = index.sizes();
    sizes.resize(std::max<std::size_t>(sizes.size(), 1), 1);
    Strides strides = tensor.strides;
    strides[dim] = 0;
    const StridedWalk<3> walk(sizes, {rowMajorStrides(sizes), others.strides, strides});
    const auto [step, otherStep, tensorStep] = walk.rowStrides();
    const std::int64_t size = tensor.sizes[dim];
    const auto width = static_cast<std::int64_t>(tensor.elementSize);
    bool inside = true;
    std::int64_t wrong = 0;
    walk.forRows(0, walk.rows(), [&](const std::array<std::int64_t, 3>& start) {
        for (std::int64_t i = 0; i < walk.rowLength() && inside; ++i) {
            const std::int64_t number = numbers[static_cast<std::size_t>(start[0] + i * step)];
            if (number < 0 || number >= size) {
                inside = false;
                wrong = number;
                break;
            }
            const std::int64_t place = start[2] + i * tensorStep + number * tensor.strides[dim];
            visit(others.data + (start[1] + i * otherStep) * width, tensor.data + place * width);
        }
    });
    return inside ? Result<>{}
                  : Result<>(invalid(fmt::format("expected indices from 0 to {} in dimension {}, got {}",
                                                 size - 1, dim, wrong)));
}

Result<> gatherOut(KernelContext& context, const Tensor& self, std::int64_t dim, const Tensor& index, bool,
                   Tensor& out) {
    ET_ASSIGN(const std::size_t along, wrapDim(dim, self.dim()));
    ET_TRY(expectType(out, self.dtype()));
    ReadView source = viewOf(self);
    needDimension(source);
    Sizes sizes = index.sizes();
    sizes.resize(std::max<std::size_t>(sizes.size(), 1), 1);
    if (index.numel() != 0) {
        ET_TRY(cutTo(source, sizes, along, "gather"));
    }
    ET_TRY(out.resize(index.sizes()));
    WriteView target = viewOf(out);
    needDimension(target);
    const MoveRow move = selectMoveRow(target.elementSize);
    return forIndex(context, index, along, target, source,
                    [move](std::byte* to, const std::byte* from) { move(from, 0, to, 0, 1); });
}

/// Copies `self` to `out` and applies `put(element, source)` to the indexed elements.
template <class Put>
Result<> scatter(KernelContext& context, const Tensor& self, std::int64_t dim, const Tensor& index,
                 ReadView source, const Put& put, Tensor& out) {
    ET_ASSIGN(const std::size_t along, wrapDim(dim, self.dim()));
    ET_TRY(copyView(context, viewOf(self), out));
    if (index.numel() == 0) {
        return {};
    }
    WriteView target = viewOf(out);
    needDimension(target);
    Sizes sizes = index.sizes();
    sizes.resize(std::max<std::size_t>(sizes.size(), 1), 1);
    ET_TRY(cutTo(target, sizes, along, "scatter"));
    ET_TRY(cutTo(source, sizes, sizes.size(), "source of scatter"));
    return forIndex(context, index, along, source, target,
                    [&](const std::byte* from, std::byte* to) { put(from, to); });
}

Result<> scatterSrcOut(KernelContext& context, const Tensor& self, std::int64_t dim, const Tensor& index,
                       const Tensor& src, Tensor& out) {
    ET_TRY(expectType(src, self.dtype(), "source"));
    ReadView source = viewOf(src);
    needDimension(source);
    const MoveRow move = selectMoveRow(source.elementSize);
    return scatter(
        context, self, dim, index, source,
        [move](const std::byte* from, std::byte* to) { move(from, 0, to, 0, 1); }, out);
}

Result<> scatterValueOut(KernelContext& context, const Tensor& self, std::int64_t dim, const Tensor& index,
                         Scalar value, Tensor& out) {
    ET_TRY(expectFits(self.dtype(), value, "value"));
    ET_ASSIGN(const ElementBytes element, elementOf(self.dtype(), value));
    Sizes sizes = index.sizes();
    sizes.resize(std::max<std::size_t>(sizes.size(), 1), 1);
    const ReadView everywhere{.dtype = self.dtype(),
                              .elementSize = self.elementSize(),
                              .data = element.data(),
                              .offset = 0,
                              .sizes = sizes,
                              .strides = Strides(sizes.size(), 0)};
    const MoveRow move = selectMoveRow(self.elementSize());
    return scatter(
        context, self, dim, index, everywhere,
        [move](const std::byte* from, std::byte* to) { move(from, 0, to, 0, 1); }, out);
}

Result<> scatterAddOut(KernelContext& context, const Tensor& self, std::int64_t dim, const Tensor& index,
                       const Tensor& src, Tensor& out) {
    ET_TRY(expectType(src, self.dtype(), "source"));
    ET_ASSIGN(const AddRow add, selectAddRow(self.dtype()));
    ReadView source = viewOf(src);
    needDimension(source);
    return scatter(
        context, self, dim, index, source,
        [add](const std::byte* from, std::byte* to) { add(from, 0, to, 0, 1); }, out);
}

constexpr KernelEntry gatherEntries[] = {
    {"aten::gather.out", box<&gatherOut>},
    {"aten::scatter.src_out", box<&scatterSrcOut>},
    {"aten::scatter.value_out", box<&scatterValueOut>},
    {"aten::scatter_add.out", box<&scatterAddOut>},
};

}  // namespace

std::span<const KernelEntry> gatherKernels() {
    return gatherEntries;
}

}  // namespace et::kernels
