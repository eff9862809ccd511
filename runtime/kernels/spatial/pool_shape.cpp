#include "runtime/kernels/spatial/pool_shape.h"

#include <fmt/format.h>

#include <algorithm>
#include <string_view>

namespace et::kernels::spatial {
namespace {

/// Limit that keeps products of two sizes from overflowing.
constexpr std::int64_t largest = INT32_MAX;

/// Reads the shape from the input.
core::Result<PoolShape> inputShape(const Tensor& input, std::size_t spatial) {
    const std::size_t rank = input.dim();
    if (rank != spatial + 1 && rank != spatial + 2) {
        return invalid(fmt::format("expected a tensor of {} or {} dimensions, got {}", spatial + 1,
                                   spatial + 2, core::sizesText(input.sizes())));
    }
    PoolShape shape;
    shape.spatial = spatial;
    const std::size_t channel = rank - spatial - 1;
    for (std::size_t i = channel; i < rank; ++i) {
        if (input.size(i) < 1 || input.size(i) > largest) {
            return invalid(
                fmt::format("expected sizes from 1 to {} in all dimensions except the batch, got {}", largest,
                            core::sizesText(input.sizes())));
        }
    }
    shape.batch = channel == 1 ? input.size(0) : 1;
    shape.channels = input.size(channel);
    if (channel == 1) {
        shape.outSizes.push_back(shape.batch);
    }
    shape.outSizes.push_back(shape.channels);
    for (std::size_t i = 0; i < spatial; ++i) {
        shape.axes[3 - spatial + i].input = input.size(channel + 1 + i);
    }
    return shape;
}

/// Returns the value for dimension `at` of `spatial` from a list with one value for all, or one per
/// dimension.
core::Result<std::int64_t> parameter(std::string_view name, IntList list, std::size_t at, std::size_t spatial,
                                     std::int64_t min) {
    if (list.size() != 1 && list.size() != spatial) {
        return invalid(fmt::format("{}: expected 1 or {} values, got {}", name, spatial, list.size()));
    }
    const std::int64_t number = list[list.size() == 1 ? 0 : at];
    if (number < min || number > largest) {
        return invalid(fmt::format("{}: expected values from {} to {}, got {}", name, min, largest, number));
    }
    return number;
}

core::Result<> setOutput(PoolAxis& axis, bool ceilMode) {
    const std::int64_t reach = axis.dilation * (axis.kernel - 1) + 1;
    if (axis.padding > reach / 2) {
        return invalid(
            fmt::format("padding: expected at most half of the window size {}, got {}", reach, axis.padding));
    }
    const std::int64_t room = axis.input + 2 * axis.padding - reach + (ceilMode ? axis.stride - 1 : 0);
    axis.output = room < 0 ? 0 : room / axis.stride + 1;
    // A window may extend over the end, but must start within the input or the padding before it.
    if (ceilMode && (axis.output - 1) * axis.stride >= axis.input + axis.padding) {
        --axis.output;
    }
    if (axis.output < 1) {
        return invalid(fmt::format("a window of {} does not fit an input of {} with a padding of {}", reach,
                                   axis.input, axis.padding));
    }
    return {};
}

}  // namespace

PoolWindow PoolAxis::window(std::int64_t at) const {
    if (adaptive) {
        const std::int64_t first = at * input / output;
        const std::int64_t count = ((at + 1) * input + output - 1) / output - first;
        return {.first = first, .count = count, .places = count};
    }
    const std::int64_t start = at * stride - padding;
    const std::int64_t reach = dilation * (kernel - 1) + 1;
    const std::int64_t first =
        start >= 0 ? start : start + (dilation == 1 ? -start : (dilation - 1 - start) / dilation * dilation);
    const std::int64_t end = std::min(start + reach, input);
    const std::int64_t extent = std::max<std::int64_t>(end - first, 0);
    return {.first = first,
            .count = dilation == 1 ? extent : (extent + dilation - 1) / dilation,
            .places = std::min(start + kernel, input + padding) - start};
}

PoolStrides PoolShape::stridesOf(const Tensor& tensor) const {
    const std::size_t channel = tensor.dim() - spatial - 1;
    PoolStrides strides{.batch = channel == 1 ? tensor.stride(0) : 0, .channel = tensor.stride(channel)};
    for (std::size_t i = 0; i < spatial; ++i) {
        strides.axes[3 - spatial + i] = tensor.stride(channel + 1 + i);
    }
    return strides;
}

core::Result<PoolShape> poolShape(const Tensor& input, std::size_t spatial,
                                  const PoolParameters& parameters) {
    ET_ASSIGN(PoolShape shape, inputShape(input, spatial));
    for (std::size_t i = 0; i < spatial; ++i) {
        PoolAxis& axis = shape.axes[3 - spatial + i];
        ET_ASSIGN(axis.kernel, parameter("kernel size", parameters.kernel, i, spatial, 1));
        axis.stride = axis.kernel;
        if (!parameters.stride.empty()) {
            ET_ASSIGN(axis.stride, parameter("stride", parameters.stride, i, spatial, 1));
        }
        ET_ASSIGN(axis.padding, parameter("padding", parameters.padding, i, spatial, 0));
        ET_ASSIGN(axis.dilation, parameter("dilation", parameters.dilation, i, spatial, 1));
        ET_TRY(setOutput(axis, parameters.ceilMode));
        shape.outSizes.push_back(axis.output);
    }
    return shape;
}

core::Result<PoolShape> adaptivePoolShape(const Tensor& input, std::size_t spatial, IntList outputSize) {
    ET_ASSIGN(PoolShape shape, inputShape(input, spatial));
    for (std::size_t i = 0; i < spatial; ++i) {
        PoolAxis& axis = shape.axes[3 - spatial + i];
        axis.adaptive = true;
        ET_ASSIGN(axis.output, parameter("output size", outputSize, i, spatial, 0));
        shape.outSizes.push_back(axis.output);
    }
    return shape;
}

}  // namespace et::kernels::spatial
