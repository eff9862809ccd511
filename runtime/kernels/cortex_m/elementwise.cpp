#include "runtime/kernels/cortex_m/fixed_point.h"
#include "runtime/kernels/cortex_m/operators.h"
#include "runtime/kernels/quantized/per_tensor.h"
#include "runtime/kernels/reduction/operators.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>

namespace et::kernels::cortex_m {
namespace {

/// CMSIS-NN adds in units of 2^-20 of the input scale.
constexpr std::int64_t sumFraction = 20;
constexpr quantized::QuantizeRange allOfInt8{-128, 127};

/// Two int8 operands, broadcast to common sizes.
struct Operands {
    Tensor left;
    Tensor right;
};

core::Result<Operands> operands(KernelContext& context, const Tensor& self, std::int64_t selfZeroPoint,
                                const Tensor& other, std::int64_t otherZeroPoint, Tensor& out) {
    ET_TRY(expectInt8({&self, &other, &out}));
    ET_ASSIGN(const Sizes sizes, broadcastSizes(self.sizes(), other.sizes()));
    ET_TRY(out.resize(sizes));
    ET_ASSIGN(const ReadView left, broadcastTo(viewOf(self), sizes));
    ET_ASSIGN(const ReadView right, broadcastTo(viewOf(other), sizes));
    Operands made;
    ET_ASSIGN(made.left, quantized::centered(context, left, static_cast<double>(selfZeroPoint)));
    ET_ASSIGN(made.right, quantized::centered(context, right, static_cast<double>(otherZeroPoint)));
    return made;
}

/// out = combine(left, right), which returns int8 values.
template <class Combine>
core::Result<> combined(KernelContext& context, Operands both, const Combine& combine, Tensor& out) {
    const std::span<double> left = quantized::elementsOf(both.left);
    std::ranges::transform(left, quantized::elementsOf(both.right), left.begin(), combine);
    return quantized::storeDoubles(context, both.left, viewOf(out));
}

/// Fixed-point multiplier of an operand or result.
struct Factor {
    std::int64_t multiplier;
    std::int64_t shift;

