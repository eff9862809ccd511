#pragma once

#include <c10/util/irange.h>
#include <c10/util/safe_numerics.h>
#include <executorch/runtime/core/array_ref.h>
#include <executorch/runtime/core/error.h>
#include <executorch/runtime/core/exec_aten/exec_aten.h>
#include <executorch/runtime/core/exec_aten/util/dim_order_util.h>
#include <executorch/runtime/core/exec_aten/util/scalar_type_util.h>
#include <executorch/runtime/core/exec_aten/util/tensor_dimension_limit.h>
#include <executorch/runtime/core/exec_aten/util/tensor_shape_to_c_string.h>
#include <executorch/runtime/core/span.h>
#include <executorch/runtime/platform/assert.h>
#include <executorch/runtime/platform/compiler.h>

#include <algorithm>
#include <array>
#include <cinttypes>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <initializer_list>
#include <limits>
#include <type_traits>

// Checks, shapes and indices of tensors. Functions named tensor_* or tensors_* that return false log why.

#define ET_TENSOR_CHECK_PREFIX__ "the tensors differ"
#define ET_MIN2(a, b) (std::min(a, b))
#define ET_MIN3(a, b, c) (std::min(a, std::min(b, c)))
#define ET_NORMALIZE_IX(index_, bound_) ((index_) < 0 ? (index_) + (bound_) : (index_))

#define ET_INTERNAL_CHECK_RANGE(what_, index_, bound_)                                                 \
    ET_CHECK_MSG((index_) >= -static_cast<int64_t>(bound_) && (index_) < static_cast<int64_t>(bound_), \
                 what_ " %" PRId64 " is out of range [-%" PRId64 ", %" PRId64 ")",                     \
                 static_cast<int64_t>(index_), static_cast<int64_t>(bound_), static_cast<int64_t>(bound_))
#define ET_CHECK_VALID_IX(index_, bound_) ET_INTERNAL_CHECK_RANGE("index", index_, bound_)
#define ET_CHECK_VALID_DIM(dim_, bound_) ET_INTERNAL_CHECK_RANGE("dimension", dim_, bound_)
#define ET_CHECK_NON_ZERO_DIM_SIZE(dim_, tensor_)                                    \
    const size_t udim = static_cast<size_t>(ET_NORMALIZE_IX(dim_, (tensor_).dim())); \
    ET_CHECK_MSG((tensor_).size(static_cast<ssize_t>(udim)) != 0, "dimension %zu is empty", udim);

#define ET_CHECK_SAME_SHAPE2(a_, b_)                                                              \
    ET_CHECK_MSG(::executorch::runtime::tensors_have_same_shape(a_, b_), ET_TENSOR_CHECK_PREFIX__ \
                 " in "                                                                           \
                 "shape")
#define ET_CHECK_SAME_SHAPE3(a_, b_, c_)                                     \
    ET_CHECK_MSG(::executorch::runtime::tensors_have_same_shape(a_, b_, c_), \
                 ET_TENSOR_CHECK_PREFIX__ " in shape")
#define ET_CHECK_SAME_DTYPE2(a_, b_)                                                              \
    ET_CHECK_MSG(::executorch::runtime::tensors_have_same_dtype(a_, b_), ET_TENSOR_CHECK_PREFIX__ \
                 " in "                                                                           \
                 "dtype")
#define ET_CHECK_SAME_DTYPE3(a_, b_, c_)                                     \
    ET_CHECK_MSG(::executorch::runtime::tensors_have_same_dtype(a_, b_, c_), \
                 ET_TENSOR_CHECK_PREFIX__ " in dtype")
#define ET_CHECK_SAME_SHAPE_AND_DTYPE2(a_, b_) \
    do {                                       \
        ET_CHECK_SAME_DTYPE2(a_, b_);          \
        ET_CHECK_SAME_SHAPE2(a_, b_);          \
    } while (0)
