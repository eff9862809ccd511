#pragma once

#include "runtime/kernels/boxing.h"
#include "runtime/kernels/kernel_context.h"

#include <cstdint>

// Implementation shared by aten::mm, bmm, addmm and linear.
namespace et::kernels::dense {

/// out[b] = beta * addend + alpha * (left[b] x right[b]), with one shape for all b.
struct MatrixOperation {
    const Tensor& left;   ///< `batch` x [rows, depth], whatever its actual dimensions
    const Tensor& right;  ///< `batch` x [depth, columns]
    std::int64_t batch = 1;
    std::int64_t rows = 0;
    std::int64_t depth = 0;
    std::int64_t columns = 0;
    bool rightIsTransposed = false;  ///< stored as [columns, depth]; batch of 1 only
    const Tensor* addend = nullptr;  ///< broadcasts to [rows, columns]; may be null
    Scalar beta = std::int64_t{1};
    Scalar alpha = std::int64_t{1};
};

/// Sizes must match and `out` must have its sizes; dtypes are checked here. A constant float right matrix is
/// kept packed in the context's state. Errors: InvalidArgument, Unsupported, Limit.
[[nodiscard]] core::Result<> compute(KernelContext& context, const MatrixOperation& operation, Tensor& out);

/// Packs a constant float right matrix; otherwise does nothing. Errors: Unsupported, Limit.
[[nodiscard]] core::Result<> prepare(KernelContext& context, const MatrixOperation& operation);

/// aten::linear: input [.., depth] times the transpose of weight [columns, depth], plus a bias (may be null).
[[nodiscard]] core::Result<> linear(KernelContext& context, const Tensor& input, const Tensor& weight,
                                    const Tensor* bias, Tensor& out);
[[nodiscard]] core::Result<> prepareLinear(KernelContext& context, const Tensor& input, const Tensor& weight,
                                           const Tensor* bias, Tensor& out);

}  // namespace et::kernels::dense
