#include "runtime/kernels/cadence/operators.h"
#include "runtime/kernels/dense/matrix_operators.h"
#include "runtime/kernels/quantized/number_arguments.h"

#include <array>
#include <cmath>

namespace et::kernels::cadence {
namespace {

using quantized::NumberArgument;
using quantized::PerChannel;

/// Factors from sums to results: a fraction of 2^31 and a power of two.
struct Requantization {
    PerChannel multipliers{};
    PerChannel shifts{};
    std::int64_t zeroPoint = 0;
    quantized::QuantizeRange range{};

    [[nodiscard]] double operator()(double sum, std::int64_t channel) const {
        constexpr double one = 2147483648.0;
        const double factor = multipliers[channel] / one * std::exp2(shifts[channel]);
        return quantized::clampedTo(range, std::nearbyint(sum * factor) + static_cast<double>(zeroPoint));
    }
};

template <NumberArgument Number>
core::Result<Requantization> requantization(KernelContext& context, Number multiplier, Number shift,
                                            std::int64_t zeroPoint, std::int64_t channels,
                                            const Tensor& out) {
    Requantization made{.zeroPoint = zeroPoint};
    ET_ASSIGN(made.multipliers, quantized::perChannel(context, multiplier, channels));
    ET_ASSIGN(made.shifts, quantized::perChannel(context, shift, channels));
    ET_ASSIGN(made.range, quantized::rangeOf(out.dtype()));
    return made;
}

/// Returns the weight minus its zero points, which may be per row.
template <NumberArgument Number>
core::Result<Tensor> centeredRows(KernelContext& context, const Tensor& weight, Number zeroPoint) {
    ET_ASSIGN(Tensor numbers, quantized::doublesOf(context, viewOf(weight)));
    const std::int64_t rows = weight.dim() == 0 ? 1 : weight.size(0);
    ET_ASSIGN(const PerChannel zeroPoints, quantized::perChannel(context, zeroPoint, rows));
    if (weight.dim() > 0) {
        quantized::changeByChannel(numbers, 0,
                                   [&](double number, std::int64_t row) { return number - zeroPoints[row]; });
    }
    return numbers;
}

core::Result<> requantizeInto(KernelContext& context, Tensor& sums, const Requantization& requantize,
                              Tensor& out) {
    ET_TRY(out.resize(sums.sizes()));
    quantized::changeByChannel(sums, sums.dim() - 1, requantize);
    return quantized::storeDoubles(context, sums, viewOf(out));
}

/// quantized_linear and quantized_fully_connected. `offset` is unused.
template <NumberArgument Number>
core::Result<> linearOut(KernelContext& context, const Tensor& src, const Tensor& weight, const Tensor& bias,
                         std::int64_t srcZeroPoint, Number weightZeroPoint, Number multiplier, Number shift,
                         std::int64_t outZeroPoint, const Tensor* /*offset*/, Tensor& out) {
    ET_ASSIGN(const Tensor left,
              quantized::centered(context, viewOf(src), static_cast<double>(srcZeroPoint)));
    ET_ASSIGN(const Tensor right, centeredRows(context, weight, weightZeroPoint));
    ET_ASSIGN(const Tensor addend, quantized::doublesOf(context, viewOf(bias)));
    ET_ASSIGN(Tensor sums, quantized::linearSums(context, left, right, &addend));
    ET_ASSIGN(const Requantization requantize,
              requantization(context, multiplier, shift, outZeroPoint, right.size(0), out));
    return requantizeInto(context, sums, requantize, out);
}

core::Result<> matmulOut(KernelContext& context, const Tensor& x, std::int64_t xZeroPoint, const Tensor& y,
                         std::int64_t yZeroPoint, const Tensor* /*bias*/, std::int64_t multiplier,
                         std::int64_t shift, std::int64_t outZeroPoint, bool transposed, Tensor& out) {
    ReadView view = viewOf(y);
    if (transposed && y.dim() > 1) {
        view.swap(y.dim() - 1, y.dim() - 2);
    }
    ET_ASSIGN(const Tensor left, quantized::centered(context, viewOf(x), static_cast<double>(xZeroPoint)));
    ET_ASSIGN(const Tensor right, quantized::centered(context, view, static_cast<double>(yZeroPoint)));
    ET_ASSIGN(Tensor sums, quantized::matrixSums(context, left, right));
    ET_ASSIGN(const Requantization requantize,
              requantization(context, multiplier, shift, outZeroPoint, 1, out));
    return requantizeInto(context, sums, requantize, out);
}

/// 8-bit weights with one scale, [in, out], on float inputs.
core::Result<> mixedLinearOut(KernelContext& context, const Tensor& input, const Tensor& weight,
                              double weightScale, const Tensor& bias, double biasScale, Tensor& out) {
    ReadView view = viewOf(weight);
    if (weight.dim() == 2) {
        view.swap(0, 1);
    }
    ET_ASSIGN(const Tensor left, quantized::doublesOf(context, viewOf(input)));
    ET_ASSIGN(Tensor right, quantized::doublesOf(context, view));
    ET_ASSIGN(Tensor addend, quantized::doublesOf(context, viewOf(bias)));
    for (double& number : quantized::elementsOf(right)) {
        number *= weightScale;
    }
    for (double& number : quantized::elementsOf(addend)) {
        number *= biasScale;
    }
    ET_ASSIGN(const Tensor sums, quantized::linearSums(context, left, right, &addend));
    ET_TRY(out.resize(sums.sizes()));
    return quantized::storeDoubles(context, sums, viewOf(out));
}

constexpr Kernel linear = box<&linearOut<std::int64_t>>;
constexpr Kernel linearOfTensors = box<&linearOut<const Tensor*>>;
constexpr Kernel matmul = box<&matmulOut>;

constexpr std::array productsTable{
    KernelEntry{"cadence::quantized_linear.out", linearOfTensors},
    KernelEntry{"cadence::quantized_linear.per_tensor_out", linear},
    KernelEntry{"cadence::quantized_linear_asym8sxasym8s_asym8s.per_tensor_out", linear},
    KernelEntry{"cadence::quantized_linear_asym8uxasym8u_asym8u.per_tensor_out", linear},
    KernelEntry{"cadence::quantized_fully_connected.out", linearOfTensors},
    KernelEntry{"cadence::quantized_fully_connected.per_tensor_out", linear},
    KernelEntry{"cadence::quantized_fully_connected_asym8sxasym8s_asym8s.per_tensor_out", linear},
    KernelEntry{"cadence::quantized_fully_connected_asym8uxasym8u_asym8u.per_tensor_out", linear},
    KernelEntry{"cadence::quantized_matmul.out", matmul},
    KernelEntry{"cadence::quantized_matmul_asym8sxasym8s_asym8s.out", matmul},
    KernelEntry{"cadence::quantized_matmul_asym8uxasym8u_asym8u.out", matmul},
    KernelEntry{.name = "cadence::fully_connected.out",
                .kernel = box<&dense::linear>,
                .prepare = box<&dense::prepareLinear>,
                .packed = 1U << 1U},
    KernelEntry{"cadence::quantized_w8a32_linear.out", box<&mixedLinearOut>},
};

}  // namespace

std::span<const KernelEntry> productEntries() {
    return productsTable;
}

}  // namespace et::kernels::cadence
