#pragma once

#include <c10/util/irange.h>
#include <executorch/runtime/core/exec_aten/exec_aten.h>
#include <executorch/runtime/core/exec_aten/util/tensor_util.h>
#include <executorch/runtime/kernel/thread_parallel_interface.h>

// Loops over `size` elements at a distance of `stride`.
namespace torch::executor {

template <typename CTYPE, typename ReduceOp>
CTYPE apply_unary_reduce_fn(const ReduceOp& reduce, const CTYPE* data_in, int64_t size, int64_t stride = 1) {
    CTYPE result = data_in[0];
    for (int64_t i = 1; i < size; ++i) {
        result = reduce(data_in[i * stride], result);
    }
    return result;
}

template <typename CTYPE_IN, typename CTYPE_OUT, typename MapOp>
void apply_unary_map_fn(const MapOp& map, const CTYPE_IN* data_in, CTYPE_OUT* data_out, int64_t size,
                        int64_t stride = 1) {
    ::executorch::extension::parallel_for(0, size, ::executorch::extension::internal::GRAIN_SIZE,
                                          [&](int64_t begin, int64_t end) {
                                              for (int64_t i = begin; i < end; ++i) {
                                                  data_out[i * stride] = map(data_in[i * stride]);
                                              }
                                          });
}

template <typename CTYPE_IN, typename CTYPE_OUT, typename MapOp, typename ReduceOp>
CTYPE_OUT apply_unary_map_reduce_fn(const MapOp& map, const ReduceOp& reduce, const CTYPE_IN* data_in,
                                    int64_t size, int64_t stride = 1) {
    CTYPE_OUT result = map(data_in[0]);
    for (int64_t i = 1; i < size; ++i) {
        result = reduce(map(data_in[i * stride]), result);
    }
    return result;
}

}  // namespace torch::executor