#define ET_CHECK_SAME_SHAPE_AND_DTYPE3(a_, b_, c_) \
    do {                                           \
        ET_CHECK_SAME_DTYPE3(a_, b_, c_);          \
        ET_CHECK_SAME_SHAPE3(a_, b_, c_);          \
    } while (0)
#define ET_CHECK_SAME_STRIDES2(a_, b_)                                     \
    ET_CHECK_MSG(::executorch::runtime::tensors_have_same_strides(a_, b_), \
                 ET_TENSOR_CHECK_PREFIX__ " in strides")
#define ET_CHECK_SAME_STRIDES3(a_, b_, c_)                                     \
    ET_CHECK_MSG(::executorch::runtime::tensors_have_same_strides(a_, b_, c_), \
                 ET_TENSOR_CHECK_PREFIX__ " in strides")
#define ET_CHECK_CONTIGUOUS(tensor_) \
    ET_CHECK_MSG(::executorch::runtime::tensor_is_contiguous(tensor_), "the tensor is not contiguous")
#define ET_CHECK_DEFAULT_OR_CHANNELSLAST_DIMORDER(tensor_)                                     \
    ET_CHECK_MSG(::executorch::runtime::tensor_is_default_or_channels_last_dim_order(tensor_), \
                 "expected row-major or channels-last order")

#define ET_LOG_AND_RETURN_IF_FALSE(condition_) ET_CHECK_OR_RETURN_FALSE(condition_, "")
#define ET_LOG_MSG_AND_RETURN_IF_FALSE ET_CHECK_OR_RETURN_FALSE

