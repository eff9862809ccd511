#include "runtime/kernels/dense/convolution_shape.h"

#include "runtime/kernels/kernel_context.h"

#include <fmt/format.h>

#include <algorithm>
#include <optional>
#include <string_view>

namespace et::kernels::dense {
namespace {

std::optional<std::int64_t> narrow(Wide number) {
    return number >= 0 && number <= INT64_MAX ? std::optional(static_cast<std::int64_t>(number))
                                              : std::nullopt;
}

/// Expands a parameter to each spatial dimension, right-aligned in three.
core::Result<Spatial> perDimension(std::string_view name, IntList list, std::size_t dims, std::int64_t min,
                                   std::int64_t otherwise) {
    if (list.size() != 1 && list.size() != dims) {
        return invalid(fmt::format("{}: expected 1 or {} values, got {}", name, dims, list.size()));
    }
    Spatial numbers{otherwise, otherwise, otherwise};
    for (std::size_t i = 0; i < dims; ++i) {
        const std::int64_t number = list[list.size() == 1 ? 0 : i];
        if (number < min) {
            return invalid(fmt::format("{}: expected at least {}, got {}", name, min, number));
        }
        numbers[spatialDims - dims + i] = number;
    }
    return numbers;
}

core::Result<> readParameters(const ConvolutionArguments& arguments, std::size_t dims, Filter& filter) {
    ET_ASSIGN(filter.stride, perDimension("stride", arguments.stride, dims, 1, 1));
    ET_ASSIGN(filter.padding, perDimension("padding", arguments.padding, dims, 0, 0));
    ET_ASSIGN(filter.dilation, perDimension("dilation", arguments.dilation, dims, 1, 1));
    filter.transposed = arguments.transposed;
    if (!filter.transposed) {
        return {};
    }
    ET_ASSIGN(filter.outputPadding, perDimension("output padding", arguments.outputPadding, dims, 0, 0));
    for (std::size_t i = 0; i < spatialDims; ++i) {
        if (filter.outputPadding[i] >= std::max(filter.stride[i], filter.dilation[i])) {
            return invalid(fmt::format("expected an output padding below stride {} or dilation {}, got {}",
                                       filter.stride[i], filter.dilation[i], filter.outputPadding[i]));
        }
    }
    return {};
}

core::Result<> readChannels(const ConvolutionArguments& arguments, std::int64_t inputChannels,
                            Filter& filter) {
    const Tensor& weight = arguments.weight;
    if (arguments.groups < 1) {
        return invalid(fmt::format("expected at least 1 group, got {}", arguments.groups));
    }
    filter.groups = arguments.groups;
    filter.inputChannels = inputChannels;
    // The weight's second size is per group; the first covers all channels of the other side.
    const auto ofGroups = narrow(Wide{weight.size(1)} * filter.groups);
    const std::int64_t expectedInputs = filter.transposed ? weight.size(0) : ofGroups.value_or(-1);
    const std::int64_t outputs = filter.transposed ? ofGroups.value_or(-1) : weight.size(0);
    if (inputChannels != expectedInputs || outputs < 0 || weight.size(0) % filter.groups != 0) {
        return invalid(fmt::format("a weight of {} in {} groups does not fit an input of {} channels",
                                   core::sizesText(weight.sizes()), filter.groups, inputChannels));
    }
    filter.outputChannels = outputs;
    const Tensor* bias = arguments.bias;
    if (bias != nullptr && (bias->dim() != 1 || bias->size(0) != outputs)) {
        return invalid(fmt::format("bias: expected [{}], got {}", outputs, core::sizesText(bias->sizes())));
    }
    return {};
}

core::Result<std::int64_t> outputSize(const Filter& filter, std::size_t dim, std::int64_t input) {
    const Wide reach = Wide{filter.dilation[dim]} * (filter.kernel[dim] - 1) + 1;
    const Wide padding = Wide{filter.padding[dim]} * 2;
    Wide size = 0;
    if (filter.transposed) {
        size = Wide{input - 1} * filter.stride[dim] - padding + reach + filter.outputPadding[dim];
    } else if (reach <= input + padding) {
        size = (input + padding - reach) / filter.stride[dim] + 1;
    }
    const auto result = size < 1 ? std::nullopt : narrow(size);
    if (!result) {
        return invalid(
            fmt::format("an input of size {} (padding {}) is too small or too large for a kernel of size {} "
                        "(dilation {})",
                        input, filter.padding[dim], filter.kernel[dim], filter.dilation[dim]));
    }
    return *result;
}

}  // namespace

bool Filter::isPointwise() const {
    return taps() == 1 && std::ranges::all_of(stride, [](std::int64_t step) { return step == 1; }) &&
           std::ranges::all_of(padding, [](std::int64_t size) { return size == 0; }) &&
           std::ranges::all_of(outputPadding, [](std::int64_t size) { return size == 0; });
}

core::Result<Convolution> convolutionShape(const ConvolutionArguments& arguments) {
    const Tensor& input = arguments.input;
    const Tensor& weight = arguments.weight;
    if (weight.dim() < 3 || weight.dim() > 2 + spatialDims) {
        return invalid(
            fmt::format("weight: expected 3 to {} dimensions, got {}", 2 + spatialDims, weight.dim()));
    }
    const std::size_t dims = weight.dim() - 2;
    if (input.dim() != dims + 1 && input.dim() != dims + 2) {
        return invalid(
            fmt::format("input: expected {} or {} dimensions, got {}", dims + 1, dims + 2, input.dim()));
    }
    const bool batched = input.dim() == dims + 2;
    Convolution shape;
    shape.channelDim = batched ? 1 : 0;
    ET_TRY(readParameters(arguments, dims, shape.filter));
    ET_TRY(readChannels(arguments, input.size(shape.channelDim), shape.filter));
    if (batched) {
        shape.batch = input.size(0);
        shape.outputSizes.push_back(shape.batch);
    }
    shape.outputSizes.push_back(shape.filter.outputChannels);
    for (std::size_t i = 0; i < dims; ++i) {
        const std::size_t dim = spatialDims - dims + i;
        shape.filter.kernel[dim] = weight.size(2 + i);
        if (shape.filter.kernel[dim] < 1) {
            return invalid(
                fmt::format("expected kernel sizes of at least 1, got {}", core::sizesText(weight.sizes())));
        }
        shape.input[dim] = input.size(input.dim() - dims + i);
        ET_ASSIGN(shape.output[dim], outputSize(shape.filter, dim, shape.input[dim]));
        shape.outputSizes.push_back(shape.output[dim]);
    }
    return shape;
}

core::Result<> expectOneType(std::initializer_list<const Tensor*> tensors) {
    const core::ScalarType expected = (*tensors.begin())->dtype();
    for (const Tensor* tensor : tensors) {
        if (tensor != nullptr && tensor->dtype() != expected) {
            return invalid(fmt::format("expected tensors of one dtype, got {} and {}",
                                       core::scalarTypeName(expected),
                                       core::scalarTypeName(tensor->dtype())));
        }
    }
    return {};
}

}  // namespace et::kernels::dense
