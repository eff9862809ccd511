#include "runtime/kernels/layout/views.h"

#include "runtime/kernels/kernel_context.h"

#include <fmt/format.h>

#include <algorithm>

namespace et::kernels {
namespace {

bool isRowMajor(const ReadView& view) {
    std::int64_t step = 1;
    for (std::size_t i = view.dim(); i-- > 0;) {
        if (view.sizes[i] != 1 && view.strides[i] != step) {
            return false;
        }
        step *= view.sizes[i];
    }
    return true;
}

core::Result<std::size_t> dimOf(const Sizes& sizes, std::int64_t dim) {
    if (sizes.empty()) {
        return invalid("expected a tensor with dimensions, got one without");
    }
    return wrapDim(dim, sizes.size());
}

}  // namespace

core::Result<> expectRank(std::size_t rank) {
    if (rank > core::maxDims) {
        return core::fail(core::ErrorCode::Limit,
                          fmt::format("{} dimensions exceed the maximum of {}", rank, core::maxDims));
    }
    return {};
}

core::Result<Sizes> sizesOf(IntList list) {
    ET_TRY(expectRank(list.size()));
    const auto negative = std::ranges::find_if(list, [](std::int64_t size) { return size < 0; });
    if (negative != list.end()) {
        return invalid(fmt::format("expected a size of at least 0, got {}", *negative));
    }
    return Sizes(list);
}

core::Result<std::int64_t> timesSize(std::int64_t size, std::int64_t factor) {
    std::int64_t product = 0;
    if (__builtin_mul_overflow(size, factor, &product)) {
        return invalid(fmt::format("a size of {} times {} is too large", size, factor));
    }
    return product;
}

core::Result<std::int64_t> plusSize(std::int64_t size, std::int64_t more) {
    std::int64_t sum = 0;
    if (__builtin_add_overflow(size, more, &sum)) {
        return invalid(fmt::format("a size of {} plus {} is too large", size, more));
    }
    return sum;
}

core::Result<> copyView(KernelContext& context, const ReadView& view, Tensor& out) {
    ET_TRY(expectType(out, view.dtype));
    return convertView(context, view, out);
}

core::Result<> convertView(KernelContext& context, const ReadView& view, Tensor& out) {
    ET_TRY(out.resize(view.sizes));
    return copyElements(context.threads(), view, viewOf(out));
}

core::Result<> copyReshaped(KernelContext& context, const ReadView& view, Tensor& out) {
    if (out.isContiguous()) {
        return copyElements(context.threads(), view, reshaped(viewOf(out), view.sizes));
    }
    ET_ASSIGN(const ReadView ordered, rowMajor(context, view));
    return copyElements(context.threads(), reshaped(ordered, out.sizes()), viewOf(out));
}

core::Result<ReadView> rowMajor(KernelContext& context, const ReadView& view) {
    if (view.isEmpty() || isRowMajor(view)) {
        return view;
    }
    std::size_t bytes = view.elementSize;
    for (const std::int64_t size : view.sizes) {
        bytes *= static_cast<std::size_t>(size);
    }
    ET_ASSIGN(const std::span<std::byte> memory, context.scratch<std::byte>(bytes));
    WriteView copy{.dtype = view.dtype,
                   .elementSize = view.elementSize,
                   .data = memory.data(),
                   .offset = 0,
                   .sizes = view.sizes,
                   .strides = rowMajorStrides(view.sizes)};
    ET_TRY(copyElements(context.threads(), view, copy));
    return copy;
}

core::Result<Slice> sliceOf(const Sizes& sizes, std::int64_t dim, std::optional<std::int64_t> start,
                            std::optional<std::int64_t> end, std::int64_t step) {
    ET_ASSIGN(const std::size_t wrapped, dimOf(sizes, dim));
    if (step < 1) {
        return invalid(fmt::format("expected a step of at least 1, got {}", step));
    }
    const std::int64_t size = sizes[wrapped];
    const auto placeOf = [size](std::int64_t position) {
        return std::clamp<std::int64_t>(position < 0 ? position + size : position, 0, size);
    };
    const std::int64_t first = placeOf(start.value_or(0));
    const std::int64_t last = placeOf(end.value_or(size));
    return Slice{.dim = wrapped,
                 .start = first,
                 .count = last > first ? (last - first - 1) / step + 1 : 0,
                 .step = step};
}

core::Result<Slice> positionOf(const Sizes& sizes, std::int64_t dim, std::int64_t index) {
    ET_ASSIGN(const std::size_t wrapped, dimOf(sizes, dim));
    const std::int64_t size = sizes[wrapped];
    if (index < -size || index >= size) {
        return invalid(fmt::format("expected an index from {} to {}, got {}", -size, size - 1, index));
    }
    return Slice{.dim = wrapped, .start = index < 0 ? index + size : index, .count = 1, .step = 1};
}

core::Result<Diagonal> computeDiagonal(const Sizes& sizes, std::int64_t offset, std::int64_t dim1,
                                       std::int64_t dim2) {
    Diagonal diagonal;
    ET_ASSIGN(diagonal.dim1, dimOf(sizes, dim1));
    ET_ASSIGN(diagonal.dim2, dimOf(sizes, dim2));
    if (diagonal.dim1 == diagonal.dim2) {
        return invalid(fmt::format("expected two different dimensions, got {} and {}", dim1, dim2));
    }
    const std::int64_t rows = sizes[diagonal.dim1];
    const std::int64_t columns = sizes[diagonal.dim2];
    diagonal.count = offset >= 0 ? std::min(rows, columns - std::min(offset, columns))
                                 : std::min(rows + std::max(offset, -rows), columns);
    diagonal.start1 = offset < 0 ? std::max(offset, -rows) * -1 : 0;
    diagonal.start2 = offset > 0 ? std::min(offset, columns) : 0;
    return diagonal;
}

}  // namespace et::kernels
