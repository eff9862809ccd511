#pragma once

#include "runtime/kernels/boxing.h"
#include "runtime/kernels/kernel_context.h"

#include <cstdint>

// What aten::mm, bmm, addmm and linear have in common.
namespace et::kernels::dense {

/// out[b] = beta * addend + alpha * (left[b] x right[b]), with one shape for all b.
struct MatrixOperation {
    const Tensor& left;   ///< `batch` x [rows, depth], whatever its dimensions are called
    const Tensor& right;  ///< `batch` x [depth, columns]
    std::int64_t batch = 1;
    std::int64_t rows = 0;
    std::int64_t depth = 0;
    std::int64_t columns = 0;
    bool rightIsTransposed = false;  ///< it is [columns, depth]; of a batch of 1
    const Tensor* addend = nullptr;  ///< broadcasts to [rows, columns]; null: none
    Scalar beta = std::int64_t{1};
    Scalar alpha = std::int64_t{1};
};

/// Sizes fit, dtypes are not checked yet; `out` has its sizes. A right matrix of constant floats is kept
/// packed in the context's state. Errors: InvalidArgument, Unsupported, Limit.
[[nodiscard]] core::Result<> compute(KernelContext& context, const MatrixOperation& operation, Tensor& out);

/// Packs a right matrix of constant floats; does nothing with others. Errors: Unsupported, Limit.
[[nodiscard]] core::Result<> prepare(KernelContext& context, const MatrixOperation& operation);

/// aten::linear: input [.., depth] times the transpose of weight [columns, depth], plus a bias (null: none).
[[nodiscard]] core::Result<> linear(KernelContext& context, const Tensor& input, const Tensor& weight,
                                    const Tensor* bias, Tensor& out);
[[nodiscard]] core::Result<> prepareLinear(KernelContext& context, const Tensor& input, const Tensor& weight,
                                           const Tensor* bias, Tensor& out);

}  // namespace et::kernels::dense
