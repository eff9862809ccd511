#pragma once

#include "runtime/kernels/boxing.h"
#include "runtime/kernels/shape_rules.h"

#include <cstdint>
#include <span>

// Integers that stand for floats: x = (q - zeroPoint) * scale, as torch.ao.quantization's decomposed
// operators compute it.
namespace et::kernels::quantized {

/// What an operator may quantize to.
struct QuantizeRange {
    std::int64_t low;
    std::int64_t high;
};

/// Errors: Unsupported (no dtype to quantize to), InvalidArgument (`dtype` has not all numbers of the range,
/// or the tensor has another dtype).
[[nodiscard]] core::Result<> checkQuantized(const Tensor& tensor, ScalarType dtype, QuantizeRange range);
/// The same of what is dequantized: whatever its range, its numbers are what they are.
[[nodiscard]] core::Result<> checkQuantized(const Tensor& tensor, ScalarType dtype);

/// Scales and zero points in scratch memory, one or more for all elements of a tensor. F, float or double, is
/// what the operator computes in.
template <class F>
struct AffineParameters {
    std::span<F> scales{};  ///< for quantizing their inverses, see multipliers()
    std::span<F> zeroPoints{};
    Strides strides{};       ///< from one element of the tensor to the next, in parameters; 0 repeats
    bool roundLast = false;  ///< the zero point is added before rounding

    /// The same with the inverses of the scales, in the same memory.
    [[nodiscard]] AffineParameters multipliers() const {
        for (F& scale : scales) {
            scale = 1 / scale;
        }
        return *this;
    }
};

template <class F>
[[nodiscard]] core::Result<AffineParameters<F>> oneForAll(KernelContext& context, const Tensor& tensor,
                                                          double scale, std::int64_t zeroPoint);

/// One for each position along `axis`. `zeroPoints` may be null. Errors: InvalidArgument (axis, sizes).
template <class F>
[[nodiscard]] core::Result<AffineParameters<F>> oneForEachChannel(KernelContext& context,
                                                                  const Tensor& tensor, const Tensor& scales,
                                                                  const Tensor* zeroPoints,
                                                                  std::int64_t axis);

/// One for each token: what differs in all dimensions but the last, along which the parameters have size 1.
template <class F>
[[nodiscard]] core::Result<AffineParameters<F>> oneForEachToken(KernelContext& context, const Tensor& tensor,
                                                                const Tensor& scales,
                                                                const Tensor& zeroPoints);

/// The number in a tensor of one element. Errors: InvalidArgument.
[[nodiscard]] core::Result<double> onlyNumber(const Tensor& tensor);

/// Floating dtypes to the dtype of `out`, which has the sizes of `input`. The scales are inverted ones.
/// Errors: Unsupported.
template <class F>
[[nodiscard]] core::Result<> quantizeTensor(KernelContext& context, const Tensor& input,
                                            const AffineParameters<F>& parameters, QuantizeRange range,
                                            Tensor& out);

/// Integers to the floating dtype of `out`, which has the sizes of `input`. Errors: Unsupported.
template <class F>
[[nodiscard]] core::Result<> dequantizeTensor(KernelContext& context, const Tensor& input,
                                              const AffineParameters<F>& parameters, Tensor& out);

}  // namespace et::kernels::quantized
