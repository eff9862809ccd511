#pragma once

#include <executorch/runtime/core/portable_type/tensor_impl.h>
#include <executorch/runtime/platform/compiler.h>

namespace executorch::runtime::etensor {

/// A reference to a TensorImpl.
class Tensor {
  public:
    using SizesType = TensorImpl::SizesType;
    using DimOrderType = TensorImpl::DimOrderType;
    using StridesType = TensorImpl::StridesType;

    Tensor() = delete;
    explicit constexpr Tensor(TensorImpl* of) : impl(of) {}
    TensorImpl* unsafeGetTensorImpl() const { return impl; }

    size_t nbytes() const { return impl->nbytes(); }
    ssize_t size(ssize_t dim) const { return impl->size(dim); }
    ssize_t dim() const { return impl->dim(); }
    ssize_t numel() const { return impl->numel(); }
    ScalarType scalar_type() const { return impl->scalar_type(); }
    ScalarType dtype() const { return impl->scalar_type(); }
    ssize_t element_size() const { return impl->element_size(); }
    const ArrayRef<SizesType> sizes() const { return impl->sizes(); }
    const ArrayRef<DimOrderType> dim_order() const { return impl->dim_order(); }
    const ArrayRef<StridesType> strides() const { return impl->strides(); }
    TensorShapeDynamism shape_dynamism() const { return impl->shape_dynamism(); }
    Device device() const { return impl->device(); }
    DeviceType device_type() const { return impl->device_type(); }
    DeviceIndex device_index() const { return impl->device_index(); }

    template <typename T>
    const T* const_data_ptr() const {
        return impl->data<T>();
    }
    const void* const_data_ptr() const { return impl->data(); }
    template <typename T>
    T* mutable_data_ptr() const {
        return impl->mutable_data<T>();
    }
    void* mutable_data_ptr() const { return impl->mutable_data(); }
    template <typename T>
    ET_DEPRECATED T* data_ptr() const {
        return impl->mutable_data<T>();
    }
    ET_DEPRECATED void* data_ptr() const { return impl->mutable_data(); }
    ET_DEPRECATED void set_data(void* data) const { impl->set_data(data); }

  private:
    TensorImpl* impl = nullptr;
};

}  // namespace executorch::runtime::etensor

namespace torch::executor {
using ::executorch::runtime::etensor::Tensor;
}