#define ET_KERNEL_CHECK(context_, condition_, error_, result_)     \
    do {                                                           \
        if (!(condition_)) {                                       \
            ET_LOG(Error, "check failed (%s)", #condition_);       \
            (context_).fail(::executorch::runtime::Error::error_); \
            return result_;                                        \
        }                                                          \
    } while (false)
#define ET_KERNEL_CHECK_MSG(context_, condition_, error_, result_, message_, ...)      \
    do {                                                                               \
        if (!(condition_)) {                                                           \
            ET_LOG(Error, "check failed (%s): " message_, #condition_, ##__VA_ARGS__); \
            (context_).fail(::executorch::runtime::Error::error_);                     \
            return result_;                                                            \
        }                                                                              \
    } while (false)
#define ET_EXTRACT_SCALAR_TENSOR(tensor_, result_) \
    ET_CHECK_MSG(extract_scalar_tensor(tensor_, &(result_)), #tensor_ " has the wrong dtype or range");

namespace executorch::runtime {

namespace internal {

using ::executorch::aten::ArrayRef;
using ::executorch::aten::Tensor;

Error resize_tensor_impl(::executorch::aten::TensorImpl* impl,
                         ArrayRef<::executorch::aten::SizesType> new_sizes);
Error share_tensor_data(const Tensor& to, const Tensor& from);
Error copy_tensor_data(const Tensor& to, const Tensor& from);
Error set_tensor_data(const Tensor& tensor, void* buffer, size_t size);
void reset_data_ptr(const Tensor& tensor);

inline bool has_dtype(const Tensor& tensor, bool is_right, const char* expected) {
    ET_CHECK_OR_RETURN_FALSE(is_right, "expected %s, got a tensor of %s", expected,
                             toString(tensor.scalar_type()));
    return true;
}

}  // namespace internal

inline bool dim_is_valid(int64_t dim, int64_t upper_bound) {
    ET_CHECK_OR_RETURN_FALSE(dim >= -upper_bound && dim < upper_bound,
                             "dimension %" PRId64 " is out of range [-%" PRId64 ", %" PRId64 ")", dim,
                             upper_bound, upper_bound);
    return true;
}

/// Treats a scalar as a vector of one element.
inline ssize_t nonzero_dim(const aten::Tensor& tensor) {
    return tensor.dim() == 0 ? 1 : tensor.dim();
}
inline ssize_t nonempty_size(const aten::Tensor& tensor, ssize_t dim) {
    return tensor.dim() == 0 ? 1 : tensor.size(dim);
}

inline bool tensor_can_cast_to(aten::Tensor tensor, aten::ScalarType dtype) {
    ET_CHECK_OR_RETURN_FALSE(canCast(tensor.scalar_type(), dtype), "%s cannot be cast to %s",
                             toString(tensor.scalar_type()), toString(dtype));
    return true;
}
inline bool tensor_is_bool_type(aten::Tensor tensor) {
    return internal::has_dtype(tensor, tensor.scalar_type() == aten::ScalarType::Bool, "bool");
}
inline bool tensor_is_type(aten::Tensor tensor, aten::ScalarType dtype) {
    return internal::has_dtype(tensor, tensor.scalar_type() == dtype, toString(dtype));
}
inline bool tensor_is_type(aten::Tensor tensor, aten::ScalarType dtype, aten::ScalarType dtype2) {
    const aten::ScalarType type = tensor.scalar_type();
    ET_CHECK_OR_RETURN_FALSE(type == dtype || type == dtype2, "expected %s or %s, got %s", toString(dtype),
                             toString(dtype2), toString(type));
    return true;
}
inline bool tensor_is_type(aten::Tensor tensor, aten::ScalarType dtype, aten::ScalarType dtype2,
                           aten::ScalarType dtype3) {
    const aten::ScalarType type = tensor.scalar_type();
    ET_CHECK_OR_RETURN_FALSE(type == dtype || type == dtype2 || type == dtype3,
                             "expected %s, %s or %s, got %s", toString(dtype), toString(dtype2),
                             toString(dtype3), toString(type));
    return true;
}
inline bool tensor_is_integral_type(aten::Tensor tensor, bool includeBool = false) {
    return internal::has_dtype(tensor, isIntegralType(tensor.scalar_type(), includeBool), "integers");
}
inline bool tensor_is_floating_type(aten::Tensor tensor) {
    return internal::has_dtype(tensor, isFloatingType(tensor.scalar_type()), "floating point numbers");
}
inline bool tensor_is_real_type(aten::Tensor tensor) {
    return internal::has_dtype(tensor, isRealType(tensor.scalar_type()), "real numbers");
}
inline bool tensor_is_realh_type(aten::Tensor tensor) {
    return internal::has_dtype(tensor, isRealHType(tensor.scalar_type()), "real numbers");
}
inline bool tensor_is_realhbf16_type(aten::Tensor tensor) {
    return internal::has_dtype(tensor, isRealHBF16Type(tensor.scalar_type()), "real numbers");
}
inline bool tensor_is_realhb_type(aten::Tensor tensor) {
    return internal::has_dtype(tensor, isRealHBType(tensor.scalar_type()), "real numbers or bool");
}
inline bool tensor_is_realhbbf16_type(aten::Tensor tensor) {
    return internal::has_dtype(tensor, isRealHBBF16Type(tensor.scalar_type()), "real numbers or bool");
}
inline bool tensor_is_complex_type(aten::Tensor tensor) {
    return internal::has_dtype(tensor, isComplexType(tensor.scalar_type()), "complex numbers");
}
inline bool tensor_is_bits_type(aten::Tensor tensor) {
    return internal::has_dtype(tensor, isBitsType(tensor.scalar_type()), "bits");
}

inline bool tensors_have_same_dtype(aten::Tensor a, aten::Tensor b) {
    ET_CHECK_OR_RETURN_FALSE(a.scalar_type() == b.scalar_type(),
                             ET_TENSOR_CHECK_PREFIX__ " in dtype: %s and %s", toString(a.scalar_type()),
                             toString(b.scalar_type()));
    return true;
}
inline bool tensors_have_same_dtype(aten::Tensor a, aten::Tensor b, aten::Tensor c) {
    return tensors_have_same_dtype(a, b) && tensors_have_same_dtype(a, c);
}

inline bool tensor_is_rank(aten::Tensor tensor, size_t rank) {
    ET_CHECK_OR_RETURN_FALSE(static_cast<size_t>(tensor.dim()) == rank, "expected %zu dimensions, got %zd",
                             rank, tensor.dim());
    return true;
}
inline bool tensor_has_rank_greater_or_equal_to(aten::Tensor tensor, size_t rank) {
    ET_CHECK_OR_RETURN_FALSE(static_cast<size_t>(tensor.dim()) >= rank,
                             "expected at least %zu dimensions, got %zd", rank, tensor.dim());
    return true;
}
inline bool tensor_has_rank_smaller_or_equal_to(aten::Tensor tensor, size_t rank) {
    ET_CHECK_OR_RETURN_FALSE(static_cast<size_t>(tensor.dim()) <= rank,
                             "expected at most %zu dimensions, got %zd", rank, tensor.dim());
    return true;
}
inline bool tensors_have_same_rank(aten::Tensor a, aten::Tensor b) {
    ET_CHECK_OR_RETURN_FALSE(a.dim() == b.dim(), ET_TENSOR_CHECK_PREFIX__ " in rank: %zd and %zd", a.dim(),
                             b.dim());
    return true;
}
inline bool tensor_has_dim(aten::Tensor tensor, int64_t dim) {
    return dim_is_valid(dim, nonzero_dim(tensor));
}
inline bool tensor_has_non_empty_dim(aten::Tensor tensor, int64_t dim) {
    ET_LOG_AND_RETURN_IF_FALSE(tensor_has_dim(tensor, dim));
    ET_LOG_AND_RETURN_IF_FALSE(tensor.size(ET_NORMALIZE_IX(dim, tensor.dim())) != 0);
    return true;
}
inline bool tensor_dim_has_index(aten::Tensor tensor, int64_t dim, int64_t index) {
    ET_CHECK_VALID_DIM(dim, tensor.dim());
    const ssize_t size = tensor.size(ET_NORMALIZE_IX(dim, tensor.dim()));
    ET_CHECK_OR_RETURN_FALSE(index >= -size && index < size,
                             "index %" PRId64 " is out of range [-%zd, %zd) of dimension %" PRId64, index,
                             size, size, dim);
    return true;
}
inline bool tensors_have_same_size_at_dims(aten::Tensor a, size_t dim_a, aten::Tensor b, size_t dim_b) {
    ET_CHECK_OR_RETURN_FALSE(static_cast<ssize_t>(dim_a) < a.dim() && static_cast<ssize_t>(dim_b) < b.dim(),
                             "no dimension %zu or %zu in tensors of rank %zd and %zd", dim_a, dim_b, a.dim(),
                             b.dim());
    const ssize_t size_a = a.size(static_cast<ssize_t>(dim_a));
    const ssize_t size_b = b.size(static_cast<ssize_t>(dim_b));
    ET_CHECK_OR_RETURN_FALSE(size_a == size_b,
                             ET_TENSOR_CHECK_PREFIX__ ": size(%zu) is %zd, size(%zu) is %zd", dim_a, size_a,
                             dim_b, size_b);
    return true;
}

/// Tensors with one element each have the same shape.
inline bool tensors_have_same_shape(aten::Tensor a, aten::Tensor b) {
    if ((a.numel() == 1 && b.numel() == 1) || a.sizes() == b.sizes()) {
        return true;
    }
    ET_LOG(Error, ET_TENSOR_CHECK_PREFIX__ " in shape: %s and %s",
           tensor_shape_to_c_string(Span<const int32_t>(a.sizes().data(), a.sizes().size())).data(),
           tensor_shape_to_c_string(Span<const int32_t>(b.sizes().data(), b.sizes().size())).data());
    return false;
}
inline bool tensors_have_same_shape(aten::Tensor a, aten::Tensor b, aten::Tensor c) {
    return tensors_have_same_shape(a, b) && tensors_have_same_shape(a, c);
}
inline bool tensors_have_same_shape_and_dtype(aten::Tensor a, aten::Tensor b) {
    return tensors_have_same_shape(a, b) && tensors_have_same_dtype(a, b);
}
inline bool tensors_have_same_shape_and_dtype(aten::Tensor a, aten::Tensor b, aten::Tensor c) {
    return tensors_have_same_shape(a, b, c) && tensors_have_same_dtype(a, b, c);
}
inline bool tensor_has_expected_size(aten::Tensor tensor, aten::ArrayRef<aten::SizesType> expected) {
    ET_CHECK_OR_RETURN_FALSE(
        tensor.sizes() == expected, "expected shape %s, got %s",
        tensor_shape_to_c_string(Span<const int32_t>(expected.data(), expected.size())).data(),
        tensor_shape_to_c_string(Span<const int32_t>(tensor.sizes().data(), tensor.sizes().size())).data());
    return true;
}
inline bool tensors_have_same_strides(aten::Tensor a, aten::Tensor b) {
    ET_CHECK_OR_RETURN_FALSE(a.strides() == b.strides(), ET_TENSOR_CHECK_PREFIX__ " in strides");
    return true;
}
inline bool tensors_have_same_strides(aten::Tensor a, aten::Tensor b, aten::Tensor c) {
    return tensors_have_same_strides(a, b) && tensors_have_same_strides(a, c);
}
inline bool tensor_is_contiguous(aten::Tensor tensor) {
    int64_t step = 1;
    for (ssize_t i = tensor.dim(); i-- > 0;) {
        const auto stride = static_cast<int64_t>(tensor.strides()[static_cast<size_t>(i)]);
        ET_CHECK_OR_RETURN_FALSE(stride == step,
                                 "the tensor is not contiguous: stride(%zd) is %" PRId64 ", not %" PRId64, i,
                                 stride, step);
        step *= tensor.size(i);
    }
    return true;
}
inline bool tensor_is_scalar(aten::Tensor tensor) {
    return tensor.dim() == 0 && tensor.numel() == 1;
}

bool tensor_has_valid_dim_order(aten::Tensor tensor);
bool tensor_is_default_dim_order(aten::Tensor tensor);
bool tensor_is_channels_last_dim_order(aten::Tensor tensor);
bool tensor_is_default_or_channels_last_dim_order(aten::Tensor tensor);
bool tensors_have_same_dim_order(aten::ArrayRef<aten::Tensor> tensors);
inline bool tensors_have_same_dim_order(const aten::Tensor& a, const aten::Tensor& b) {
    const aten::Tensor tensors[] = {a, b};
    return tensors_have_same_dim_order(aten::ArrayRef<aten::Tensor>(tensors));
}
inline bool tensors_have_same_dim_order(const aten::Tensor& a, const aten::Tensor& b, const aten::Tensor& c) {
    const aten::Tensor tensors[] = {a, b, c};
    return tensors_have_same_dim_order(aten::ArrayRef<aten::Tensor>(tensors));
}
inline bool tensors_have_same_dim_order(const aten::Tensor& a, const aten::Tensor& b, const aten::Tensor& c,
                                        const aten::Tensor& d) {
    const aten::Tensor tensors[] = {a, b, c, d};
    return tensors_have_same_dim_order(aten::ArrayRef<aten::Tensor>(tensors));
}

/// The product of the sizes before a dimension, and of those after it.
inline size_t getLeadingDims(const aten::Tensor& tensor, int64_t dim) {
    ET_CHECK_MSG(dim >= 0 && dim <= tensor.dim(), "dimension %" PRId64 " is out of range [0, %zd]", dim,
                 tensor.dim());
    size_t count = 1;
    for (int64_t i = 0; i < dim; ++i) {
        count *= static_cast<size_t>(tensor.size(i));
    }
    return count;
}
inline size_t getTrailingDims(const aten::Tensor& tensor, int64_t dim) {
    ET_CHECK_MSG(dim >= -1 && dim < tensor.dim(), "dimension %" PRId64 " is out of range [-1, %zd)", dim,
                 tensor.dim());
    size_t count = 1;
    for (ssize_t i = dim + 1; i < tensor.dim(); ++i) {
        count *= static_cast<size_t>(tensor.size(i));
    }
    return count;
}

inline void memoizeTrailingDims(const aten::Tensor& tensor, size_t trailing[kTensorDimensionLimit]) {
    size_t count = 1;
    for (ssize_t i = tensor.dim(); i-- > 0;) {
        trailing[i] = count;
        count *= static_cast<size_t>(tensor.size(i));
    }
}
inline size_t coordinateToIndexWithTrailingDimsMemo(const aten::Tensor& tensor, const size_t* coordinate,
                                                    const size_t trailing[kTensorDimensionLimit]) {
    size_t index = 0;
    for (ssize_t i = 0; i < tensor.dim(); ++i) {
        index += coordinate[i] * trailing[i];
    }
    return index;
}
inline size_t coordinateToIndex(const aten::Tensor& tensor, const size_t* coordinate) {
    size_t trailing[kTensorDimensionLimit];
    memoizeTrailingDims(tensor, trailing);
    return coordinateToIndexWithTrailingDimsMemo(tensor, coordinate, trailing);
}
inline void indexToCoordinate(const aten::Tensor& tensor, size_t index, size_t* coordinate) {
    for (ssize_t i = tensor.dim(); i-- > 0;) {
        const auto size = static_cast<size_t>(tensor.size(i));
        coordinate[i] = index % size;
        index /= size;
    }
}
inline size_t calculate_linear_index(const aten::SizesType* coordinate, const aten::StridesType* strides,
                                     size_t dims) {
    size_t index = 0;
    for (size_t i = 0; i < dims; ++i) {
        index += static_cast<size_t>(coordinate[i]) * static_cast<size_t>(strides[i]);
    }
    return index;
}

/// The only element of a tensor, if it has a matching dtype and fits: integers for integers, real numbers for
/// floating point numbers, bool for bool.
template <typename T>
bool extract_scalar_tensor(aten::Tensor tensor, T* out) {
    if (tensor.numel() != 1) {
        return false;
    }
    if constexpr (std::is_same_v<T, bool>) {
        if (tensor.scalar_type() == aten::ScalarType::Bool) {
            *out = tensor.const_data_ptr<bool>()[0];
            return true;
        }
        return false;
    } else {
        switch (tensor.scalar_type()) {
#define ET_INTERNAL_EXTRACT(ctype, name)                                                                \
    case aten::ScalarType::name: {                                                                      \
        const ctype value = tensor.const_data_ptr<ctype>()[0];                                          \
        if constexpr (std::is_integral_v<T>) {                                                          \
            if constexpr (std::is_integral_v<ctype>) {                                                  \
                return !__builtin_add_overflow(value, ctype{}, out);                                    \
            } else {                                                                                    \
                return false;                                                                           \
            }                                                                                           \
        } else {                                                                                        \
            const auto wide = static_cast<double>(value);                                               \
            if (std::isfinite(wide) && (wide < static_cast<double>(std::numeric_limits<T>::lowest()) || \
                                        wide > static_cast<double>(std::numeric_limits<T>::max()))) {   \
                return false;                                                                           \
            }                                                                                           \
            *out = static_cast<T>(wide);                                                                \
            return true;                                                                                \
        }                                                                                               \
    }
            ET_FORALL_REALHBF16_TYPES(ET_INTERNAL_EXTRACT)
#undef ET_INTERNAL_EXTRACT
            default:
                return false;
        }
    }
}

/// Errors: NotSupported (a static shape that differs), InvalidArgument (another number of dimensions, more
/// memory than the tensor has).
ET_NODISCARD inline Error resize_tensor(aten::Tensor tensor, aten::ArrayRef<aten::SizesType> new_sizes) {
    return internal::resize_tensor_impl(tensor.unsafeGetTensorImpl(), new_sizes);
}
template <typename T, std::enable_if_t<!std::is_same_v<aten::SizesType, T>, int> = 0>
ET_NODISCARD Error resize_tensor(aten::Tensor tensor, aten::ArrayRef<T> new_sizes) {
    ET_CHECK_OR_RETURN_ERROR(new_sizes.size() <= kTensorDimensionLimit, InvalidArgument,
                             "expected at most %zu dimensions, got %zu", kTensorDimensionLimit,
                             new_sizes.size());
    std::array<aten::SizesType, kTensorDimensionLimit> narrow{};
    for (size_t i = 0; i < new_sizes.size(); ++i) {
        narrow[i] = static_cast<aten::SizesType>(new_sizes[i]);
    }
    return internal::resize_tensor_impl(tensor.unsafeGetTensorImpl(), {narrow.data(), new_sizes.size()});
}
ET_DEPRECATED inline void resize(aten::Tensor tensor, aten::ArrayRef<aten::SizesType> new_sizes) {
    ET_CHECK_MSG(resize_tensor(tensor, new_sizes) == Error::Ok, "the tensor cannot be resized");
}

ET_NODISCARD Error get_dim_order(const aten::Tensor& tensor, aten::DimOrderType* dim_order, size_t size);

}  // namespace executorch::runtime

namespace torch::executor {
using ::executorch::runtime::calculate_linear_index;
using ::executorch::runtime::coordinateToIndex;
using ::executorch::runtime::coordinateToIndexWithTrailingDimsMemo;
using ::executorch::runtime::dim_is_valid;
using ::executorch::runtime::extract_scalar_tensor;
using ::executorch::runtime::get_dim_order;
using ::executorch::runtime::getLeadingDims;
using ::executorch::runtime::getTrailingDims;
using ::executorch::runtime::indexToCoordinate;
using ::executorch::runtime::memoizeTrailingDims;
using ::executorch::runtime::nonempty_size;
using ::executorch::runtime::nonzero_dim;
using ::executorch::runtime::resize;
using ::executorch::runtime::resize_tensor;
using ::executorch::runtime::tensor_can_cast_to;
using ::executorch::runtime::tensor_dim_has_index;
using ::executorch::runtime::tensor_has_dim;
using ::executorch::runtime::tensor_has_expected_size;
using ::executorch::runtime::tensor_has_non_empty_dim;
using ::executorch::runtime::tensor_has_rank_greater_or_equal_to;
using ::executorch::runtime::tensor_has_rank_smaller_or_equal_to;
using ::executorch::runtime::tensor_has_valid_dim_order;
using ::executorch::runtime::tensor_is_bits_type;
using ::executorch::runtime::tensor_is_bool_type;
using ::executorch::runtime::tensor_is_channels_last_dim_order;
using ::executorch::runtime::tensor_is_complex_type;
using ::executorch::runtime::tensor_is_contiguous;
using ::executorch::runtime::tensor_is_default_dim_order;
using ::executorch::runtime::tensor_is_default_or_channels_last_dim_order;
using ::executorch::runtime::tensor_is_floating_type;
using ::executorch::runtime::tensor_is_integral_type;
using ::executorch::runtime::tensor_is_rank;
using ::executorch::runtime::tensor_is_real_type;
using ::executorch::runtime::tensor_is_realh_type;
using ::executorch::runtime::tensor_is_realhb_type;
using ::executorch::runtime::tensor_is_realhbbf16_type;
using ::executorch::runtime::tensor_is_realhbf16_type;
using ::executorch::runtime::tensor_is_scalar;
using ::executorch::runtime::tensor_is_type;
using ::executorch::runtime::tensors_have_same_dim_order;
using ::executorch::runtime::tensors_have_same_dtype;
using ::executorch::runtime::tensors_have_same_rank;
using ::executorch::runtime::tensors_have_same_shape;
using ::executorch::runtime::tensors_have_same_shape_and_dtype;
using ::executorch::runtime::tensors_have_same_size_at_dims;
using ::executorch::runtime::tensors_have_same_strides;
namespace internal {
using ::executorch::runtime::internal::copy_tensor_data;
using ::executorch::runtime::internal::reset_data_ptr;
using ::executorch::runtime::internal::resize_tensor_impl;
using ::executorch::runtime::internal::set_tensor_data;
using ::executorch::runtime::internal::share_tensor_data;
}  // namespace internal
}  // namespace torch::executor
