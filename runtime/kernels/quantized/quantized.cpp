#include "runtime/kernels/builtin.h"
#include "runtime/kernels/elements.h"
#include "runtime/kernels/quantized/affine.h"
#include "runtime/kernels/quantized/embedding.h"
#include "runtime/kernels/quantized/mixed_product.h"
#include "runtime/kernels/quantized/per_tensor.h"
#include "runtime/kernels/shape_rules.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <utility>

namespace et::kernels {
namespace quantized {
namespace {

/// Minimum and maximum of some numbers and 0. NaN is ignored.
struct Extent {
    float min = 0;
    float max = 0;

    void add(const float* numbers, std::size_t count) {
        // Several lanes, so that the compiler vectorises the loop.
        constexpr std::size_t lanes = 16;
        std::array<float, lanes> low{};
        std::array<float, lanes> high{};
        std::size_t i = 0;
        for (; i + lanes <= count; i += lanes) {
            for (std::size_t lane = 0; lane < lanes; ++lane) {
                const float number = numbers[i + lane];
                low[lane] = number < low[lane] ? number : low[lane];
                high[lane] = number > high[lane] ? number : high[lane];
            }
        }
        for (; i < count; ++i) {
            low[0] = std::min(low[0], numbers[i] < low[0] ? numbers[i] : low[0]);
            high[0] = numbers[i] > high[0] ? numbers[i] : high[0];
        }
        min = std::min(min, std::ranges::min(low));
        max = std::max(max, std::ranges::max(high));
    }
};

/// Returns the extent of `count` elements with a stride of `stride`.
Extent extentOf(const std::byte* from, std::int64_t stride, std::size_t width, std::size_t count,
                LoadElements<float> load) {
    constexpr std::size_t blockElements = 512;
    std::array<float, blockElements> block;
    Extent extent;
    for (std::size_t done = 0; done < count; done += blockElements) {
        const std::size_t length = std::min(blockElements, count - done);
        load(from + static_cast<std::int64_t>(done) * stride * static_cast<std::int64_t>(width), stride,
             block.data(), length);
        extent.add(block.data(), length);
    }
    return extent;
}

/// Store functions for scales and zero points.
struct ParameterWriters {
    StoreElements<double> scale;
    StoreElements<double> zeroPoint;
};

core::Result<ParameterWriters> selectWriters(const Tensor& scale, const Tensor& zeroPoint) {
    if (!core::isFloating(scale.dtype())) {
        return invalid(
            fmt::format("expected a scale of a floating dtype, got {}", core::scalarTypeName(scale.dtype())));
    }
    if (zeroPoint.dtype() != ScalarType::Long && zeroPoint.dtype() != ScalarType::Int) {
        return invalid(fmt::format("expected zero points of int64 or int32, got {}",
                                   core::scalarTypeName(zeroPoint.dtype())));
    }
    return ParameterWriters{elementStorer<double>(scale.dtype()), elementStorer<double>(zeroPoint.dtype())};
}

core::Result<LoadElements<float>> selectLoader(const Tensor& input) {
    if (!core::isFloating(input.dtype())) {
        return unsupportedType(input.dtype());
    }
    return elementLoader<float>(input.dtype());
}

/// quantized_decomposed::choose_qparams.Tensor_out: one scale (at least `eps`) and zero point for all
/// elements of `input`, such that its minimum, its maximum and 0 are in the range.
core::Result<> chooseParameters(KernelContext&, const Tensor& input, std::int64_t quantMin,
                                std::int64_t quantMax, double eps, ScalarType, Tensor& scale,
                                Tensor& zeroPoint) {
    if (quantMin >= quantMax || quantMin < INT32_MIN || quantMax > INT32_MAX) {
        return invalid(fmt::format("expected a range within int32, got {} to {}", quantMin, quantMax));
    }
    ET_TRY(scale.resize(Sizes{1}));
    ET_TRY(zeroPoint.resize(Sizes{1}));
    ET_ASSIGN(const ParameterWriters write, selectWriters(scale, zeroPoint));
    ET_ASSIGN(const LoadElements<float> load, selectLoader(input));
    const auto count = static_cast<std::size_t>(input.numel());
    double chosenScale = 1;
    double chosenZeroPoint = 0;
    if (count != 0) {
        const Extent extent = extentOf(input.raw(), 1, input.elementSize(), count, load);
        const float width = (extent.max - extent.min) / static_cast<float>(quantMax - quantMin);
        const float step = std::max(width, static_cast<float>(eps));
        chosenScale = static_cast<double>(step);
        const double exact =
            static_cast<double>(quantMin) - static_cast<double>(std::nearbyint(extent.min / step));
        chosenZeroPoint = std::clamp(exact, static_cast<double>(quantMin), static_cast<double>(quantMax));
    }
    write.scale(&chosenScale, scale.raw(), 1, 1);
    write.zeroPoint(&chosenZeroPoint, zeroPoint.raw(), 1, 1);
    return {};
}

/// quantized_decomposed::choose_qparams_per_token_asymmetric.out: the same for int8, per row of the last
/// dimension.
core::Result<> chooseParametersPerToken(KernelContext& context, const Tensor& input, ScalarType,
                                        Tensor& scale, Tensor& zeroPoint) {
    if (input.dim() == 0 || input.sizes().back() == 0) {
        return invalid(fmt::format("expected non-empty rows, got {}", core::sizesText(input.sizes())));
    }
    Sizes tokens = input.sizes();
    const auto length = static_cast<std::size_t>(std::exchange(tokens.back(), 1));
    ET_TRY(scale.resize(tokens));
    ET_TRY(zeroPoint.resize(tokens));
    ET_ASSIGN(const ParameterWriters write, selectWriters(scale, zeroPoint));
    ET_ASSIGN(const LoadElements<float> load, selectLoader(input));
    const std::int64_t step = input.strides().back();
    Strides inputStrides = input.strides();
    inputStrides.back() = 0;
    const StridedWalk<3> walk(tokens, {scale.strides(), zeroPoint.strides(), inputStrides});
    const auto [scaleStep, zeroPointStep, inputStep] = walk.rowStrides();
    const auto chooseRow = [&](const std::array<std::int64_t, 3>& offsets) {
        for (std::int64_t i = 0; i < walk.rowLength(); ++i) {
            const auto place = [i](const Tensor& tensor, std::int64_t offset, std::int64_t stride) {
                return tensor.raw() + static_cast<std::size_t>(offset + i * stride) * tensor.elementSize();
            };
            const Extent extent =
                extentOf(place(input, offsets[2], inputStep), step, input.elementSize(), length, load);
            constexpr float low = -128;
            constexpr float high = 127;
            const float width =
                std::max((extent.max - extent.min) / (high - low), std::numeric_limits<float>::epsilon());
            const float min = extent.min / width;
            const float max = extent.max / width;
            // Computed from the end with the smaller error.
            const float exact = (low + min) + (high + max) > 0 ? low - min : high - max;
            const auto zero = static_cast<double>(std::nearbyint(std::clamp(exact, low, high)));
            const auto chosenScale = static_cast<double>(width);
            write.scale(&chosenScale, place(scale, offsets[0], scaleStep), 1, 1);
            write.zeroPoint(&zero, place(zeroPoint, offsets[1], zeroPointStep), 1, 1);
        }
    };
    const std::size_t rowCost =
        length * static_cast<std::size_t>(std::max<std::int64_t>(walk.rowLength(), 1));
    context.threads().parallelFor(static_cast<std::size_t>(walk.rows()), (std::size_t{1} << 16) / rowCost + 1,
                                  [&](std::size_t begin, std::size_t end) {
                                      walk.forRows(static_cast<std::int64_t>(begin),
                                                   static_cast<std::int64_t>(end), chooseRow);
                                  });
    return {};
}

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
