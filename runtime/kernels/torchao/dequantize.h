#pragma once

#include "runtime/kernels/boxing.h"

#include <cstdint>
#include <optional>
#include <string_view>

// Dequantization of weights [rows, columns] to a floating dtype, that of `out`, which `outputDtype` repeats.
// Definitions: extension/llm/export of ExecuTorch, and torchao/quantization/quant_primitives.py. Errors:
// InvalidArgument (names the argument), Unsupported.
namespace et::kernels::torchao {

/// torchao::dequantize_nvfp4.out: 4-bit floats (e2m1), two per byte, the first in the low bits; `qdata` is
/// uint8 or uint32. `scale`: e4m3 [rows, columns / blockSize], as uint8 or float8; `perTensorScale`: float32.
[[nodiscard]] core::Result<> dequantizeNvfp4(KernelContext& context, const Tensor& qdata, const Tensor& scale,
                                             const Tensor& perTensorScale, std::int64_t blockSize,
                                             std::optional<ScalarType> outputDtype, Tensor& out);

/// torchao::dequantize_mx.out: `qdata` of `elementDtype`, float8 e4m3fn or e5m2; `scale`: e8m0 [rows, columns
/// / blockSize].
[[nodiscard]] core::Result<> dequantizeMx(KernelContext& context, const Tensor& qdata, const Tensor& scale,
                                          ScalarType elementDtype, std::int64_t blockSize,
                                          std::optional<ScalarType> outputDtype, Tensor& out);

/// torchao::dequantize_int4_tensor.out: `qdata` uint8 [rows, columns / 2], the first integer in the low bits;
/// scale and zero point, of a floating or integer dtype, [columns / groupSize, rows].
[[nodiscard]] core::Result<> dequantizeInt4(KernelContext& context, const Tensor& qdata, const Tensor& scale,
                                            const Tensor& zeroPoint, std::int64_t groupSize,
                                            std::optional<ScalarType> outputDtype, Tensor& out);

/// torchao::dequantize_gguf.out: `weight` uint8 [rows, bytes], blocks of the type `name` ("q4_k"; see
/// core/gguf_blocks.h).
[[nodiscard]] core::Result<> dequantizeGguf(KernelContext& context, const Tensor& weight,
                                            std::string_view name, std::optional<ScalarType> outputDtype,
                                            Tensor& out);

/// torchao::dequantize_affine.out: one scale and zero point (or None: 0) per block of `blockSize` elements.
[[nodiscard]] core::Result<> dequantizeAffine(KernelContext& context, const Tensor& input, IntList blockSize,
                                              const Tensor& scale, const Tensor* zeroPoint,
                                              ScalarType inputDtype, std::optional<Scalar> quantMin,
                                              std::optional<Scalar> quantMax,
                                              std::optional<ScalarType> outputDtype, Tensor& out);

}  // namespace et::kernels::torchao
