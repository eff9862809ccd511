#include "runtime/kernels/quantized/mixed_product.h"

#include "runtime/kernels/elements.h"
#include "runtime/kernels/quantized/affine_simd.h"
#include "runtime/kernels/shape_rules.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <span>

namespace et::kernels::quantized {
namespace {

/// Returns the elements of a row-major tensor as floats. Errors: Unsupported, Limit.
core::Result<std::span<float>> floatsOf(KernelContext& context, const Tensor& tensor) {
    const LoadElements<float> load = elementLoader<float>(tensor.dtype());
    if (load == nullptr || !tensor.isContiguous()) {
        return core::fail(
            core::ErrorCode::Unsupported,
            fmt::format("expected a row-major floating-point tensor, got {}", core::describe(tensor)));
    }
    const auto count = static_cast<std::size_t>(tensor.numel());
    ET_ASSIGN(const auto numbers, context.scratch<float>(count));
    load(tensor.raw(), 1, numbers.data(), count);
    return numbers;
}

/// Returns a weight as floats: rows of `columns` elements, divided into groups that share a scale.
core::Result<std::span<float>> dequantizedWeight(KernelContext& context, const Tensor& weight,
                                                 const Tensor& scales, const Tensor* zeroPoints) {
    if (weight.dim() != 2 || weight.dtype() != ScalarType::Char || !weight.isContiguous()) {
        return invalid(fmt::format("expected a row-major int8 weight with 2 dimensions, got {}",
                                   core::describe(weight)));
    }
    if ((scales.dim() != 1 && scales.dim() != 2) || scales.size(0) != weight.size(0) ||
        (scales.dim() == 2 && scales.size(1) < 1)) {
        return invalid(fmt::format("expected scales for {} rows, got {}", weight.size(0),
                                   core::sizesText(scales.sizes())));
    }
    if (zeroPoints != nullptr && zeroPoints->sizes() != scales.sizes()) {
        return invalid(fmt::format("expected zero points of {}, got {}", core::sizesText(scales.sizes()),
                                   core::sizesText(zeroPoints->sizes())));
    }
    const auto rows = static_cast<std::size_t>(weight.size(0));
    const auto columns = static_cast<std::size_t>(weight.size(1));
    const std::size_t groups = scales.dim() == 2 ? static_cast<std::size_t>(scales.size(1)) : 1;
    const std::size_t group = std::max<std::size_t>((columns + groups - 1) / groups, 1);
    ET_ASSIGN(const auto scaleNumbers, floatsOf(context, scales));
    std::span<float> zeros;
    if (zeroPoints != nullptr) {
        ET_ASSIGN(zeros, floatsOf(context, *zeroPoints));
    }
    ET_ASSIGN(const auto numbers, context.scratch<float>(rows * columns));
    for (std::size_t row = 0; row < rows; ++row) {
        for (std::size_t begin = 0; begin < columns; begin += group) {
            const std::size_t parameter = row * groups + begin / group;
            dequantize(weight.data<std::int8_t>() + row * columns + begin, std::min(group, columns - begin),
                       scaleNumbers[parameter], zeros.empty() ? 0.0F : zeros[parameter],
                       numbers.data() + row * columns + begin);
        }
    }
    return numbers;
}

core::Result<> prepareOut(const Tensor& input, std::int64_t columns, std::optional<ScalarType> dtype,
                          Tensor& out) {
    ET_TRY(out.resize(Sizes{input.size(0), columns}));
    if (!core::isFloating(out.dtype()) || (dtype && *dtype != out.dtype()) || !out.isContiguous()) {
        return invalid(fmt::format("expected a row-major result of {}, got {}",
                                   dtype ? core::scalarTypeName(*dtype) : "a floating dtype",
                                   core::describe(out)));
    }
    return core::isFloating(input.dtype()) ? core::Result<>{} : unsupportedType(input.dtype());
}

core::Result<> checkDepth(const Tensor& input, const Tensor& weight, std::size_t weightDim) {
    if (input.dim() != 2 || weight.dim() != 2 || input.size(1) != weight.size(weightDim)) {
        return invalid(fmt::format("expected matrices that can be multiplied, got {} and {}",
                                   core::sizesText(input.sizes()), core::sizesText(weight.sizes())));
    }
    return {};
}

/// Returns the dot product, with several partial sums so that the compiler vectorises it.
float dot(const float* left, const float* right, std::size_t count) {
    constexpr std::size_t lanes = 16;
    std::array<float, lanes> sums{};
    std::size_t i = 0;
    for (; i + lanes <= count; i += lanes) {
        for (std::size_t lane = 0; lane < lanes; ++lane) {
            sums[lane] += left[i + lane] * right[i + lane];
        }
    }
    float sum = 0;
    for (; i < count; ++i) {
        sum += left[i] * right[i];
    }
    for (const float part : sums) {
        sum += part;
    }
    return sum;
}

/// Calls `writeRow(row, floats)`, which computes a row of the result, and stores that row.
template <class WriteRow>
core::Result<> forOutRows(KernelContext& context, Tensor& out, std::size_t depth, WriteRow&& writeRow) {
    const auto rows = static_cast<std::size_t>(out.size(0));
    const auto columns = static_cast<std::size_t>(out.size(1));
    ET_ASSIGN(const auto results, context.scratch<float>(rows * columns));
    context.threads().parallelFor(rows, (std::size_t{1} << 16) / (depth * columns + 1) + 1,
                                  [&](std::size_t begin, std::size_t end) {
                                      for (std::size_t row = begin; row < end; ++row) {
                                          writeRow(row, results.subspan(row * columns, columns));
                                      }
                                  });
    elementStorer<float>(out.dtype())(results.data(), out.raw(), 1, results.size());
    return {};
}

}  // namespace

core::Result<> mixedMm(KernelContext& context, const Tensor& input, const Tensor& weight,
                       const Tensor& scales, const Tensor* zeroPoints, Tensor& out) {
    ET_TRY(checkDepth(input, weight, 0));
    ET_TRY(prepareOut(input, weight.size(1), std::nullopt, out));
    if (out.numel() == 0) {
        return {};
    }
    ET_ASSIGN(const auto right, dequantizedWeight(context, weight, scales, zeroPoints));
    ET_ASSIGN(const auto left, floatsOf(context, input));
    const auto depth = static_cast<std::size_t>(input.size(1));
    return forOutRows(context, out, depth, [&](std::size_t row, std::span<float> sums) {
        std::ranges::fill(sums, 0.0F);
        for (std::size_t k = 0; k < depth; ++k) {
            const float factor = left[row * depth + k];
            const float* rightRow = right.data() + k * sums.size();
            for (std::size_t column = 0; column < sums.size(); ++column) {
                sums[column] += factor * rightRow[column];
            }
        }
    });
}

core::Result<> mixedLinear(KernelContext& context, const Tensor& input, const Tensor& weight,
                           const Tensor& scales, const Tensor* zeroPoints, std::optional<ScalarType> dtype,
                           Tensor& out) {
    ET_TRY(checkDepth(input, weight, 1));
    ET_TRY(prepareOut(input, weight.size(0), dtype, out));
    if (out.numel() == 0) {
        return {};
    }
    ET_ASSIGN(const auto right, dequantizedWeight(context, weight, scales, zeroPoints));
    ET_ASSIGN(const auto left, floatsOf(context, input));
    const auto depth = static_cast<std::size_t>(input.size(1));
    return forOutRows(context, out, depth, [&](std::size_t row, std::span<float> sums) {
        for (std::size_t column = 0; column < sums.size(); ++column) {
            sums[column] = dot(left.data() + row * depth, right.data() + column * depth, depth);
        }
    });
}

}  // namespace et::kernels::quantized
