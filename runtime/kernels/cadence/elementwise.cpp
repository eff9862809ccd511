#include "runtime/kernels/cadence/operators.h"
#include "runtime/kernels/quantized/number_arguments.h"
#include "runtime/kernels/shape_rules.h"

#include <array>
#include <cmath>
#include <functional>

namespace et::kernels::cadence {
namespace {

using quantized::NumberArgument;

/// Dequantizes a tensor, broadcast to `sizes`.
template <NumberArgument Scale, NumberArgument ZeroPoint>
core::Result<Tensor> realNumbers(KernelContext& context, const Tensor& tensor, const Sizes& sizes,
                                 Scale scale, ZeroPoint zeroPoint) {
    ET_ASSIGN(const double factor, quantized::theNumber(scale));
    ET_ASSIGN(const double zero, quantized::theNumber(zeroPoint));
    ET_ASSIGN(const ReadView view, broadcastTo(viewOf(tensor), sizes));
    ET_ASSIGN(Tensor numbers, quantized::centered(context, view, zero));
    for (double& number : quantized::elementsOf(numbers)) {
        number = static_cast<double>(static_cast<float>(number) * static_cast<float>(factor));
    }
    return numbers;
}

core::Result<> quantizeInto(KernelContext& context, Tensor& numbers, double scale, std::int64_t zeroPoint,
                            Tensor& out) {
    ET_ASSIGN(const auto range, quantized::rangeOf(out.dtype()));
    ET_TRY(out.resize(numbers.sizes()));
    for (double& number : quantized::elementsOf(numbers)) {
        number = quantized::quantizedFloat(static_cast<float>(number), scale, zeroPoint, range);
    }
    return quantized::storeDoubles(context, numbers, viewOf(out));
}

template <class Operation, NumberArgument Scale, NumberArgument ZeroPoint>
core::Result<> binaryOut(KernelContext& context, const Tensor& x, Scale xScale, ZeroPoint xZeroPoint,
                         const Tensor& y, Scale yScale, ZeroPoint yZeroPoint, double outScale,
                         std::int64_t outZeroPoint, Tensor& out) {
    ET_ASSIGN(const Sizes sizes, broadcastSizes(x.sizes(), y.sizes()));
    ET_ASSIGN(Tensor left, realNumbers(context, x, sizes, xScale, xZeroPoint));
    ET_ASSIGN(Tensor right, realNumbers(context, y, sizes, yScale, yZeroPoint));
    std::ranges::transform(quantized::elementsOf(left), quantized::elementsOf(right),
                           quantized::elementsOf(left).begin(), Operation{});
    return quantizeInto(context, left, outScale, outZeroPoint, out);
}

template <class Operation>
core::Result<> scalarOut(KernelContext& context, const Tensor& x, const Tensor* xScale,
                         const Tensor* xZeroPoint, Scalar y, double outScale, std::int64_t outZeroPoint,
                         Tensor& out) {
    ET_ASSIGN(Tensor numbers, realNumbers(context, x, x.sizes(), xScale, xZeroPoint));
    for (double& number : quantized::elementsOf(numbers)) {
        number = Operation{}(number, y.to<double>());
    }
    return quantizeInto(context, numbers, outScale, outZeroPoint, out);
}

/// Multiplier and shift have the same meaning as in quantized_linear.
template <NumberArgument Number>
core::Result<> reluOut(KernelContext& context, const Tensor& x, Number xZeroPoint, std::int64_t outZeroPoint,
                       Number multiplier, Number shift, Tensor& out) {
    ET_ASSIGN(const double zeroPoint, quantized::theNumber(xZeroPoint));
    ET_ASSIGN(const double fraction, quantized::theNumber(multiplier));
    ET_ASSIGN(const double exponent, quantized::theNumber(shift));
    ET_ASSIGN(const auto range, quantized::rangeOf(out.dtype()));
    ET_TRY(out.resize(x.sizes()));
    ET_ASSIGN(Tensor numbers, quantized::centered(context, viewOf(x), zeroPoint));
    const double factor = fraction / 2147483648.0 * std::exp2(exponent);
    for (double& number : quantized::elementsOf(numbers)) {
        const double moved = std::nearbyint(std::max(number, 0.0) * factor);
        number = quantized::clampedTo(range, moved + static_cast<double>(outZeroPoint));
    }
    return quantized::storeDoubles(context, numbers, viewOf(out));
}

core::Result<> whereOut(KernelContext& context, const Tensor& condition, double ifTrue, double ifFalse,
                        Tensor& out) {
    if (condition.dtype() != ScalarType::Bool) {
        return invalid("expected a condition of bools, got " + core::describe(condition));
    }
    ET_TRY(out.resize(condition.sizes()));
    ET_ASSIGN(Tensor numbers, quantized::doublesOf(context, viewOf(condition)));
    for (double& number : quantized::elementsOf(numbers)) {
        number = number != 0 ? ifTrue : ifFalse;
    }
    return quantized::storeDoubles(context, numbers, viewOf(out));
}

using Sum = std::plus<double>;
using Product = std::multiplies<double>;
template <class Operation>
constexpr Kernel binary = box<&binaryOut<Operation, double, std::int64_t>>;
template <class Operation>
constexpr Kernel binaryOfTensors = box<&binaryOut<Operation, const Tensor*, const Tensor*>>;

constexpr std::array elementwiseTable{
    KernelEntry{"cadence::quantized_add.out", binaryOfTensors<Sum>},
    KernelEntry{"cadence::quantized_add.per_tensor_out", binary<Sum>},
    KernelEntry{"cadence::quantized_add_asym8sxasym8s_asym8s.per_tensor_out", binary<Sum>},
    KernelEntry{"cadence::quantized_add_asym8uxasym8u_asym8u.per_tensor_out", binary<Sum>},
    KernelEntry{"cadence::quantized_mul.out", binaryOfTensors<Product>},
    KernelEntry{"cadence::quantized_mul.per_tensor_out", binary<Product>},
    KernelEntry{"cadence::quantized_mul_asym8sxasym8s_asym8s.per_tensor_out", binary<Product>},
    KernelEntry{"cadence::quantized_mul_asym8uxasym8u_asym8u.per_tensor_out", binary<Product>},
    KernelEntry{"cadence::quantized_add_Scalar.out", box<&scalarOut<Sum>>},
    KernelEntry{"cadence::quantized_mul_Scalar.out", box<&scalarOut<Product>>},
    KernelEntry{"cadence::quantized_relu.out", box<&reluOut<const Tensor*>>},
    KernelEntry{"cadence::quantized_relu.per_tensor_out", box<&reluOut<std::int64_t>>},
    KernelEntry{"cadence::quantized_relu_asym8s_asym8s.per_tensor_out", box<&reluOut<std::int64_t>>},
    KernelEntry{"cadence::quantized_relu_asym8u_asym8u.per_tensor_out", box<&reluOut<std::int64_t>>},
    KernelEntry{"cadence::where_Scalar.out", box<&whereOut>},
};

}  // namespace

std::span<const KernelEntry> elementwiseEntries() {
    return elementwiseTable;
}

}  // namespace et::kernels::cadence
