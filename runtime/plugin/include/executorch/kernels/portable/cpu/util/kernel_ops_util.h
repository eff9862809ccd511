#pragma once

#include <c10/util/irange.h>
#include <executorch/runtime/kernel/kernel_includes.h>

#include <tuple>

// Parameters of convolutions and pooling.
namespace torch::executor {

/// The parameter of dimension `i`: a list of one is for all, an empty one gives the default.
inline int64_t val_at(IntArrayRef array, size_t i, int64_t default_value = 1) {
    return array.empty() ? default_value : array.size() == 1 ? array[0] : array[i];
}

inline bool int_array_all_ge(IntArrayRef array, int64_t value) {
    for (size_t i = 0; i < array.size(); ++i) {
        ET_CHECK_OR_RETURN_FALSE(array[i] >= value, "item %zu is %" PRId64 ", less than %" PRId64, i,
                                 array[i], value);
    }
    return true;
}

namespace internal {
inline bool is_parameter(IntArrayRef array, int64_t least, size_t dims, bool allow_empty, const char* name) {
    ET_CHECK_OR_RETURN_FALSE(array.size() == 1 || array.size() == dims || (allow_empty && array.empty()),
                             "expected %zu numbers of %s, got %zu", dims, name, array.size());
    return int_array_all_ge(array, least);
}
}  // namespace internal

inline bool kernel_size_is_valid(IntArrayRef kernel_size, size_t kernel_ndim) {
    return internal::is_parameter(kernel_size, 1, kernel_ndim, false, "kernel size");
}
inline bool stride_is_valid(IntArrayRef stride, size_t kernel_ndim, bool allow_empty) {
    return internal::is_parameter(stride, 1, kernel_ndim, allow_empty, "stride");
}
inline bool dilation_is_valid(IntArrayRef dilation, size_t kernel_ndim) {
    return internal::is_parameter(dilation, 1, kernel_ndim, false, "dilation");
}
inline bool padding_is_valid(IntArrayRef padding, IntArrayRef kernel_size, size_t kernel_ndim,
                             bool enforce_half_kernel = false) {
    ET_LOG_AND_RETURN_IF_FALSE(internal::is_parameter(padding, 0, kernel_ndim, false, "padding"));
    for (size_t i = 0; enforce_half_kernel && i < padding.size(); ++i) {
        ET_CHECK_OR_RETURN_FALSE(2 * padding[i] <= val_at(kernel_size, i),
                                 "padding %" PRId64 " is more than half the kernel", padding[i]);
    }
    return true;
}
inline bool output_padding_is_valid(IntArrayRef output_padding, IntArrayRef stride, IntArrayRef dilation,
                                    size_t kernel_ndim) {
    ET_LOG_AND_RETURN_IF_FALSE(
        internal::is_parameter(output_padding, 0, kernel_ndim, false, "output padding"));
    for (size_t i = 0; i < kernel_ndim; ++i) {
        const int64_t size = val_at(output_padding, i);
        ET_CHECK_OR_RETURN_FALSE(size < val_at(stride, i) || size < val_at(dilation, i),
                                 "output padding %" PRId64 " is not less than stride or dilation", size);
    }
    return true;
}
inline bool output_size_is_valid(ArrayRef<::executorch::aten::SizesType> output_size, size_t kernel_ndim) {
    for (size_t i = output_size.size() - kernel_ndim; i < output_size.size(); ++i) {
        ET_CHECK_OR_RETURN_FALSE(output_size[i] > 0, "the output is empty in dimension %zu", i);
    }
    return true;
}

/// Whether alpha of an addition fits the dtype that is computed in.
inline bool check_alpha_type(ScalarType alpha_type, ScalarType common_type) {
    const bool is_bool = alpha_type == ScalarType::Bool && common_type != ScalarType::Bool;
    ET_CHECK_OR_RETURN_FALSE(canCast(alpha_type, common_type) || is_bool, "alpha of %s, computed in %s",
                             toString(alpha_type), toString(common_type));
    return true;
}

/// Number of windows over one dimension.
inline int64_t _kernel_output_size_helper(size_t size, int64_t pad_before, int64_t pad_after, int64_t kernel,
                                          int64_t stride, int64_t dilation, bool ceil_mode) {
    const int64_t room = static_cast<int64_t>(size) + pad_before + pad_after - dilation * (kernel - 1) - 1;
    int64_t count = (room + (ceil_mode ? stride - 1 : 0)) / stride + 1;
    // The last window starts inside the input or its left padding.
    if (ceil_mode && (count - 1) * stride >= static_cast<int64_t>(size) + pad_before) {
        --count;
    }
    return count;
}

inline void calculate_kernel_output_sizes(const Tensor& in, size_t kernel_ndim, IntArrayRef kernel_size,
                                          IntArrayRef stride, IntArrayRef padding, IntArrayRef dilation,
                                          ::executorch::aten::SizesType* out_sizes, bool ceil_mode = false,
                                          bool transposed = false, IntArrayRef output_padding = {}) {
    for (size_t i = 0; i < kernel_ndim; ++i) {
        const auto dim = static_cast<size_t>(in.dim()) - kernel_ndim + i;
        const int64_t size = in.sizes()[dim];
        const int64_t kernel = val_at(kernel_size, i);
        const int64_t step = val_at(stride, i, kernel);
        const int64_t pad = val_at(padding, i, 0);
        const int64_t spread = val_at(dilation, i);
        const int64_t out = transposed ? (size - 1) * step - 2 * pad + spread * (kernel - 1) +
                                             val_at(output_padding, i, 0) + 1
                                       : _kernel_output_size_helper(static_cast<size_t>(size), pad, pad,
                                                                    kernel, step, spread, ceil_mode);
        out_sizes[dim] = static_cast<::executorch::aten::SizesType>(out);
    }
}

}  // namespace torch::executor
