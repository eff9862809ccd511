#pragma once

#include <executorch/runtime/core/exec_aten/exec_aten.h>

namespace torch::executor {

/// The coordinates of an element in row-major order.
inline void delinearize_index(size_t linear_index, ArrayRef<Tensor::SizesType> shape, size_t* out_indexes,
                              size_t out_indexes_len) {
    ET_CHECK_MSG(shape.size() <= out_indexes_len, "no space for %zu coordinates", shape.size());
    for (size_t i = shape.size(); i-- > 0;) {
        const auto size = static_cast<size_t>(shape[i]);
        out_indexes[i] = linear_index % size;
        linear_index /= size;
    }
}
inline void delinearize_index(size_t linear_index, const Tensor& tensor, size_t* out_indexes,
                              size_t out_indexes_len) {
    delinearize_index(linear_index, tensor.sizes(), out_indexes, out_indexes_len);
}

}  // namespace torch::executor
