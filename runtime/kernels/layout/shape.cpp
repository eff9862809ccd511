#include "runtime/kernels/boxing.h"
#include "runtime/kernels/builtin.h"
#include "runtime/kernels/layout/views.h"

#include <fmt/format.h>

#include <algorithm>
#include <optional>

// Operators whose result is a view of their input, as a copy.
namespace et::kernels {
namespace {

using core::Result;

/// Returns the sizes of a view of `elements` elements; one of `sizes` may be -1 and is inferred.
Result<Sizes> inferredSizes(IntList sizes, std::int64_t elements) {
    ET_TRY(expectRank(sizes.size()));
    Sizes inferred(sizes);
    std::optional<std::size_t> open;
    std::int64_t product = 1;
    for (std::size_t i = 0; i < sizes.size(); ++i) {
        if (sizes[i] == -1 && !open) {
            open = i;
            continue;
        }
        if (sizes[i] < 0) {
            return invalid(fmt::format("expected sizes of at least 0 and at most one -1, got {}",
                                       core::sizesText(sizes)));
        }
        ET_ASSIGN(product, timesSize(product, sizes[i]));
    }
    const bool fits = open ? product != 0 && elements % product == 0 : product == elements;
    if (!fits) {
        return invalid(fmt::format("{} elements do not fit the shape {}", elements, core::sizesText(sizes)));
    }
    if (open) {
        inferred[*open] = elements / product;
    }
    return inferred;
}

Result<> viewCopyOut(KernelContext& context, const Tensor& self, IntList size, Tensor& out) {
    ET_TRY(expectType(out, self.dtype()));
    ET_ASSIGN(const Sizes sizes, inferredSizes(size, self.numel()));
    ET_TRY(out.resize(sizes));
    return copyReshaped(context, viewOf(self), out);
}

/// The stride argument is ignored: it is the one that a view would have.
Result<> reshapeAliasCopyOut(KernelContext& context, const Tensor& self, IntList size, IntList, Tensor& out) {
    return viewCopyOut(context, self, size, out);
}

Result<> permuteCopyOut(KernelContext& context, const Tensor& self, IntList dims, Tensor& out) {
    ET_TRY(wrapDims(dims, self.dim(), false));
    if (dims.size() != self.dim()) {
        return invalid(fmt::format("expected {} dimensions, got {}", self.dim(), dims.size()));
    }
    const ReadView whole = viewOf(self);
    ReadView view = whole;
    for (std::size_t i = 0; i < dims.size(); ++i) {
        ET_ASSIGN(const std::size_t dim, wrapDim(dims[i], self.dim()));
        view.sizes[i] = whole.sizes[dim];
        view.strides[i] = whole.strides[dim];
    }
    return copyView(context, view, out);
}

Result<> transposeCopyOut(KernelContext& context, const Tensor& self, std::int64_t dim0, std::int64_t dim1,
                          Tensor& out) {
    ET_ASSIGN(const std::size_t left, wrapDim(dim0, self.dim()));
    ET_ASSIGN(const std::size_t right, wrapDim(dim1, self.dim()));
    ReadView view = viewOf(self);
    if (left != right) {
        view.swap(left, right);
    }
    return copyView(context, view, out);
}

Result<> tCopyOut(KernelContext& context, const Tensor& self, Tensor& out) {
    if (self.dim() > 2) {
        return invalid(fmt::format("expected at most 2 dimensions, got {}", self.dim()));
    }
    return self.dim() < 2 ? copyView(context, viewOf(self), out) : transposeCopyOut(context, self, 0, 1, out);
}

Result<> expandCopyOut(KernelContext& context, const Tensor& self, IntList size, bool, Tensor& out) {
    ET_TRY(expectRank(size.size()));
    if (size.size() < self.dim()) {
        return invalid(fmt::format("expected at least {} sizes, got {}", self.dim(), size.size()));
    }
    Sizes sizes(size);
    const std::size_t added = size.size() - self.dim();
    for (std::size_t i = added; i < sizes.size(); ++i) {
        sizes[i] = sizes[i] == -1 ? self.size(i - added) : sizes[i];
    }
    ET_ASSIGN(const ReadView view, broadcastTo(viewOf(self), sizes));
    return copyView(context, view, out);
}

Result<> unsqueezeCopyOut(KernelContext& context, const Tensor& self, std::int64_t dim, Tensor& out) {
    ET_TRY(expectRank(self.dim() + 1));
    ET_ASSIGN(const std::size_t place, wrapDim(dim, self.dim() + 1));
    ReadView view = viewOf(self);
    view.sizes.insert(place, 1);
    view.strides.insert(place, 0);
    return copyView(context, view, out);
}

Result<> squeeze(KernelContext& context, const Tensor& self, const DimSet& dims, Tensor& out) {
    ReadView view = viewOf(self);
    for (std::size_t dim = self.dim(); dim-- > 0;) {
        if (dims.test(dim) && view.sizes[dim] == 1) {
            view.drop(dim);
        }
    }
    return copyView(context, view, out);
}

Result<> squeezeCopyOut(KernelContext& context, const Tensor& self, Tensor& out) {
    return squeeze(context, self, DimSet().set(), out);
}

Result<> squeezeCopyDimOut(KernelContext& context, const Tensor& self, std::int64_t dim, Tensor& out) {
    ET_ASSIGN(const DimSet dims, wrapDims({&dim, 1}, self.dim(), false));
    return squeeze(context, self, dims, out);
}

Result<> squeezeCopyDimsOut(KernelContext& context, const Tensor& self, IntList dim, Tensor& out) {
    ET_ASSIGN(const DimSet dims, wrapDims(dim, self.dim(), false));
    return squeeze(context, self, dims, out);
}

Result<> sliceCopyOut(KernelContext& context, const Tensor& self, std::int64_t dim,
                      std::optional<std::int64_t> start, std::optional<std::int64_t> end, std::int64_t step,
                      Tensor& out) {
    ET_ASSIGN(const Slice slice, sliceOf(self.sizes(), dim, start, end, step));
    ReadView view = viewOf(self);
    slice.applyTo(view);
    return copyView(context, view, out);
}

Result<> selectCopyOut(KernelContext& context, const Tensor& self, std::int64_t dim, std::int64_t index,
                       Tensor& out) {
    ET_ASSIGN(const Slice position, positionOf(self.sizes(), dim, index));
    ReadView view = viewOf(self);
    view.select(position.dim, position.start);
    return copyView(context, view, out);
}

Result<> narrowCopyOut(KernelContext& context, const Tensor& self, std::int64_t dim, std::int64_t start,
                       std::int64_t length, Tensor& out) {
    ET_ASSIGN(const Slice all, sliceOf(self.sizes(), dim, {}, {}, 1));
    const std::int64_t size = self.size(all.dim);
    const std::int64_t first = start < 0 ? start + size : start;
    if (length < 0 || length > size || first < 0 || first > size - length) {
        return invalid(
            fmt::format("expected a range within {} positions, got {} from {}", size, length, start));
    }
    ReadView view = viewOf(self);
    view.narrow(all.dim, first, length);
    return copyView(context, view, out);
}

Result<> diagonalCopyOut(KernelContext& context, const Tensor& self, std::int64_t offset, std::int64_t dim1,
                         std::int64_t dim2, Tensor& out) {
    ET_ASSIGN(const Diagonal diagonal, computeDiagonal(self.sizes(), offset, dim1, dim2));
    ReadView view = viewOf(self);
    diagonal.applyTo(view);
    return copyView(context, view, out);
}

/// Sizes and strides select elements of the input's memory, whatever the input's shape.
Result<> asStridedCopyOut(KernelContext& context, const Tensor& self, IntList size, IntList stride,
                          std::optional<std::int64_t> storageOffset, Tensor& out) {
    ReadView view = viewOf(self);
    view.offset = storageOffset.value_or(0);
    ET_ASSIGN(view.sizes, sizesOf(size));
    if (stride.size() != size.size() || view.offset < 0 ||
        std::ranges::any_of(stride, [](std::int64_t step) { return step < 0; })) {
        return invalid(fmt::format("expected {} strides and an offset, all at least 0, got {} and {}",
                                   size.size(), core::sizesText(stride), view.offset));
    }
    view.strides = Strides(stride);
    std::int64_t last = view.offset;
    bool fits = true;
    for (std::size_t i = 0; i < size.size() && !view.isEmpty(); ++i) {
        std::int64_t distance = 0;
        fits = fits && !__builtin_mul_overflow(size[i] - 1, stride[i], &distance) &&
               !__builtin_add_overflow(last, distance, &last);
    }
    if (!view.isEmpty() && (!fits || last >= self.numel())) {
        return invalid(fmt::format("{} with strides {} from {} exceeds a storage of {} elements",
                                   core::sizesText(size), core::sizesText(stride), view.offset,
                                   self.numel()));
    }
    return copyView(context, view, out);
}

Result<> unfoldCopyOut(KernelContext& context, const Tensor& self, std::int64_t dimension, std::int64_t size,
                       std::int64_t step, Tensor& out) {
    ET_TRY(expectRank(self.dim() + 1));
    ET_ASSIGN(const std::size_t dim, wrapDim(dimension, self.dim()));
    const std::int64_t length = self.dim() == 0 ? 1 : self.size(dim);
    if (size < 0 || size > length || step < 1) {
        return invalid(
            fmt::format("expected windows of 0 to {} with a step of at least 1, got {} with a step of {}",
                        length, size, step));
    }
    ReadView view = viewOf(self);
    if (self.dim() == 0) {
        view.append(size, 0);
        return copyView(context, view, out);
    }
    const std::int64_t stride = view.strides[dim];
    view.narrow(dim, 0, (length - size) / step + 1, step);
    view.append(size, stride);
    return copyView(context, view, out);
}

Result<> viewAsRealCopyOut(KernelContext& context, const Tensor& self, Tensor& out) {
    ET_TRY(expectRank(self.dim() + 1));
    if (!core::isComplex(self.dtype())) {
        return unsupportedType(self.dtype());
    }
    ReadView view = complexPart(viewOf(self), 0);
    view.append(2, 1);
    return copyView(context, view, out);
}

Result<> viewAsComplexCopyOut(KernelContext& context, const Tensor& self, Tensor& out) {
    if (self.dim() == 0 || self.sizes().back() != 2) {
        return invalid(fmt::format("expected a last dimension of 2, got {}", core::sizesText(self.sizes())));
    }
    if (!core::isComplex(out.dtype())) {
        return unsupportedType(out.dtype());
    }
    Sizes sizes = self.sizes();
    sizes.erase(sizes.size() - 1);
    ET_TRY(out.resize(sizes));
    WriteView numbers = complexPart(viewOf(out), 0);
    ET_TRY(expectType(self, numbers.dtype, "input"));
    numbers.append(2, 1);
    return copyElements(context.threads(), viewOf(self), numbers);
}

Result<> flipOut(KernelContext& context, const Tensor& self, IntList dims, Tensor& out) {
    ET_ASSIGN(const DimSet named, wrapDims(dims, self.dim(), false));
    ReadView view = viewOf(self);
    for (std::size_t dim = 0; dim < self.dim(); ++dim) {
        if (named.test(dim)) {
            view.reverse(dim);
        }
    }
    return copyView(context, view, out);
}

constexpr KernelEntry shapeEntries[] = {
    {"aten::view_copy.out", box<&viewCopyOut>},
    {"aten::_unsafe_view.out", box<&viewCopyOut>},
    {"aten::_reshape_alias_copy.out", box<&reshapeAliasCopyOut>},
    {"aten::permute_copy.out", box<&permuteCopyOut>},
    {"aten::transpose_copy.int_out", box<&transposeCopyOut>},
    {"aten::t_copy.out", box<&tCopyOut>},
    {"aten::expand_copy.out", box<&expandCopyOut>},
    {"aten::unsqueeze_copy.out", box<&unsqueezeCopyOut>},
    {"aten::squeeze_copy.out", box<&squeezeCopyOut>},
    {"aten::squeeze_copy.dim_out", box<&squeezeCopyDimOut>},
    {"aten::squeeze_copy.dims_out", box<&squeezeCopyDimsOut>},
    {"aten::slice_copy.Tensor_out", box<&sliceCopyOut>},
    {"aten::select_copy.int_out", box<&selectCopyOut>},
    {"aten::narrow_copy.out", box<&narrowCopyOut>},
    {"aten::diagonal_copy.out", box<&diagonalCopyOut>},
    {"aten::as_strided_copy.out", box<&asStridedCopyOut>},
    {"aten::unfold_copy.out", box<&unfoldCopyOut>},
    {"aten::view_as_real_copy.out", box<&viewAsRealCopyOut>},
    {"aten::view_as_complex_copy.out", box<&viewAsComplexCopyOut>},
    {"aten::flip.out", box<&flipOut>},
};

}  // namespace

std::span<const KernelEntry> shapeKernels() {
    return shapeEntries;
}

}  // namespace et::kernels