    static core::Result<Factor> of(const Scalar& multiplier, const Scalar& shift) {
        ET_TRY(checkRequantization(multiplier.to<double>(), shift.to<double>()));
        return Factor{multiplier.to<std::int64_t>(), shift.to<std::int64_t>()};
    }
    [[nodiscard]] std::int64_t times(std::int64_t value) const {
        return requantized(value, multiplier, shift);
    }
};

core::Result<> addOut(KernelContext& context, const Tensor& self, Scalar selfZeroPoint, Scalar selfMultiplier,
                      Scalar selfShift, const Tensor& other, Scalar otherZeroPoint, Scalar otherMultiplier,
                      Scalar otherShift, Scalar outZeroPoint, Scalar outMultiplier, Scalar outShift,
                      std::int64_t min, std::int64_t max, Tensor& out) {
    ET_ASSIGN(const auto range, activationRange(min, max));
    ET_ASSIGN(const Factor ofSelf, Factor::of(selfMultiplier, selfShift));
    ET_ASSIGN(const Factor ofOther, Factor::of(otherMultiplier, otherShift));
    ET_ASSIGN(const Factor ofSum, Factor::of(outMultiplier, outShift));
    ET_ASSIGN(const Operands both, operands(context, self, selfZeroPoint.to<std::int64_t>(), other,
                                            otherZeroPoint.to<std::int64_t>(), out));
    const auto raised = [](double number) {
        return static_cast<std::int64_t>(number) * (std::int64_t{1} << sumFraction);
    };
    return combined(
        context, both,
        [&](double left, double right) {
            const std::int64_t sum = ofSelf.times(raised(left)) + ofOther.times(raised(right));
            return quantized::clampedTo(range,
                                        static_cast<double>(ofSum.times(sum)) + outZeroPoint.to<double>());
        },
        out);
}

core::Result<> plainAddOut(KernelContext& context, const Tensor& self, Scalar selfZeroPoint,
                           Scalar selfMultiplier, Scalar selfShift, const Tensor& other,
                           Scalar otherZeroPoint, Scalar otherMultiplier, Scalar otherShift,
                           Scalar outZeroPoint, Scalar outMultiplier, Scalar outShift, Tensor& out) {
    return addOut(context, self, selfZeroPoint, selfMultiplier, selfShift, other, otherZeroPoint,
                  otherMultiplier, otherShift, outZeroPoint, outMultiplier, outShift, allOfInt8.low,
                  allOfInt8.high, out);
}

core::Result<> mulOut(KernelContext& context, const Tensor& self, Scalar selfZeroPoint, const Tensor& other,
                      Scalar otherZeroPoint, Scalar outZeroPoint, Scalar outMultiplier, Scalar outShift,
                      Tensor& out) {
    ET_ASSIGN(const Factor factor, Factor::of(outMultiplier, outShift));
    ET_ASSIGN(const Operands both, operands(context, self, selfZeroPoint.to<std::int64_t>(), other,
                                            otherZeroPoint.to<std::int64_t>(), out));
    return combined(
        context, both,
        [&](double left, double right) {
            const std::int64_t product = factor.times(static_cast<std::int64_t>(left * right));
            return quantized::clampedTo(allOfInt8, static_cast<double>(product) + outZeroPoint.to<double>());
        },
        out);
}

/// The device also computes the quotient in float; division by 0 yields 0.
core::Result<> divOut(KernelContext& context, const Tensor& self, std::int64_t selfZeroPoint,
                      const Tensor& other, std::int64_t otherZeroPoint, std::int64_t outZeroPoint,
                      std::int64_t outMultiplier, std::int64_t outShift, Tensor& out) {
    ET_TRY(checkRequantization(static_cast<double>(outMultiplier), static_cast<double>(outShift)));
    ET_ASSIGN(const Operands both, operands(context, self, selfZeroPoint, other, otherZeroPoint, out));
    const float scale =
        std::ldexp(static_cast<float>(outMultiplier) / 2147483648.0F, static_cast<int>(outShift));
    return combined(
        context, both,
        [&](double left, double right) {
            const float quotient = right == 0 ? 0.0F : static_cast<float>(left) / static_cast<float>(right);
            return quantized::clampedTo(allOfInt8, static_cast<double>(std::round(quotient * scale)) +
                                                       static_cast<double>(outZeroPoint));
        },
        out);
}

template <bool max>
core::Result<> extremeOut(KernelContext& context, const Tensor& self, const Tensor& other, Tensor& out) {
    ET_ASSIGN(const Operands both, operands(context, self, 0, other, 0, out));
    return combined(
        context, both,
        [](double left, double right) { return max ? std::max(left, right) : std::min(left, right); }, out);
}

/// Any unary function, as a table of its 256 results, starting at input -128.
core::Result<> activationOut(KernelContext& context, const Tensor& input, const Tensor& table, Tensor& out) {
    ET_TRY(expectInt8({&input, &table, &out}));
    if (table.numel() != 256) {
        return invalid(fmt::format("expected a table of 256 elements, got {}", core::describe(table)));
    }
    ET_TRY(out.resize(input.sizes()));
    ET_ASSIGN(Tensor results, quantized::doublesOf(context, viewOf(table)));
    ET_ASSIGN(Tensor numbers, quantized::doublesOf(context, viewOf(input)));
    for (double& number : quantized::elementsOf(numbers)) {
        number = quantized::elementsOf(results)[static_cast<std::size_t>(number + 128)];
    }
    return quantized::storeDoubles(context, numbers, viewOf(out));
}

/// Results are in units of 1/256, minus 128. Multiplier and shift are the input's scale in units of 2^-26.
/// Computed in double; CMSIS-NN's integer exponential may differ by one quantization step.
core::Result<> softmaxOut(KernelContext& context, const Tensor& input, std::int64_t dim,
                          std::int64_t /*inZeroPoint*/, std::int64_t outZeroPoint, std::int64_t multiplier,
                          std::int64_t shift, std::int64_t /*diffMin*/, Tensor& out) {
    ET_TRY(expectInt8({&input, &out}));
    ET_TRY(checkRequantization(static_cast<double>(multiplier), static_cast<double>(shift)));
    constexpr int fraction = 26;
    const double scale =
        std::ldexp(static_cast<double>(multiplier) / 2147483648.0, static_cast<int>(shift) - fraction);
    ET_TRY(out.resize(input.sizes()));
    ET_ASSIGN(Tensor numbers, quantized::doublesOf(context, viewOf(input)));
    for (double& number : quantized::elementsOf(numbers)) {
        number *= scale;
    }
    ET_ASSIGN(Tensor shares, quantized::emptyDoubles(context, input.sizes()));
    ET_TRY(reduction::softmaxOut<false>(context, numbers, dim, false, shares));
    for (double& share : quantized::elementsOf(shares)) {
        share = quantized::clampedTo(allOfInt8, std::round(share * 256) + static_cast<double>(outZeroPoint));
    }
    return quantized::storeDoubles(context, shares, viewOf(out));
}

constexpr KernelEntry plainAdd{"cortex_m::quantized_add.out", box<&plainAddOut>};

constexpr std::array elementwiseTable{
    KernelEntry{"cortex_m::quantize_per_tensor.out", box<&quantized::quantizePerTensor>},
    KernelEntry{"cortex_m::dequantize_per_tensor.out", box<&quantized::dequantizeToFloat>},
    KernelEntry{"cortex_m::quantized_add.out", box<&addOut>, {}, &plainAdd},
    KernelEntry{"cortex_m::quantized_mul.out", box<&mulOut>},
    KernelEntry{"cortex_m::quantized_div.out", box<&divOut>},
    KernelEntry{"cortex_m::minimum.out", box<&extremeOut<false>>},
    KernelEntry{"cortex_m::maximum.out", box<&extremeOut<true>>},
    KernelEntry{"cortex_m::quantized_activation.out", box<&activationOut>},
    KernelEntry{"cortex_m::softmax.out", box<&softmaxOut>},
};

}  // namespace

std::span<const KernelEntry> elementwiseEntries() {
    return elementwiseTable;
}

}  // namespace et::kernels::cortex_m
