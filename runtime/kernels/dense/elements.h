#pragma once

#include "runtime/core/element_types.h"
#include "runtime/core/result.h"
#include "runtime/core/tensor.h"
#include "runtime/kernels/compute_type.h"
#include "runtime/kernels/kernel_context.h"
#include "runtime/kernels/strided_copy.h"

#include <cstddef>
#include <cstdint>
#include <type_traits>

// Dense operators compute in the three types of visitComputeType(), except on bools. int64 products and sums
// wrap around, so truncation to fewer bits is correct for every integer dtype.
namespace et::kernels::dense {

using core::Tensor;

/// Converts a size that is known to be nonnegative.
[[nodiscard]] constexpr std::size_t toSize(std::int64_t size) {
    return static_cast<std::size_t>(size);
}

/// visitComputeType() without bool. Errors: Unsupported.
template <class Function>
core::Result<> visitDenseType(core::ScalarType type, Function&& function) {
    return type == core::ScalarType::Bool ? unsupportedType(type) : visitComputeType(type, function);
}

/// a + b * c; int64 wraps around.
template <class T>
[[nodiscard]] constexpr T multiplyAdd(T a, T b, T c) {
    if constexpr (std::is_integral_v<T>) {
        return static_cast<T>(static_cast<std::uint64_t>(a) +
                              static_cast<std::uint64_t>(b) * static_cast<std::uint64_t>(c));
    } else {
        return a + b * c;
    }
}

/// Copies the elements of `view` into `to`, in row-major order. T is the compute type of the dtype.
template <class T>
[[nodiscard]] core::Result<> gather(KernelContext& context, const ReadView& view, T* to);

/// Returns the elements of `tensor` in row-major order: its own memory if it is row-major, otherwise a copy
/// in temporary memory.
template <class T>
[[nodiscard]] core::Result<const T*> rowMajor(KernelContext& context, const Tensor& tensor);

/// Returns where to write the elements of `out` in row-major order: `out` itself if it is row-major,
/// otherwise temporary memory that finishRowMajor() copies from.
template <class T>
[[nodiscard]] core::Result<T*> rowMajorResult(KernelContext& context, Tensor& out);
template <class T>
[[nodiscard]] core::Result<> finishRowMajor(KernelContext& context, const T* elements, Tensor& out);

}  // namespace et::kernels::dense
