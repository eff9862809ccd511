#pragma once

#include "runtime/kernels/boxing.h"
#include "runtime/kernels/shape_rules.h"

#include <cstdint>
#include <span>

// Affine quantization: x = (q - zeroPoint) * scale, as computed by torch.ao.quantization's decomposed
// operators.
namespace et::kernels::quantized {

/// Range of quantized values of an operator.
struct QuantizeRange {
    std::int64_t low;
    std::int64_t high;
};

/// Errors: Unsupported (not a quantized dtype), InvalidArgument (`dtype` cannot represent the range, or the
/// tensor has another dtype).
[[nodiscard]] core::Result<> checkQuantized(const Tensor& tensor, ScalarType dtype, QuantizeRange range);
/// The same for dequantization, which does not depend on the range.
[[nodiscard]] core::Result<> checkQuantized(const Tensor& tensor, ScalarType dtype);

/// Scales and zero points in scratch memory, one or more for all elements of a tensor. F, float or double, is
/// the type that the operator computes in.
template <class F>
struct AffineParameters {
    std::span<F> scales{};  ///< for quantizing, their inverses: see multipliers()
    std::span<F> zeroPoints{};
    Strides strides{};       ///< parameter strides per tensor dimension; 0 repeats
    bool roundLast = false;  ///< the zero point is added before rounding

    /// The same parameters with inverse scales, computed in place.
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

/// Per-channel parameters along `axis`. `zeroPoints` may be null. Errors: InvalidArgument (axis, sizes).
template <class F>
[[nodiscard]] core::Result<AffineParameters<F>> oneForEachChannel(KernelContext& context,
                                                                  const Tensor& tensor, const Tensor& scales,
                                                                  const Tensor* zeroPoints,
                                                                  std::int64_t axis);

/// Per-token parameters: they vary in all dimensions except the last, along which they have size 1.
template <class F>
[[nodiscard]] core::Result<AffineParameters<F>> oneForEachToken(KernelContext& context, const Tensor& tensor,
                                                                const Tensor& scales,
                                                                const Tensor& zeroPoints);

/// Returns the element of a one-element tensor. Errors: InvalidArgument.
[[nodiscard]] core::Result<double> onlyNumber(const Tensor& tensor);

/// Quantizes floating dtypes to the dtype of `out`, which has the sizes of `input`. The scales must be
/// inverted. Errors: Unsupported.
template <class F>
[[nodiscard]] core::Result<> quantizeTensor(KernelContext& context, const Tensor& input,
                                            const AffineParameters<F>& parameters, QuantizeRange range,
                                            Tensor& out);

/// Dequantizes integers to the floating dtype of `out`, which has the sizes of `input`. Errors: Unsupported.
template <class F>
[[nodiscard]] core::Result<> dequantizeTensor(KernelContext& context, const Tensor& input,
                                              const AffineParameters<F>& parameters, Tensor& out);

}  // namespace et::kernels::quantized
