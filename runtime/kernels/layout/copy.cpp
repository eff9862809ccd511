#include "runtime/kernels/boxing.h"
#include "runtime/kernels/builtin.h"
#include "runtime/kernels/layout/views.h"

#include <fmt/format.h>

#include <optional>

// Operators that copy a tensor unchanged, to another dtype or dim order, or with a part replaced. The
// program's result tensor defines the dim order, so arguments that name one are redundant.
namespace et::kernels {
namespace {

using core::Result;
using MemoryFormat = std::optional<std::int64_t>;
using DimOrderArgument = std::optional<IntList>;

Result<> copyOfOut(KernelContext& context, const Tensor& self, Tensor& out) {
    return copyView(context, viewOf(self), out);
}

Result<> cloneOut(KernelContext& context, const Tensor& self, MemoryFormat, Tensor& out) {
    return copyView(context, viewOf(self), out);
}

Result<> cloneDimOrderOut(KernelContext& context, const Tensor& self, bool, DimOrderArgument, Tensor& out) {
    return copyView(context, viewOf(self), out);
}

Result<> toCopyOut(KernelContext& context, const Tensor& self, bool, MemoryFormat, Tensor& out) {
    return convertView(context, viewOf(self), out);
}

Result<> toDimOrderCopyOut(KernelContext& context, const Tensor& self, bool, DimOrderArgument, Tensor& out) {
    return convertView(context, viewOf(self), out);
}

/// `self` gives the shape and dtype, `src` the elements.
Result<> copyOut(KernelContext& context, const Tensor& self, const Tensor& src, bool, Tensor& out) {
    ET_TRY(expectType(out, self.dtype()));
    ET_ASSIGN(const ReadView source, broadcastTo(viewOf(src), self.sizes()));
    return convertView(context, source, out);
}

Result<> copyInPlace(KernelContext& context, Tensor& self, const Tensor& src, bool) {
    ET_ASSIGN(const ReadView source, broadcastTo(viewOf(src), self.sizes()));
    return copyElements(context.threads(), source, viewOf(self));
}

/// Copies `self`, with `src` replacing the part that `choose` selects from a view.
template <class Choose>
Result<> replacePart(KernelContext& context, const Tensor& self, const Tensor& src, const Choose& choose,
                     Tensor& out) {
    ET_TRY(copyView(context, viewOf(self), out));
    WriteView part = viewOf(out);
    choose(part);
    if (src.sizes() != part.sizes) {
        return invalid(fmt::format("expected a source of {}, got {}", core::sizesText(part.sizes),
                                   core::sizesText(src.sizes())));
    }
    return copyElements(context.threads(), viewOf(src), part);
}

Result<> selectScatterOut(KernelContext& context, const Tensor& self, const Tensor& src, std::int64_t dim,
                          std::int64_t index, Tensor& out) {
    ET_ASSIGN(const Slice position, positionOf(self.sizes(), dim, index));
    return replacePart(
        context, self, src, [&](WriteView& part) { part.select(position.dim, position.start); }, out);
}

Result<> sliceScatterOut(KernelContext& context, const Tensor& self, const Tensor& src, std::int64_t dim,
                         std::optional<std::int64_t> start, std::optional<std::int64_t> end,
                         std::int64_t step, Tensor& out) {
    ET_ASSIGN(const Slice slice, sliceOf(self.sizes(), dim, start, end, step));
    return replacePart(context, self, src, [&](WriteView& part) { slice.applyTo(part); }, out);
}

Result<> diagonalScatterOut(KernelContext& context, const Tensor& self, const Tensor& src,
                            std::int64_t offset, std::int64_t dim1, std::int64_t dim2, Tensor& out) {
    ET_ASSIGN(const Diagonal diagonal, computeDiagonal(self.sizes(), offset, dim1, dim2));
    return replacePart(context, self, src, [&](WriteView& part) { diagonal.applyTo(part); }, out);
}

constexpr KernelEntry copyEntries[] = {
    {"aten::clone.out", box<&cloneOut>},
    {"aten::alias_copy.out", box<&copyOfOut>},
    {"aten::detach_copy.out", box<&copyOfOut>},
    {"aten::lift_fresh_copy.out", box<&copyOfOut>},
    {"aten::copy.out", box<&copyOut>},
    // Transfers between host and device, which are the same here.
    {"et_copy::_h2d_copy.out", box<&copyOfOut>},
    {"et_copy::_d2h_copy.out", box<&copyOfOut>},
    {"aten::copy_", box<&copyInPlace>},
    {"aten::_to_copy.out", box<&toCopyOut>},
    {"dim_order_ops::_to_dim_order_copy.out", box<&toDimOrderCopyOut>},
    {"dim_order_ops::_clone_dim_order.out", box<&cloneDimOrderOut>},
    {"aten::select_scatter.out", box<&selectScatterOut>},
    {"aten::slice_scatter.out", box<&sliceScatterOut>},
    {"aten::diagonal_scatter.out", box<&diagonalScatterOut>},
};

}  // namespace

std::span<const KernelEntry> copyKernels() {
    return copyEntries;
}

}  // namespace et::kernels
