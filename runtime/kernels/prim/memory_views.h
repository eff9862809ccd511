#pragma once

#include "runtime/kernels/boxing.h"

// Operators of the memory plan, which the exporter substitutes for copies and loops.
namespace et::kernels::prim {

/// executorch_prim::et_view.default: `out` becomes a view of the elements of `self` with the sizes `size`, of
/// which one may be -1 (inferred). Both must be row-major, or have the same sizes. If the memory of `self`
/// may move later, `out` is a copy. Errors: InvalidArgument (dtype, number of elements, dim order, a weight
/// as `out`).
[[nodiscard]] core::Result<> view(KernelContext& context, const Tensor& self, IntList size, core::Value& out);

/// executorch_prim::et_select.default: `out` becomes a view of `self` at `index` along dimension `dim`.
/// Errors: as above; InvalidArgument (out of range, elements that are not contiguous).
[[nodiscard]] core::Result<> select(KernelContext& context, const Tensor& self, std::int64_t dim,
                                    std::int64_t index, core::Value& out);

/// executorch_prim::et_copy_index.tensor: copies `from` to row `index` of `to`, whose size along dimension 0
/// becomes `index` + 1 unless it is fixed; rows before `index` keep their elements. Errors: InvalidArgument
/// (dtype, shape, index).
[[nodiscard]] core::Result<> copyIndex(KernelContext& context, Tensor& to, const Tensor& from,
                                       std::int64_t index);

}  // namespace et::kernels::prim
