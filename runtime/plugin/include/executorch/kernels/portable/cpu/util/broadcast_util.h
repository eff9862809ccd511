#pragma once

#include <c10/util/irange.h>
#include <executorch/kernels/portable/cpu/util/broadcast_indexes_range.h>
#include <executorch/kernels/portable/cpu/util/delinearize_index.h>
#include <executorch/runtime/core/exec_aten/exec_aten.h>
#include <executorch/runtime/core/exec_aten/util/tensor_util.h>

// Broadcasting: dimensions are aligned at the last; those of size 1 are repeated.
namespace torch::executor {

using SizeArray = ArrayRef<Tensor::SizesType>;

inline bool tensor_is_broadcastable_to(SizeArray from, SizeArray to) {
    if (from.size() > to.size()) {
        return false;
    }
    const size_t before = to.size() - from.size();
    for (size_t i = 0; i < from.size(); ++i) {
        if (from[i] != 1 && from[i] != to[before + i]) {
            return false;
        }
    }
    return true;
}
inline bool tensor_is_broadcastable_to(const Tensor& from, const Tensor& to) {
    return tensor_is_broadcastable_to(from.sizes(), to.sizes());
}

inline bool tensors_are_broadcastable_between(SizeArray a, SizeArray b) {
    for (size_t i = 1; i <= a.size() && i <= b.size(); ++i) {
        const auto size_a = a[a.size() - i];
        const auto size_b = b[b.size() - i];
        if (size_a != size_b && size_a != 1 && size_b != 1) {
            return false;
        }
    }
    return true;
}
inline bool tensors_are_broadcastable_between(const Tensor& a, const Tensor& b) {
    return tensors_are_broadcastable_between(a.sizes(), b.sizes());
}

ET_NODISCARD inline Error get_broadcast_target_size(SizeArray a, SizeArray b, Tensor::SizesType* out_sizes,
                                                    size_t out_sizes_len, size_t* out_dim) {
    const size_t dims = a.size() > b.size() ? a.size() : b.size();
    ET_CHECK_OR_RETURN_ERROR(tensors_are_broadcastable_between(a, b), InvalidArgument,
                             "the shapes cannot be broadcast to each other");
    ET_CHECK_OR_RETURN_ERROR(dims <= out_sizes_len, InvalidArgument, "no space for %zu sizes", dims);
    for (size_t i = 1; i <= dims; ++i) {
        const auto size_a = i <= a.size() ? a[a.size() - i] : 1;
        const auto size_b = i <= b.size() ? b[b.size() - i] : 1;
        out_sizes[dims - i] = size_a == 1 ? size_b : size_a;
    }
    *out_dim = dims;
    return Error::Ok;
}
ET_NODISCARD inline Error get_broadcast_target_size(const Tensor& a, const Tensor& b,
                                                    Tensor::SizesType* out_sizes, size_t out_sizes_len,
                                                    size_t* out_dim) {
    return get_broadcast_target_size(a.sizes(), b.sizes(), out_sizes, out_sizes_len, out_dim);
}

ET_NODISCARD inline Error resize_to_broadcast_target_size(const Tensor& a, const Tensor& b, Tensor& out) {
    Tensor::SizesType sizes[kTensorDimensionLimit];
    size_t dims = 0;
    ET_CHECK_OK_OR_RETURN_ERROR(get_broadcast_target_size(a, b, sizes, kTensorDimensionLimit, &dims));
    return resize_tensor(out, SizeArray(sizes, dims));
}
ET_NODISCARD inline Error resize_to_broadcast_target_size(const Tensor& a, const Tensor& b, const Tensor& c,
                                                          Tensor& out) {
    Tensor::SizesType first[kTensorDimensionLimit];
    size_t first_dims = 0;
    ET_CHECK_OK_OR_RETURN_ERROR(get_broadcast_target_size(a, b, first, kTensorDimensionLimit, &first_dims));
    Tensor::SizesType sizes[kTensorDimensionLimit];
    size_t dims = 0;
    ET_CHECK_OK_OR_RETURN_ERROR(get_broadcast_target_size(SizeArray(first, first_dims), c.sizes(), sizes,
                                                          kTensorDimensionLimit, &dims));
    return resize_tensor(out, SizeArray(sizes, dims));
}

/// The index of the input's element for the output's coordinates.
inline size_t linearize_access_indexes(ArrayRef<size_t> indexes, ssize_t to_dims, SizeArray from_shape,
                                       ArrayRef<Tensor::StridesType> from_strides) {
    const size_t before = static_cast<size_t>(to_dims) - from_shape.size();
    size_t at = 0;
    for (size_t i = 0; i < from_shape.size(); ++i) {
        if (from_shape[i] != 1) {
            at += indexes[before + i] * static_cast<size_t>(from_strides[i]);
        }
    }
    return at;
}
inline size_t linearize_access_indexes(ArrayRef<size_t> indexes, ssize_t to_dims, const Tensor& from) {
    return linearize_access_indexes(indexes, to_dims, from.sizes(), from.strides());
}

template <typename CTYPE_A, typename CTYPE_B, typename CTYPE_OUT, typename Op>
void apply_binary_elementwise_fn(const Op& compute, const Tensor& a, const Tensor& b, const Tensor& out) {
    const auto* const data_a = a.const_data_ptr<CTYPE_A>();
    const auto* const data_b = b.const_data_ptr<CTYPE_B>();
    auto* const data_out = out.mutable_data_ptr<CTYPE_OUT>();
    for (const auto [at, at_a, at_b] : BroadcastIndexesRange<2>(out, a, b)) {
        data_out[at] = compute(data_a[at_a], data_b[at_b]);
    }
}
template <typename CTYPE_A, typename CTYPE_B, typename CTYPE_C, typename CTYPE_OUT, typename Op>
void apply_ternary_elementwise_fn(const Op& compute, const Tensor& a, const Tensor& b, const Tensor& c,
                                  const Tensor& out) {
    const auto* const data_a = a.const_data_ptr<CTYPE_A>();
    const auto* const data_b = b.const_data_ptr<CTYPE_B>();
    const auto* const data_c = c.const_data_ptr<CTYPE_C>();
    auto* const data_out = out.mutable_data_ptr<CTYPE_OUT>();
    for (const auto [at, at_a, at_b, at_c] : BroadcastIndexesRange<3>(out, a, b, c)) {
        data_out[at] = compute(data_a[at_a], data_b[at_b], data_c[at_c]);
    }
}

}  // namespace torch::executor
