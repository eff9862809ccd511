#include "runtime/kernels/quantized/choose_parameters.h"

#include "runtime/kernels/elements.h"
#include "runtime/kernels/shape_rules.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <utility>

namespace et::kernels::quantized {
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

}  // namespace

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

}  // namespace et::kernels::quantized
