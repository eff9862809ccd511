#include "runtime/kernels/layout/index_values.h"

#include "runtime/kernels/layout/views.h"

#include <algorithm>

namespace et::kernels {
namespace {

/// Returns a row-major copy as elements of T. The view may repeat elements, so their number is checked.
template <class T>
core::Result<std::span<T>> convertedTo(KernelContext& context, const ReadView& view) {
    std::int64_t count = 1;
    for (const std::int64_t size : view.sizes) {
        ET_ASSIGN(count, timesSize(count, size));
    }
    ET_ASSIGN(const std::span<T> elements, context.scratch<T>(static_cast<std::size_t>(count)));
    const WriteView target{.dtype = core::scalarTypeOf<T>,
                           .elementSize = sizeof(T),
                           .data = reinterpret_cast<std::byte*>(elements.data()),
                           .offset = 0,
                           .sizes = view.sizes,
                           .strides = rowMajorStrides(view.sizes)};
    ET_TRY(copyElements(context.threads(), view, target));
    return elements;
}

}  // namespace

core::Result<std::span<const std::int64_t>> indexNumbers(KernelContext& context, const Tensor& index) {
    if (index.dtype() == ScalarType::Long && index.isContiguous()) {
        return std::span(index.data<std::int64_t>(), static_cast<std::size_t>(index.numel()));
    }
    if (index.dtype() != ScalarType::Long && index.dtype() != ScalarType::Int) {
        return unsupportedType(index.dtype());
    }
    return convertedTo<std::int64_t>(context, viewOf(index));
}

core::Result<std::span<const bool>> truthsOf(KernelContext& context, const ReadView& view) {
    ET_ASSIGN(const std::span<bool> truths, convertedTo<bool>(context, view));
    if (view.dtype == ScalarType::Bool) {
        // The bytes were copied unchanged; a file may contain bytes other than 0 and 1.
        auto* bytes = reinterpret_cast<std::byte*>(truths.data());
        std::transform(bytes, bytes + truths.size(), bytes,
                       [](std::byte byte) { return std::byte{byte != std::byte{}}; });
    }
    return truths;
}

}  // namespace et::kernels
