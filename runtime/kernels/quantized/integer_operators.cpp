#include "runtime/kernels/quantized/integer_operators.h"

#include "runtime/kernels/dense/convolution_operator.h"
#include "runtime/kernels/dense/matrix_operators.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>

namespace et::kernels::quantized {
namespace {

template <class T>
constexpr QuantizeRange rangeOfType{std::numeric_limits<T>::lowest(), std::numeric_limits<T>::max()};

std::unexpected<core::Error> noProduct(const Tensor& left, const Tensor& right) {
    return invalid(fmt::format("matrices of {} cannot be multiplied by {}", core::sizesText(left.sizes()),
                               core::sizesText(right.sizes())));
}

/// Returns a row-major tensor with other sizes and the same number of elements.
core::Result<Tensor> reshaped(const Tensor& numbers, std::span<const std::int64_t> sizes) {
    return Tensor::make(ScalarType::Double, sizes, numbers.raw());
}

}  // namespace

core::Result<Tensor> emptyDoubles(KernelContext& context, std::span<const std::int64_t> sizes) {
    ET_ASSIGN(Tensor made, Tensor::make(ScalarType::Double, sizes, nullptr));
    ET_ASSIGN(const auto memory, context.scratch<double>(static_cast<std::size_t>(made.numel())));
    made.setMemory(reinterpret_cast<std::byte*>(memory.data()), memory.size_bytes());
    return made;
}

core::Result<Tensor> doublesOf(KernelContext& context, const ReadView& view) {
    ET_ASSIGN(Tensor made, emptyDoubles(context, view.sizes));
    ET_TRY(copyElements(context.threads(), view, viewOf(made)));
    return made;
}

core::Result<Tensor> centered(KernelContext& context, const ReadView& view, double zeroPoint) {
    ET_ASSIGN(Tensor made, doublesOf(context, view));
    if (zeroPoint != 0) {
        for (double& number : elementsOf(made)) {
            number -= zeroPoint;
        }
    }
    return made;
}

core::Result<> storeDoubles(KernelContext& context, const Tensor& numbers, const WriteView& to) {
    return copyElements(context.threads(), viewOf(numbers), to);
}

core::Result<QuantizeRange> rangeOf(ScalarType dtype) {
    using Types = core::ElementTypes<std::uint8_t, std::int8_t, std::int16_t, std::uint16_t, std::int32_t>;
    return Types::visit(
        dtype, []<class T>(std::type_identity<T>) -> core::Result<QuantizeRange> { return rangeOfType<T>; },
        [dtype] -> core::Result<QuantizeRange> { return unsupportedType(dtype); });
}

double clampedTo(const QuantizeRange& range, double number) {
    const auto low = static_cast<double>(range.low);
    return std::isnan(number) ? low : std::clamp(number, low, static_cast<double>(range.high));
}

double quantizedFloat(float x, double scale, std::int64_t zeroPoint, const QuantizeRange& range) {
    const float moved = x * static_cast<float>(1 / scale);
    return clampedTo(range, static_cast<double>(std::nearbyint(moved)) + static_cast<double>(zeroPoint));
}

core::Result<PerChannel> PerChannel::of(KernelContext& context, const Tensor& numbers,
                                        std::int64_t channels) {
    if (numbers.numel() != 1 && numbers.numel() != channels) {
        return invalid(fmt::format("expected 1 or {} channel parameters, got {}", channels, numbers.numel()));
    }
    ET_ASSIGN(Tensor copy, doublesOf(context, viewOf(numbers)));
    const std::span<double> all = elementsOf(copy);
    if (all.size() == 1) {
        return PerChannel(all.front());
    }
    PerChannel made;
    made.many = all;
    return made;
}

core::Result<PerChannel> PerChannel::of(IntList numbers, std::int64_t channels) {
    if (numbers.size() != 1 && std::cmp_not_equal(numbers.size(), channels)) {
        return invalid(fmt::format("expected 1 or {} channel parameters, got {}", channels, numbers.size()));
    }
    if (numbers.size() == 1) {
        return PerChannel(static_cast<double>(numbers.front()));
    }
    PerChannel made;
    made.whole = numbers;
    return made;
}

core::Result<Tensor> convolutionSums(KernelContext& context, const dense::ConvolutionArguments& arguments) {
    ET_ASSIGN(const dense::Convolution shape, dense::convolutionShape(arguments));
    ET_ASSIGN(Tensor sums, emptyDoubles(context, shape.outputSizes));
    ET_TRY(dense::convolve(context, arguments, sums));
    return sums;
}

core::Result<Tensor> matrixSums(KernelContext& context, const Tensor& left, const Tensor& right) {
    const std::size_t dims = left.dim();
    if (dims < 2 || right.dim() != dims ||
        !std::equal(left.sizes().begin(), left.sizes().end() - 2, right.sizes().begin()) ||
        left.size(dims - 1) != right.size(dims - 2)) {
        return noProduct(left, right);
    }
    Sizes sizes = left.sizes();
    sizes.back() = right.size(dims - 1);
    ET_ASSIGN(Tensor sums, emptyDoubles(context, sizes));
    if (sums.numel() == 0) {
        return sums;
    }
    const std::int64_t rows = left.size(dims - 2);
    const std::int64_t columns = right.size(dims - 1);
    ET_TRY(dense::compute(context,
                          {.left = left,
                           .right = right,
                           .batch = sums.numel() / (rows * columns),
                           .rows = rows,
                           .depth = left.size(dims - 1),
                           .columns = columns},
                          sums));
    return sums;
}

core::Result<Tensor> linearSums(KernelContext& context, const Tensor& src, const Tensor& weight,
                                const Tensor* bias) {
    if (src.dim() == 0 || weight.dim() != 2 || src.sizes().back() != weight.size(1)) {
        return noProduct(src, weight);
    }
    const std::int64_t columns = weight.size(0);
    if (bias != nullptr && bias->numel() != columns) {
        return invalid(fmt::format("bias: expected [{}], got {}", columns, core::sizesText(bias->sizes())));
    }
    Sizes sizes = src.sizes();
    sizes.back() = columns;
    ET_ASSIGN(Tensor sums, emptyDoubles(context, sizes));
    if (sums.numel() == 0) {
        return sums;
    }
    std::optional<Tensor> addend;
    if (bias != nullptr) {
        ET_ASSIGN(addend, reshaped(*bias, Sizes{columns}));
    }
    ET_TRY(dense::compute(context,
                          {.left = src,
                           .right = weight,
                           .rows = sums.numel() / columns,
                           .depth = weight.size(1),
                           .columns = columns,
                           .rightIsTransposed = true,
                           .addend = addend ? &*addend : nullptr},
                          sums));
    return sums;
}

}  // namespace et::kernels::quantized
