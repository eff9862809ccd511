#pragma once

#include <executorch/runtime/core/array_ref.h>
#include <executorch/runtime/core/error.h>
#include <executorch/runtime/core/portable_type/device.h>
#include <executorch/runtime/core/portable_type/scalar_type.h>
#include <executorch/runtime/core/result.h>
#include <executorch/runtime/core/tensor_shape_dynamism.h>
#include <executorch/runtime/platform/compiler.h>

namespace et_inspect {
struct TensorSlot;
class TensorAccess;
}  // namespace et_inspect

namespace executorch::runtime {

namespace internal {
class TensorResizerFriend;
}

namespace etensor {

/// Dtype, shape and borrowed memory of a tensor. Tensors of the host are resized by the host.
class TensorImpl {
  public:
    using SizesType = int32_t;
    using DimOrderType = uint8_t;
    using StridesType = int32_t;

    TensorImpl() = delete;
    /// Without strides, they are those of row-major order if there is no dim order either, and nothing
    /// otherwise.
    TensorImpl(ScalarType type, ssize_t dim, SizesType* sizes, void* data = nullptr,
               DimOrderType* dim_order = nullptr, StridesType* strides = nullptr,
               TensorShapeDynamism dynamism = TensorShapeDynamism::STATIC,
               DeviceType device_type = DeviceType::CPU, DeviceIndex device_index = 0);

    size_t nbytes() const { return static_cast<size_t>(elements) * static_cast<size_t>(element_size()); }
    ssize_t size(ssize_t dim) const {
        ET_CHECK_MSG(dim >= 0 && dim < dimensions, "dimension %zd is out of range [0, %zd)", dim, dimensions);
        return size_list[dim];
    }
    ssize_t dim() const { return dimensions; }
    ssize_t numel() const { return elements; }
    ScalarType scalar_type() const { return type; }
    ScalarType dtype() const { return type; }
    ssize_t element_size() const;
    const ArrayRef<SizesType> sizes() const { return {size_list, static_cast<size_t>(dimensions)}; }
    const ArrayRef<DimOrderType> dim_order() const { return {order, static_cast<size_t>(dimensions)}; }
    const ArrayRef<StridesType> strides() const { return {stride_list, static_cast<size_t>(dimensions)}; }
    TensorShapeDynamism shape_dynamism() const { return dynamism; }
    Device device() const { return placed; }
    DeviceType device_type() const { return placed.type(); }
    DeviceIndex device_index() const { return placed.index(); }

    const void* data() const { return memory; }
    template <typename T>
    const T* data() const {
        return static_cast<const T*>(memory);
    }
    void* mutable_data() const { return memory; }
    template <typename T>
    T* mutable_data() const {
        return static_cast<T*>(memory);
    }
    void set_data(void* data) { memory = data; }
    ET_DEPRECATED void set_sizes_contiguous(ArrayRef<SizesType> new_sizes) {
        ET_CHECK_MSG(internal_resize_contiguous(new_sizes) == Error::Ok, "the tensor cannot be resized");
    }

  private:
    friend class ::executorch::runtime::internal::TensorResizerFriend;
    friend class ::et_inspect::TensorAccess;

    /// A tensor of the host.
    explicit TensorImpl(::et_inspect::TensorSlot& of);

    ET_NODISCARD Error internal_resize_contiguous(ArrayRef<SizesType> new_sizes);

    SizesType* size_list;
    DimOrderType* order;
    StridesType* stride_list;
    void* memory;
    ssize_t dimensions;
    ssize_t elements;
    ssize_t most_elements;  ///< that fit the memory
    ScalarType type;
    TensorShapeDynamism dynamism;
    Device placed;
    ::et_inspect::TensorSlot* slot = nullptr;  ///< of the host; null: a tensor of the plugin
};

ssize_t compute_numel(const TensorImpl::SizesType* sizes, ssize_t dim);
/// Errors: InvalidArgument (a negative size, too many elements).
Result<ssize_t> safe_numel(const TensorImpl::SizesType* sizes, ssize_t dim);

// Conversion characters of printf.
#define ET_PRI_TENSOR_SIZE "zd"
#define ET_PRI_TENSOR_DIM "zd"
#define ET_PRI_TENSOR_NUMEL "zd"
#define ET_PRI_SIZES_AND_STRIDES "d"

}  // namespace etensor
}  // namespace executorch::runtime

namespace torch::executor {
using ::executorch::runtime::etensor::compute_numel;
using ::executorch::runtime::etensor::safe_numel;
using ::executorch::runtime::etensor::TensorImpl;
}  // namespace torch::executor
