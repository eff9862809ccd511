#include "runtime/kernels/cortex_m/fixed_point.h"
#include "runtime/kernels/cortex_m/operators.h"

#include <array>

namespace et::kernels::cortex_m {
namespace {

/// Returns the sizes of the input as rows of the weight's depth; trailing dimensions may be merged.
core::Result<Sizes> rowsOf(const Tensor& input, const Tensor& weight) {
    if (weight.dim() != 2 || input.dim() == 0 || weight.size(1) == 0 || input.numel() % weight.size(1) != 0) {
        return invalid("an input " + core::describe(input) + " does not fit a weight " +
                       core::describe(weight));
    }
    if (input.sizes().back() == weight.size(1)) {
        return input.sizes();
    }
    return Sizes{input.numel() / weight.size(1), weight.size(1)};
}

core::Result<Tensor> reshaped(const Tensor& numbers, const Sizes& sizes) {
    return Tensor::make(ScalarType::Double, sizes, numbers.raw());
}

/// Computes the sums from the exporter's precomputed weight sums: input x weight + sum(input) * filter offset
/// + weight sums, which include the bias.
core::Result<Tensor> sumsWithKernelSums(KernelContext& context, const Tensor& input, const Tensor& weight,
                                        const Tensor& kernelSums, double filterOffset) {
    ET_ASSIGN(const Tensor addend, quantized::doublesOf(context, viewOf(kernelSums)));
    ET_ASSIGN(Tensor sums, quantized::linearSums(context, input, weight, &addend));
    if (filterOffset == 0 || sums.numel() == 0) {
        return sums;
    }
    const std::int64_t depth = weight.size(1);
    const std::int64_t columns = weight.size(0);
    const double* row = input.data<double>();
    std::size_t at = 0;
    for (double& sum : quantized::elementsOf(sums)) {
        const double* from = row + static_cast<std::int64_t>(at++) / columns * depth;
        for (std::int64_t i = 0; i < depth; ++i) {
            sum += from[i] * filterOffset;
        }
    }
    return sums;
}

core::Result<Tensor> plainSums(KernelContext& context, Tensor& input, Tensor& weight, const Tensor* bias,
                               double inputOffset, double filterOffset) {
    for (double& number : quantized::elementsOf(input)) {
        number += inputOffset;
    }
    for (double& number : quantized::elementsOf(weight)) {
        number += filterOffset;
    }
    if (bias == nullptr) {
        return quantized::linearSums(context, input, weight, nullptr);
    }
    ET_ASSIGN(const Tensor addend, quantized::doublesOf(context, viewOf(*bias)));
    return quantized::linearSums(context, input, weight, &addend);
}

core::Result<> linearOut(KernelContext& context, const Tensor& input, const Tensor& weight,
                         const Tensor* bias, const Tensor* kernelSums, Scalar inputOffset,
                         Scalar filterOffset, Scalar outputOffset, IntList multipliers, IntList shifts,
                         Scalar max, Scalar min, Tensor& out) {
    ET_TRY(expectInt8({&input, &weight, &out}));
    ET_ASSIGN(const Sizes rows, rowsOf(input, weight));
    const std::int64_t columns = weight.size(0);
    Requantization requantize{.offset = outputOffset.to<std::int64_t>()};
    ET_ASSIGN(requantize.multipliers, quantized::PerChannel::of(multipliers, columns));
    ET_ASSIGN(requantize.shifts, quantized::PerChannel::of(shifts, columns));
    ET_ASSIGN(requantize.range, activationRange(min.to<std::int64_t>(), max.to<std::int64_t>()));
    ET_TRY(requantize.check(columns));
    ET_ASSIGN(const Tensor all, quantized::doublesOf(context, viewOf(input)));
    ET_ASSIGN(Tensor numbers, reshaped(all, rows));
    ET_ASSIGN(Tensor factors, quantized::doublesOf(context, viewOf(weight)));
    ET_ASSIGN(
        Tensor sums,
        kernelSums == nullptr
            ? plainSums(context, numbers, factors, bias, inputOffset.to<double>(), filterOffset.to<double>())
            : sumsWithKernelSums(context, numbers, factors, *kernelSums, filterOffset.to<double>()));
    ET_TRY(out.resize(sums.sizes()));
    quantized::changeByChannel(sums, sums.dim() - 1, requantize);
    return quantized::storeDoubles(context, sums, viewOf(out));
}

/// lhs [batch, rows, depth], rhs transposed: [batch, columns, depth].
core::Result<> matmulOut(KernelContext& context, const Tensor& lhs, std::int64_t lhsOffset, const Tensor& rhs,
                         std::int64_t rhsOffset, std::int64_t outputOffset, std::int64_t multiplier,
                         std::int64_t shift, Tensor& out) {
    ET_TRY(expectInt8({&lhs, &rhs, &out}));
    ET_TRY(checkRequantization(static_cast<double>(multiplier), static_cast<double>(shift)));
    if (lhs.dim() != 3 || rhs.dim() != 3) {
        return invalid("expected matrices of 3 dimensions");
    }
    ReadView view = viewOf(rhs);
    view.swap(1, 2);
    ET_ASSIGN(const Tensor left, quantized::centered(context, viewOf(lhs), -static_cast<double>(lhsOffset)));
    ET_ASSIGN(const Tensor right, quantized::centered(context, view, -static_cast<double>(rhsOffset)));
    ET_ASSIGN(Tensor sums, quantized::matrixSums(context, left, right));
    ET_TRY(out.resize(sums.sizes()));
    const Requantization requantize{.multipliers = quantized::PerChannel(static_cast<double>(multiplier)),
                                    .shifts = quantized::PerChannel(static_cast<double>(shift)),
                                    .offset = outputOffset};
    quantized::changeByChannel(sums, 2, requantize);
    return quantized::storeDoubles(context, sums, viewOf(out));
}

core::Result<> scratchMatmulOut(KernelContext& context, const Tensor& lhs, std::int64_t lhsOffset,
                                const Tensor& rhs, std::int64_t rhsOffset, std::int64_t outputOffset,
                                std::int64_t multiplier, std::int64_t shift, const Tensor* /*scratch*/,
                                Tensor& out) {
    return matmulOut(context, lhs, lhsOffset, rhs, rhsOffset, outputOffset, multiplier, shift, out);
}

constexpr KernelEntry plainMatmul{"cortex_m::quantized_batch_matmul.out", box<&matmulOut>};

constexpr std::array productsTable{
    KernelEntry{"cortex_m::quantized_linear.out", box<&linearOut>},
    KernelEntry{"cortex_m::quantized_batch_matmul.out", box<&scratchMatmulOut>, {}, &plainMatmul},
};

}  // namespace

std::span<const KernelEntry> productEntries() {
    return productsTable;
}

}  // namespace et::kernels::cortex_m
