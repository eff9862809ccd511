// Shapes of tensors: TensorImpl and the functions of tensor_util.h.

#include <et_inspect/adapter.h>
#include <executorch/runtime/core/exec_aten/util/tensor_util.h>

#include <cstring>

namespace executorch::runtime {

namespace etensor {

ssize_t compute_numel(const TensorImpl::SizesType* sizes, ssize_t dim) {
    ET_CHECK_MSG(dim == 0 || sizes != nullptr, "a tensor with dimensions needs sizes");
    auto count = safe_numel(sizes, dim);
    ET_CHECK_MSG(count.ok(), "a size is negative or the tensor is too large");
    return *count;
}

Result<ssize_t> safe_numel(const TensorImpl::SizesType* sizes, ssize_t dim) {
    ssize_t count = 1;
    for (ssize_t i = 0; i < dim; ++i) {
        ET_CHECK_OR_RETURN_ERROR(
            sizes[i] >= 0 && !c10::mul_overflows(count, static_cast<ssize_t>(sizes[i]), &count),
            InvalidArgument, "invalid size %d of dimension %zd", sizes[i], i);
    }
    return count;
}

TensorImpl::TensorImpl(ScalarType scalar_type, ssize_t dim, SizesType* sizes, void* data,
                       DimOrderType* dim_order, StridesType* strides, TensorShapeDynamism shape_dynamism,
                       DeviceType device_type, DeviceIndex device_index)
    : size_list(sizes),
      order(dim_order),
      stride_list(strides),
      memory(data),
      dimensions(dim),
      elements(compute_numel(sizes, dim)),
      most_elements(elements),
      type(scalar_type),
      dynamism(shape_dynamism),
      placed(device_type, device_index) {
    ET_CHECK_MSG(isValid(type), "invalid dtype %d", static_cast<int>(type));
}

TensorImpl::TensorImpl(::et_inspect::TensorSlot& of)
    : size_list(of.sizes),
      order(of.dimOrder),
      stride_list(of.strides),
      memory(of.data),
      dimensions(of.dims),
      elements(of.elements),
      most_elements(of.capacity),
      type(static_cast<ScalarType>(of.dtype)),
      dynamism(static_cast<TensorShapeDynamism>(of.dynamism)),
      placed(DeviceType::CPU),
      slot(&of) {
}

ssize_t TensorImpl::element_size() const {
    return static_cast<ssize_t>(elementSize(type));
}

Error TensorImpl::internal_resize_contiguous(ArrayRef<SizesType> new_sizes) {
    if (new_sizes == sizes()) {
        return Error::Ok;
    }
    ET_CHECK_OR_RETURN_ERROR(static_cast<ssize_t>(new_sizes.size()) == dimensions, NotSupported,
                             "cannot change the rank of a tensor from %zd to %zu", dimensions,
                             new_sizes.size());
    auto count = safe_numel(new_sizes.data(), dimensions);
    if (!count.ok()) {
        return count.error();
    }
    if (slot != nullptr) {
        const char* const problem = et_inspect::host().resize(slot, new_sizes.data(), new_sizes.size());
        ET_CHECK_OR_RETURN_ERROR(problem == nullptr, NotSupported, "%s", problem);
        memory = slot->data;
        elements = slot->elements;
        return Error::Ok;
    }
    ET_CHECK_OR_RETURN_ERROR(dynamism != TensorShapeDynamism::STATIC, NotSupported,
                             "cannot resize a tensor of fixed shape");
    ET_CHECK_OR_RETURN_ERROR(*count <= most_elements || dynamism == TensorShapeDynamism::DYNAMIC_UNBOUND,
                             NotSupported, "cannot resize a tensor of at most %zd elements to %zd",
                             most_elements, *count);
    std::memcpy(size_list, new_sizes.data(), new_sizes.size() * sizeof(SizesType));
    elements = *count;
    if (order != nullptr && stride_list != nullptr) {
        dim_order_to_stride_nocheck(size_list, order, static_cast<size_t>(dimensions), stride_list);
    }
    return Error::Ok;
}

}  // namespace etensor

namespace internal {

class TensorResizerFriend {
  public:
    static Error resize(aten::TensorImpl* impl, aten::ArrayRef<aten::SizesType> sizes) {
        return impl->internal_resize_contiguous(sizes);
    }
};

Error resize_tensor_impl(aten::TensorImpl* impl, aten::ArrayRef<aten::SizesType> new_sizes) {
    return TensorResizerFriend::resize(impl, new_sizes);
}
Error share_tensor_data(const aten::Tensor& to, const aten::Tensor& from) {
    ET_CHECK_OR_RETURN_ERROR(to.nbytes() == from.nbytes(), InvalidArgument, "the tensors differ in size");
    to.unsafeGetTensorImpl()->set_data(from.mutable_data_ptr());
    return Error::Ok;
}
Error copy_tensor_data(const aten::Tensor& to, const aten::Tensor& from) {
    ET_CHECK_OR_RETURN_ERROR(
        to.nbytes() == from.nbytes() && (to.nbytes() == 0 || to.const_data_ptr() != nullptr), InvalidArgument,
        "the tensors differ in size or have no memory");
    if (to.nbytes() != 0) {
        std::memmove(to.mutable_data_ptr(), from.const_data_ptr(), to.nbytes());
    }
    return Error::Ok;
}
Error set_tensor_data(const aten::Tensor& tensor, void* buffer, size_t size) {
    ET_CHECK_OR_RETURN_ERROR(size >= tensor.nbytes(), InvalidArgument, "expected at least %zu bytes, got %zu",
                             tensor.nbytes(), size);
    tensor.unsafeGetTensorImpl()->set_data(buffer);
    return Error::Ok;
}
void reset_data_ptr(const aten::Tensor& tensor) {
    tensor.unsafeGetTensorImpl()->set_data(nullptr);
}

}  // namespace internal

bool tensor_has_valid_dim_order(aten::Tensor tensor) {
    ET_CHECK_OR_RETURN_FALSE(validate_dim_order(tensor.dim_order().data(), tensor.dim_order().size()),
                             "the dim order is not a permutation");
    return true;
}
bool tensor_is_default_dim_order(aten::Tensor tensor) {
    ET_CHECK_OR_RETURN_FALSE(is_contiguous_dim_order(tensor.dim_order().data(), tensor.dim_order().size()),
                             "expected row-major order");
    return true;
}
bool tensor_is_channels_last_dim_order(aten::Tensor tensor) {
    ET_CHECK_OR_RETURN_FALSE(is_channels_last_dim_order(tensor.dim_order().data(), tensor.dim_order().size()),
                             "expected channels-last order");
    return true;
}
bool tensor_is_default_or_channels_last_dim_order(aten::Tensor tensor) {
    const auto order = tensor.dim_order();
    ET_CHECK_OR_RETURN_FALSE(is_contiguous_dim_order(order.data(), order.size()) ||
                                 is_channels_last_dim_order(order.data(), order.size()),
                             "expected row-major or channels-last order");
    return true;
}
bool tensors_have_same_dim_order(aten::ArrayRef<aten::Tensor> tensors) {
    bool all_default = true;
    bool all_last = true;
    for (const aten::Tensor& each : tensors) {
        const auto order = each.dim_order();
        all_default = all_default && is_contiguous_dim_order(order.data(), order.size());
        all_last = all_last && is_channels_last_dim_order(order.data(), order.size());
    }
    ET_CHECK_OR_RETURN_FALSE(all_default || all_last,
                             "expected tensors in row-major order, or tensors in channels-last order");
    return true;
}

Error get_dim_order(const aten::Tensor& tensor, aten::DimOrderType* dim_order, size_t size) {
    ET_CHECK_OR_RETURN_ERROR(size == tensor.dim_order().size(), InvalidArgument,
                             "expected space for %zu dimensions, got %zu", tensor.dim_order().size(), size);
    std::memcpy(dim_order, tensor.dim_order().data(), size);
    return Error::Ok;
}

}  // namespace executorch::runtime
