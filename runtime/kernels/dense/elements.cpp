#include "runtime/kernels/dense/elements.h"

namespace et::kernels::dense {
namespace {

template <class T>
bool isRowMajorOf(const Tensor& tensor) {
    return tensor.dtype() == core::scalarTypeOf<T> && tensor.isContiguous();
}

}  // namespace

template <class T>
core::Result<> gather(KernelContext& context, const ReadView& view, T* to) {
    const WriteView target{.dtype = core::scalarTypeOf<T>,
                           .elementSize = sizeof(T),
                           .data = reinterpret_cast<std::byte*>(to),
                           .sizes = view.sizes,
                           .strides = rowMajorStrides(view.sizes)};
    return copyElements(context.threads(), view, target);
}

template <class T>
core::Result<const T*> rowMajor(KernelContext& context, const Tensor& tensor) {
    if (isRowMajorOf<T>(tensor)) {
        return tensor.data<T>();
    }
    ET_ASSIGN(const std::span<T> copy, context.scratch<T>(static_cast<std::size_t>(tensor.numel())));
    ET_TRY(gather(context, viewOf(tensor), copy.data()));
    return copy.data();
}

template <class T>
core::Result<T*> rowMajorResult(KernelContext& context, Tensor& out) {
    if (isRowMajorOf<T>(out)) {
        return out.mutableData<T>();
    }
    ET_ASSIGN(const std::span<T> copy, context.scratch<T>(static_cast<std::size_t>(out.numel())));
    return copy.data();
}

template <class T>
core::Result<> finishRowMajor(KernelContext& context, const T* elements, Tensor& out) {
    if (isRowMajorOf<T>(out)) {
        return {};
    }
    const ReadView view{.dtype = core::scalarTypeOf<T>,
                        .elementSize = sizeof(T),
                        .data = reinterpret_cast<const std::byte*>(elements),
                        .sizes = out.sizes(),
                        .strides = rowMajorStrides(out.sizes())};
    return copyElements(context.threads(), view, viewOf(out));
}

#define ET_INSTANTIATE(T)                                                       \
    template core::Result<> gather<T>(KernelContext&, const ReadView&, T*);     \
    template core::Result<const T*> rowMajor<T>(KernelContext&, const Tensor&); \
    template core::Result<T*> rowMajorResult<T>(KernelContext&, Tensor&);       \
    template core::Result<> finishRowMajor<T>(KernelContext&, const T*, Tensor&);
ET_INSTANTIATE(float)
ET_INSTANTIATE(double)
ET_INSTANTIATE(std::int64_t)
#undef ET_INSTANTIATE

}  // namespace et::kernels::dense
