#pragma once

#include "runtime/core/result.h"
#include "runtime/core/tensor.h"
#include "runtime/kernels/boxing.h"
#include "runtime/kernels/compute_type.h"
#include "runtime/kernels/dense/elements.h"
#include "runtime/kernels/kernel_context.h"

#include <cstdint>
#include <initializer_list>

// Backward operators read their tensors as row-major numbers and write their results in the same way. They
// support float16, bfloat16, float32 and float64; sums are computed in double precision.
namespace et::kernels::gradient {

using core::Result;
using core::Tensor;

/// Errors: InvalidArgument (a tensor whose sizes or dtype differ from those of `like`).
[[nodiscard]] Result<> expectAlike(const Tensor& like, std::initializer_list<const Tensor*> others);

/// Resizes a result and checks its dtype. Errors: InvalidArgument, Limit.
[[nodiscard]] Result<> resizeLike(Tensor& out, const Tensor& like);

/// Calls `compute(T* elements)` for the row-major elements of a result, where T is float or double, and
/// stores them. Errors: InvalidArgument (a dtype that is no floating-point one), those of `compute`.
template <class T, class Compute>
Result<> fillResult(KernelContext& context, Tensor& out, Compute&& compute) {
    if (out.numel() == 0) {
        return {};
    }
    ET_ASSIGN(T * elements, dense::rowMajorResult<T>(context, out));
    ET_TRY(compute(elements));
    return dense::finishRowMajor(context, elements, out);
}

/// Writes `function(gradient, input)` for each pair of elements.
template <class Function>
Result<> mapElements(KernelContext& context, const Tensor& gradient, const Tensor& input, Tensor& out,
                     Function&& function) {
    ET_TRY(expectAlike(input, {&gradient}));
    ET_TRY(resizeLike(out, input));
    return visitFloatingType(input.dtype(), [&]<class T>(std::type_identity<T>) -> Result<> {
        ET_ASSIGN(const T* gradients, dense::rowMajor<T>(context, gradient));
        ET_ASSIGN(const T* inputs, dense::rowMajor<T>(context, input));
        return fillResult<T>(context, out, [&](T* results) -> Result<> {
            for (std::int64_t i = 0; i < input.numel(); ++i) {
                results[i] = static_cast<T>(
                    function(static_cast<double>(gradients[i]), static_cast<double>(inputs[i])));
            }
            return {};
        });
    });
}

}  // namespace et::kernels::gradient
