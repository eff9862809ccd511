#include "runtime/kernels/spatial/resample_axis.h"

#include <fmt/format.h>

namespace et::kernels::spatial {
namespace {

/// Limit that keeps products of two sizes from overflowing.
constexpr std::int64_t largestSize = INT32_MAX;

core::Result<> checkImage(const Tensor& input) {
    if (input.dim() != 4) {
        return invalid(
            fmt::format("expected an image of 4 dimensions, got {}", core::sizesText(input.sizes())));
    }
    for (std::size_t i = 1; i < 4; ++i) {
        if (input.size(i) < 1 || input.size(i) > largestSize) {
            return invalid(
                fmt::format("expected sizes from 1 to {} in all dimensions except the batch, got {}",
                            largestSize, core::sizesText(input.sizes())));
        }
    }
    return {};
}

core::Result<> checkOutput(const ResizeTarget& target) {
    for (const std::int64_t size : target.output) {
        if (size < 1 || size > largestSize) {
            return invalid(fmt::format("expected an output size from 1 to {}, got {}", largestSize, size));
        }
    }
    return {};
}

core::Result<> checkCount(std::size_t count) {
    return count == 2 ? core::Result<>{}
                      : invalid(fmt::format("expected an output size or factor for height and width, got {}",
                                            count));
}

}  // namespace

core::Result<ResizeTarget> resizeTarget(const Tensor& input, std::optional<IntList> outputSize,
                                        std::optional<DoubleList> factors) {
    if (outputSize.has_value() == factors.has_value()) {
        return invalid("expected either an output size or scale factors");
    }
    if (outputSize) {
        return resizeTarget(input, *outputSize, std::nullopt, std::nullopt);
    }
    ET_TRY(checkImage(input));
    ET_TRY(checkCount(factors->size()));
    ResizeTarget target;
    for (std::size_t i = 0; i < 2; ++i) {
        target.factors[i] = (*factors)[i];
        target.output[i] = core::toInt64(static_cast<double>(input.size(i + 2)) * (*factors)[i]);
    }
    ET_TRY(checkOutput(target));
    return target;
}

core::Result<ResizeTarget> resizeTarget(const Tensor& input, IntList outputSize,
                                        std::optional<double> heightFactor,
                                        std::optional<double> widthFactor) {
    ET_TRY(checkImage(input));
    ET_TRY(checkCount(outputSize.size()));
    const ResizeTarget target{.output = {outputSize[0], outputSize[1]},
                              .factors = {heightFactor, widthFactor}};
    ET_TRY(checkOutput(target));
    return target;
}

}  // namespace et::kernels::spatial
