#include "runtime/kernels/cadence/operators.h"
#include "runtime/kernels/quantized/number_arguments.h"
#include "runtime/kernels/quantized/per_tensor.h"

#include <array>

namespace et::kernels::cadence {
namespace {

using quantized::NumberArgument;

/// Converts between two scales and zero points, through float.
template <NumberArgument Scale, NumberArgument ZeroPoint>
core::Result<> requantizeOut(KernelContext& context, const Tensor& input, Scale inScale,
                             ZeroPoint inZeroPoint, Scale outScale, ZeroPoint outZeroPoint, ScalarType dtype,
                             Tensor& out) {
    ET_ASSIGN(const double scale, quantized::theNumber(inScale));
    ET_ASSIGN(const double zeroPoint, quantized::theNumber(inZeroPoint));
    ET_ASSIGN(const double newScale, quantized::theNumber(outScale));
    ET_ASSIGN(const double newZeroPoint, quantized::theNumber(outZeroPoint));
    ET_TRY(out.resize(input.sizes()));
    ET_ASSIGN(const auto range, quantized::rangeOf(dtype));
    ET_TRY(quantized::checkQuantized(out, dtype, range));
    ET_ASSIGN(Tensor numbers, quantized::centered(context, viewOf(input), zeroPoint));
    for (double& number : quantized::elementsOf(numbers)) {
        const float real = static_cast<float>(number) * static_cast<float>(scale);
        number = quantized::quantizedFloat(real, newScale, core::toInt64(newZeroPoint), range);
    }
    return quantized::storeDoubles(context, numbers, viewOf(out));
}

constexpr Kernel quantize = box<&quantized::quantizePerTensor>;
constexpr Kernel dequantize = box<&quantized::dequantizeToFloat>;

constexpr std::array quantizeTable{
    KernelEntry{"cadence::quantize_per_tensor.out", quantize},
    KernelEntry{"cadence::quantize_per_tensor_asym8s.out", quantize},
    KernelEntry{"cadence::quantize_per_tensor_asym8u.out", quantize},
    KernelEntry{"cadence::quantize_per_tensor_asym16s.out", quantize},
    KernelEntry{"cadence::quantize_per_tensor_asym16u.out", quantize},
    KernelEntry{"cadence::quantize_per_tensor_asym32s.out", quantize},
    KernelEntry{"cadence::dequantize_per_tensor.out", dequantize},
    KernelEntry{"cadence::dequantize_per_tensor_asym8s.out", dequantize},
    KernelEntry{"cadence::dequantize_per_tensor_asym8u.out", dequantize},
    KernelEntry{"cadence::dequantize_per_tensor_asym16s.out", dequantize},
    KernelEntry{"cadence::dequantize_per_tensor_asym16u.out", dequantize},
    KernelEntry{"cadence::dequantize_per_tensor_asym32s.out", dequantize},
    KernelEntry{"cadence::requantize.out", box<&requantizeOut<const Tensor*, const Tensor*>>},
    KernelEntry{"cadence::requantize.per_tensor_out", box<&requantizeOut<double, std::int64_t>>},
};

}  // namespace

std::span<const KernelEntry> quantizeEntries() {
    return quantizeTable;
}

}  // namespace et::kernels::cadence
