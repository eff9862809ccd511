#include "runtime/kernels/builtin.h"
#include "runtime/kernels/quantized/affine.h"
#include "runtime/kernels/quantized/choose_parameters.h"
#include "runtime/kernels/quantized/embedding.h"
#include "runtime/kernels/quantized/mixed_product.h"
#include "runtime/kernels/quantized/per_tensor.h"

#include <fmt/format.h>

#include <array>

namespace et::kernels {
namespace quantized {
namespace {

using Integer = std::int64_t;

/// With double scales or double elements PyTorch computes in double.
bool isDouble(const Tensor& tensor) {
    return tensor.dtype() == ScalarType::Double;
}

core::Result<> prepareQuantized(const Tensor& input, QuantizeRange range, ScalarType dtype, Tensor& out) {
    ET_TRY(out.resize(input.sizes()));
    return checkQuantized(out, dtype, range);
}

core::Result<> prepareDequantized(const Tensor& input, ScalarType dtype, std::optional<ScalarType> outDtype,
                                  Tensor& out) {
    ET_TRY(out.resize(input.sizes()));
    ET_TRY(checkQuantized(input, dtype));
    if (outDtype && *outDtype != out.dtype()) {
        return invalid(fmt::format("expected a result of {}, got {}", core::scalarTypeName(*outDtype),
                                   core::scalarTypeName(out.dtype())));
    }
    return {};
}

template <class F>
core::Result<> quantizeWithOne(KernelContext& context, const Tensor& input, double scale, Integer zeroPoint,
                               QuantizeRange range, Tensor& out) {
    // Inverted before rounding to float: results differ for numbers halfway between two others.
    ET_ASSIGN(const auto parameters, oneForAll<F>(context, input, 1 / scale, zeroPoint));
    return quantizeTensor(context, input, parameters, range, out);
}

}  // namespace

core::Result<> quantizePerTensor(KernelContext& context, const Tensor& input, double scale, Integer zeroPoint,
                                 Integer quantMin, Integer quantMax, ScalarType dtype, Tensor& out) {
    const QuantizeRange range{quantMin, quantMax};
    ET_TRY(prepareQuantized(input, range, dtype, out));
    return isDouble(input) ? quantizeWithOne<double>(context, input, scale, zeroPoint, range, out)
                           : quantizeWithOne<float>(context, input, scale, zeroPoint, range, out);
}

namespace {

core::Result<> quantizePerTensorTensor(KernelContext& context, const Tensor& input, const Tensor& scale,
                                       const Tensor& zeroPoint, Integer quantMin, Integer quantMax,
                                       ScalarType dtype, Tensor& out) {
    ET_ASSIGN(const double scaleNumber, onlyNumber(scale));
    ET_ASSIGN(const double zeroPointNumber, onlyNumber(zeroPoint));
    return quantizePerTensor(context, input, scaleNumber, core::toInt64(zeroPointNumber), quantMin, quantMax,
                             dtype, out);
}

/// The range is also given as tensors; it is only used for clamping.
core::Result<> quantizePerTensorTensors(KernelContext& context, const Tensor& input, const Tensor& scale,
                                        const Tensor& zeroPoint, const Tensor& quantMin,
                                        const Tensor& quantMax, ScalarType dtype, Tensor& out) {
    ET_ASSIGN(const double low, onlyNumber(quantMin));
    ET_ASSIGN(const double high, onlyNumber(quantMax));
    return quantizePerTensorTensor(context, input, scale, zeroPoint, core::toInt64(low), core::toInt64(high),
                                   dtype, out);
}

core::Result<> dequantizePerTensor(KernelContext& context, const Tensor& input, double scale,
                                   Integer zeroPoint, Integer, Integer, ScalarType dtype,
                                   std::optional<ScalarType> outDtype, Tensor& out) {
    ET_TRY(prepareDequantized(input, dtype, outDtype, out));
    if (isDouble(out)) {
        ET_ASSIGN(const auto parameters, oneForAll<double>(context, input, scale, zeroPoint));
        return dequantizeTensor(context, input, parameters, out);
    }
    ET_ASSIGN(const auto parameters, oneForAll<float>(context, input, scale, zeroPoint));
    return dequantizeTensor(context, input, parameters, out);
}

}  // namespace

core::Result<> dequantizeToFloat(KernelContext& context, const Tensor& input, double scale, Integer zeroPoint,
                                 Integer quantMin, Integer quantMax, ScalarType dtype, Tensor& out) {
    return dequantizePerTensor(context, input, scale, zeroPoint, quantMin, quantMax, dtype, std::nullopt,
                               out);
}

namespace {

core::Result<> dequantizePerTensorTensor(KernelContext& context, const Tensor& input, const Tensor& scale,
                                         const Tensor& zeroPoint, Integer quantMin, Integer quantMax,
                                         ScalarType dtype, std::optional<ScalarType> outDtype, Tensor& out) {
    ET_ASSIGN(const double scaleNumber, onlyNumber(scale));
    ET_ASSIGN(const double zeroPointNumber, onlyNumber(zeroPoint));
    return dequantizePerTensor(context, input, scaleNumber, core::toInt64(zeroPointNumber), quantMin,
                               quantMax, dtype, outDtype, out);
}

core::Result<> dequantizePerTensorTensors(KernelContext& context, const Tensor& input, const Tensor& scale,
                                          const Tensor& zeroPoint, const Tensor& quantMin,
                                          const Tensor& quantMax, ScalarType dtype,
                                          std::optional<ScalarType> outDtype, Tensor& out) {
    ET_ASSIGN(const double low, onlyNumber(quantMin));
    ET_ASSIGN(const double high, onlyNumber(quantMax));
    return dequantizePerTensorTensor(context, input, scale, zeroPoint, core::toInt64(low),
                                     core::toInt64(high), dtype, outDtype, out);
}

core::Result<> quantizePerChannel(KernelContext& context, const Tensor& input, const Tensor& scales,
                                  const Tensor& zeroPoints, Integer axis, Integer quantMin, Integer quantMax,
                                  ScalarType dtype, Tensor& out) {
    const QuantizeRange range{quantMin, quantMax};
    ET_TRY(prepareQuantized(input, range, dtype, out));
    if (isDouble(scales) || isDouble(input)) {
        ET_ASSIGN(const auto parameters,
                  oneForEachChannel<double>(context, input, scales, &zeroPoints, axis));
        return quantizeTensor(context, input, parameters.multipliers(), range, out);
    }
    ET_ASSIGN(const auto parameters, oneForEachChannel<float>(context, input, scales, &zeroPoints, axis));
    return quantizeTensor(context, input, parameters.multipliers(), range, out);
}

core::Result<> dequantizePerChannel(KernelContext& context, const Tensor& input, const Tensor& scales,
                                    const Tensor* zeroPoints, Integer axis, Integer, Integer,
                                    ScalarType dtype, std::optional<ScalarType> outDtype, Tensor& out) {
    ET_TRY(prepareDequantized(input, dtype, outDtype, out));
    if (isDouble(out)) {
        ET_ASSIGN(const auto parameters, oneForEachChannel<double>(context, input, scales, zeroPoints, axis));
        return dequantizeTensor(context, input, parameters, out);
    }
    ET_ASSIGN(const auto parameters, oneForEachChannel<float>(context, input, scales, zeroPoints, axis));
    return dequantizeTensor(context, input, parameters, out);
}

core::Result<> quantizePerToken(KernelContext& context, const Tensor& input, const Tensor& scales,
                                const Tensor& zeroPoints, Integer quantMin, Integer quantMax,
                                ScalarType dtype, Tensor& out) {
    const QuantizeRange range{quantMin, quantMax};
    ET_TRY(prepareQuantized(input, range, dtype, out));
    if (isDouble(scales) || isDouble(input)) {
        ET_ASSIGN(const auto parameters, oneForEachToken<double>(context, input, scales, zeroPoints));
        return quantizeTensor(context, input, parameters.multipliers(), range, out);
    }
    ET_ASSIGN(const auto parameters, oneForEachToken<float>(context, input, scales, zeroPoints));
    return quantizeTensor(context, input, parameters.multipliers(), range, out);
}

core::Result<> dequantizePerToken(KernelContext& context, const Tensor& input, const Tensor& scales,
                                  const Tensor& zeroPoints, Integer, Integer, ScalarType dtype,
                                  ScalarType outDtype, Tensor& out) {
    ET_TRY(prepareDequantized(input, dtype, outDtype, out));
    if (isDouble(out)) {
        ET_ASSIGN(const auto parameters, oneForEachToken<double>(context, input, scales, zeroPoints));
        return dequantizeTensor(context, input, parameters, out);
    }
    ET_ASSIGN(const auto parameters, oneForEachToken<float>(context, input, scales, zeroPoints));
    return dequantizeTensor(context, input, parameters, out);
}

template <int bits>
core::Result<> embeddingOut(KernelContext& context, const Tensor& weight, const Tensor& scales,
                            const Tensor* zeroPoints, Integer, Integer, const Tensor& indices, Tensor& out) {
    return embed(context, {weight, scales, zeroPoints, bits}, indices, std::nullopt, out);
}

template <int bits>
core::Result<> embeddingDtypeOut(KernelContext& context, const Tensor& weight, const Tensor& scales,
                                 const Tensor* zeroPoints, Integer, Integer, const Tensor& indices,
                                 std::optional<ScalarType> dtype, Tensor& out) {
    return embed(context, {weight, scales, zeroPoints, bits}, indices, dtype, out);
}

/// quantized_decomposed::add.out: dequantizes both, adds, and quantizes the sum. All have the same sizes and
/// dtype.
core::Result<> addOut(KernelContext& context, const Tensor& a, double aScale, Integer aZeroPoint,
                      Integer aMin, Integer aMax, const Tensor& b, double bScale, Integer bZeroPoint,
                      Integer bMin, Integer bMax, double outScale, Integer outZeroPoint, Integer outMin,
                      Integer outMax, Tensor& out) {
    ET_TRY(prepareQuantized(a, {outMin, outMax}, a.dtype(), out));
    ET_TRY(checkQuantized(a, a.dtype(), {aMin, aMax}));
    ET_TRY(checkQuantized(b, a.dtype(), {bMin, bMax}));
    if (b.sizes() != a.sizes()) {
        return invalid(fmt::format("expected operands of the same sizes, got {} and {}",
                                   core::sizesText(a.sizes()), core::sizesText(b.sizes())));
    }
    const auto count = static_cast<std::size_t>(a.numel());
    ET_ASSIGN(const auto sums, context.scratch<float>(count));
    ET_ASSIGN(const auto summands, context.scratch<float>(count));
    Tensor left = Tensor::over(sums.data(), a.sizes());
    Tensor right = Tensor::over(summands.data(), a.sizes());
    ET_ASSIGN(const auto ofA, oneForAll<float>(context, a, aScale, aZeroPoint));
    ET_TRY(dequantizeTensor(context, a, ofA, left));
    ET_ASSIGN(const auto ofB, oneForAll<float>(context, b, bScale, bZeroPoint));
    ET_TRY(dequantizeTensor(context, b, ofB, right));
    for (std::size_t i = 0; i < count; ++i) {
        sums[i] += summands[i];
    }
    return quantizeWithOne<float>(context, left, outScale, outZeroPoint, {outMin, outMax}, out);
}

constexpr std::array table{
    KernelEntry{"quantized_decomposed::quantize_per_tensor.out", box<&quantizePerTensor>},
    KernelEntry{"quantized_decomposed::quantize_per_tensor.Tensor_out", box<&quantizePerTensorTensor>},
    KernelEntry{"quantized_decomposed::quantize_per_tensor.tensor_out", box<&quantizePerTensorTensor>},
    KernelEntry{"quantized_decomposed::quantize_per_tensor.Tensor_args_out", box<&quantizePerTensorTensors>},
    KernelEntry{"quantized_decomposed::quantize_per_tensor.tensor2_out", box<&quantizePerTensorTensors>},
    KernelEntry{"quantized_decomposed::dequantize_per_tensor.out", box<&dequantizePerTensor>},
    KernelEntry{"quantized_decomposed::dequantize_per_tensor.Tensor_out", box<&dequantizePerTensorTensor>},
    KernelEntry{"quantized_decomposed::dequantize_per_tensor.tensor_out", box<&dequantizePerTensorTensor>},
    KernelEntry{"quantized_decomposed::dequantize_per_tensor.Tensor_args_out",
                box<&dequantizePerTensorTensors>},
    KernelEntry{"quantized_decomposed::dequantize_per_tensor.tensor2_out", box<&dequantizePerTensorTensors>},
    KernelEntry{"quantized_decomposed::quantize_per_channel.out", box<&quantizePerChannel>},
    KernelEntry{"quantized_decomposed::dequantize_per_channel.out", box<&dequantizePerChannel>},
    KernelEntry{"quantized_decomposed::quantize_per_token.out", box<&quantizePerToken>},
    KernelEntry{"quantized_decomposed::dequantize_per_token.out", box<&dequantizePerToken>},
    KernelEntry{"quantized_decomposed::choose_qparams.Tensor_out", box<&chooseParameters>},
    KernelEntry{"quantized_decomposed::choose_qparams_per_token_asymmetric.out",
                box<&chooseParametersPerToken>},
    KernelEntry{"quantized_decomposed::embedding_byte.out", box<&embeddingOut<8>>},
    KernelEntry{"quantized_decomposed::embedding_byte.dtype_out", box<&embeddingDtypeOut<8>>},
    KernelEntry{"quantized_decomposed::embedding_4bit.out", box<&embeddingOut<4>>},
    KernelEntry{"quantized_decomposed::embedding_4bit.dtype_out", box<&embeddingDtypeOut<4>>},
    KernelEntry{"quantized_decomposed::embedding_2bit.out", box<&embeddingOut<2>>},
    KernelEntry{"quantized_decomposed::embedding_2bit.dtype_out", box<&embeddingDtypeOut<2>>},
    KernelEntry{"quantized_decomposed::mixed_mm.out", box<&mixedMm>},
    KernelEntry{"quantized_decomposed::mixed_linear.out", box<&mixedLinear>},
    KernelEntry{"quantized_decomposed::add.out", box<&addOut>},
};

}  // namespace
}  // namespace quantized

std::span<const KernelEntry> quantizedKernels() {
    return quantized::table;
}

}  // namespace et::kernels
