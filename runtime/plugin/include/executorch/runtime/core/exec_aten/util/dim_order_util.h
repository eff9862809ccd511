#pragma once

#include <c10/util/irange.h>
#include <executorch/runtime/core/error.h>
#include <executorch/runtime/core/exec_aten/util/tensor_dimension_limit.h>
#include <executorch/runtime/platform/assert.h>
#include <executorch/runtime/platform/compiler.h>

#include <algorithm>
#include <cstdint>
#include <cstring>
#include <numeric>

namespace executorch::runtime {

template <typename DimOrderType>
bool validate_dim_order(const DimOrderType* dim_order, size_t dims) {
    if (dims > kTensorDimensionLimit) {
        return false;
    }
    uint32_t seen = 0;
    for (size_t i = 0; i < dims; ++i) {
        if (dim_order[i] < dims) {
            seen |= 1U << dim_order[i];
        }
    }
    return seen == (1U << dims) - 1;
}

template <typename DimOrderType>
bool is_contiguous_dim_order(const DimOrderType* dim_order, size_t dims) {
    for (size_t i = 0; i < dims; ++i) {
        if (dim_order[i] != static_cast<DimOrderType>(i)) {
            return false;
        }
    }
    return true;
}

/// Batch, the spatial dimensions, then channels; for four or five dimensions.
template <typename DimOrderType>
bool is_channels_last_dim_order(const DimOrderType* dim_order, size_t dims) {
    if ((dims != 4 && dims != 5) || dim_order[0] != 0 || dim_order[dims - 1] != 1) {
        return false;
    }
    for (size_t i = 1; i + 1 < dims; ++i) {
        if (dim_order[i] != static_cast<DimOrderType>(i + 1)) {
            return false;
        }
    }
    return true;
}

template <typename SizesType, typename DimOrderType, typename StridesType>
void dim_order_to_stride_nocheck(const SizesType* sizes, const DimOrderType* dim_order, size_t dims,
                                 StridesType* strides) {
    StridesType step = 1;
    for (size_t i = dims; i-- > 0;) {
        strides[dim_order[i]] = step;
        step *= sizes[dim_order[i]] == 0 ? 1 : static_cast<StridesType>(sizes[dim_order[i]]);
    }
}

template <typename SizesType, typename DimOrderType, typename StridesType>
ET_NODISCARD Error dim_order_to_stride(const SizesType* sizes, const DimOrderType* dim_order, size_t dims,
                                       StridesType* strides) {
    ET_CHECK_OR_RETURN_ERROR(validate_dim_order(dim_order, dims), InvalidArgument,
                             "the dim order is not a permutation of %zu dimensions", dims);
    dim_order_to_stride_nocheck(sizes, dim_order, dims, strides);
    return Error::Ok;
}

template <typename DimOrderType, typename StridesType>
ET_NODISCARD Error stride_to_dim_order(const StridesType* strides, size_t dims, DimOrderType* dim_order) {
    ET_CHECK_OR_RETURN_ERROR(dim_order != nullptr, MemoryAllocationFailed, "no memory for a dim order");
    ET_CHECK_OR_RETURN_ERROR(dims <= kTensorDimensionLimit, NotSupported,
                             "expected at most %zu dimensions, got %zu", kTensorDimensionLimit, dims);
    std::iota(dim_order, dim_order + dims, DimOrderType{0});
    std::stable_sort(dim_order, dim_order + dims,
                     [&](DimOrderType a, DimOrderType b) { return strides[a] > strides[b]; });
    return Error::Ok;
}

}  // namespace executorch::runtime

namespace torch::executor {
using ::executorch::runtime::dim_order_to_stride;
using ::executorch::runtime::dim_order_to_stride_nocheck;
using ::executorch::runtime::is_channels_last_dim_order;
using ::executorch::runtime::is_contiguous_dim_order;
using ::executorch::runtime::stride_to_dim_order;
}  // namespace torch::executor
