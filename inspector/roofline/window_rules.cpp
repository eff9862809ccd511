#include "inspector/roofline/window_rules.h"

#include <algorithm>
#include <cstdint>
#include <optional>
#include <string_view>

namespace et::inspector::roofline::detail {
namespace {

/// A window that moves along one axis of an image.
struct WindowAxis {
    std::int64_t input = 0;   ///< size of the image
    std::int64_t output = 0;  ///< number of window positions
    std::int64_t kernel = 1;
    std::int64_t stride = 1;
    std::int64_t dilation = 1;
    std::int64_t padding = 0;  ///< before the image
};

constexpr std::int64_t mostElements = std::int64_t{1} << 40;
constexpr std::int64_t mostKernel = 1 << 16;
constexpr std::int64_t mostSteps = 1 << 20;

bool makesSense(const WindowAxis& axis) {
    const auto within = [](std::int64_t number, std::int64_t least, std::int64_t most) {
        return number >= least && number <= most;
    };
    return within(axis.input, 0, mostElements) && within(axis.output, 0, mostElements) &&
           within(axis.kernel, 1, mostKernel) && within(axis.stride, 1, mostSteps) &&
           within(axis.dilation, 1, mostSteps) && within(axis.padding, 0, mostElements);
}

std::int64_t floorDivide(std::int64_t number, std::int64_t by) {
    const std::int64_t quotient = number / by;
    return number % by < 0 ? quotient - 1 : quotient;
}

std::optional<double> tapsInside(const WindowAxis& axis) {
    if (!makesSense(axis)) {
        return std::nullopt;
    }
    double taps = 0;
    for (std::int64_t k = 0; k < axis.kernel; ++k) {
        // Position o covers element o * stride + offset.
        const std::int64_t offset = k * axis.dilation - axis.padding;
        const std::int64_t first =
            std::max<std::int64_t>(0, floorDivide(axis.stride - 1 - offset, axis.stride));
        const std::int64_t last =
            std::min(axis.output - 1, floorDivide(axis.input - 1 - offset, axis.stride));
        taps += static_cast<double>(std::max<std::int64_t>(0, last - first + 1));
    }
    return taps;
}

using Numbers = std::vector<std::int64_t>;

/// Element `i` of an attribute that may have one number for all axes, or none for its default.
std::int64_t numberOfAxis(const Numbers& numbers, std::size_t i, std::int64_t otherwise) {
    return numbers.empty() ? otherwise : i < numbers.size() ? numbers[i] : numbers.back();
}

/// A call with a sliding window, independent of the file format.
struct Window {
    Numbers image;      ///< sizes of the input's axes
    Numbers positions;  ///< sizes of the output's axes
    Numbers kernel;
    Numbers stride;
    Numbers dilation;
    Numbers padding;  ///< at the start of each axis

    /// Total number of elements that the window covers along all axes. `scattered`: the window is placed by
    /// the input and adds to the output (transposed convolution).
    [[nodiscard]] std::optional<double> taps(bool scattered = false) const {
        double product = 1;
        for (std::size_t i = 0; i < image.size(); ++i) {
            const std::int64_t kernelSize = numberOfAxis(kernel, i, 1);
            const auto seen = tapsInside({.input = scattered ? positions[i] : image[i],
                                          .output = scattered ? image[i] : positions[i],
                                          .kernel = kernelSize,
                                          .stride = numberOfAxis(stride, i, kernelSize),
                                          .dilation = numberOfAxis(dilation, i, 1),
                                          .padding = numberOfAxis(padding, i, 0)});
            if (!seen) {
                return std::nullopt;
            }
            product *= *seen;
        }
        return product;
    }
};

/// Window over two axes of an image with channels last.
std::optional<Window> windowOfDelegate(const OperatorCall& call, std::string_view kernel) {
    const Numbers& in = call.inputs.front().sizes;
    const Numbers& out = call.outputs.front().sizes;
    const auto size = call.numbers(kernel);
    const auto stride = call.numbers("stride");
    const auto dilation = call.numbers("dilation");
    const auto sides = call.numbers("padding");  // top, right, bottom, left
    if (in.size() != 4 || out.size() != 4 || !size || size->size() != 2 || !sides || sides->size() != 4) {
        return std::nullopt;
    }
    return Window{.image = {in[1], in[2]},
                  .positions = {out[1], out[2]},
                  .kernel = *size,
                  .stride = stride.value_or(Numbers{}),
                  .dilation = dilation.value_or(Numbers{}),
                  .padding = {(*sides)[0], (*sides)[3]}};
}

/// Window over any number of axes after batch and channels.
std::optional<Window> windowOfProgram(const OperatorCall& call, Numbers kernel) {
    const Numbers& in = call.inputs.front().sizes;
    const Numbers& out = call.outputs.front().sizes;
    const std::size_t axes = kernel.size();
    const auto stride = call.numbers("stride");
    const auto padding = call.numbers("padding");
    if (in.size() < axes || out.size() < axes || !stride || !padding) {
        return std::nullopt;
    }
    const auto last = [&](const Numbers& sizes) {
        return Numbers(sizes.end() - static_cast<std::ptrdiff_t>(axes), sizes.end());
    };
    return Window{.image = last(in),
                  .positions = last(out),
                  .kernel = std::move(kernel),
                  .stride = *stride,
                  .dilation = call.numbers("dilation").value_or(Numbers{}),
                  .padding = *padding};
}

std::optional<double> nhwcConvolution(const OperatorCall& call, bool scattered) {
    if (call.inputs.size() < 2) {
        return std::nullopt;
    }
    const auto window = windowOfDelegate(call, "kernel");
    const auto groups = call.numbers("groups");
    const auto from = call.numbers("input channels a group");
    const auto to = call.numbers("output channels a group");
    if (!window || !groups || !from || !to || groups->size() != 1 || from->size() != 1 || to->size() != 1) {
        return std::nullopt;
    }
    const double channels = static_cast<double>(groups->front()) * static_cast<double>(from->front()) *
                            static_cast<double>(to->front());
    return window->taps(scattered).transform([&](double seen) {
        return 2 * static_cast<double>(call.inputs.front().sizes.front()) * channels * seen;
    });
}

}  // namespace

/// Weights are [outputs, inputs per group, kernel...]; transposed ones are [inputs, outputs per group,
/// kernel...]. In both cases each connected pair of channels is one element of the first two dimensions.
std::optional<double> convolutionOperations(const OperatorCall& call) {
    if (call.inputs.size() < 2) {
        return std::nullopt;
    }
    const Numbers& weights = call.inputs[1].sizes;
    const auto transposed = std::ranges::find(call.attributes, "transposed", &core::GraphAttribute::name);
    if (weights.size() < 3 || transposed == call.attributes.end()) {
        return std::nullopt;
    }
    const auto window = windowOfProgram(call, Numbers(weights.begin() + 2, weights.end()));
    if (!window) {
        return std::nullopt;
    }
    const std::size_t axes = weights.size() - 2;
    const Numbers& in = call.inputs.front().sizes;
    const double batch = in.size() == axes + 2 ? static_cast<double>(in.front()) : 1;
    const double pairs = static_cast<double>(weights[0]) * static_cast<double>(weights[1]);
    return window->taps(transposed->text == "True").transform([&](double seen) {
        return 2 * batch * pairs * seen;
    });
}

std::optional<double> nhwcConvolutionOperations(const OperatorCall& call) {
    return nhwcConvolution(call, false);
}

std::optional<double> nhwcTransposedConvolutionOperations(const OperatorCall& call) {
    return nhwcConvolution(call, true);
}

std::optional<double> poolingOperations(const OperatorCall& call) {
    if (call.inputs.empty()) {
        return std::nullopt;
    }
    const Numbers& in = call.inputs.front().sizes;
    const auto kernel = call.numbers("kernel_size");
    if (!kernel || kernel->empty()) {
        return std::nullopt;
    }
    const auto window = windowOfProgram(call, kernel->size() == 1 ? Numbers(2, kernel->front()) : *kernel);
    if (!window) {
        return std::nullopt;
    }
    double images = 1;
    for (std::size_t i = 0; i + 2 < in.size(); ++i) {
        images *= static_cast<double>(in[i]);
    }
    return window->taps().transform([&](double seen) { return images * seen; });
}

std::optional<double> nhwcPoolingOperations(const OperatorCall& call) {
    if (call.inputs.empty()) {
        return std::nullopt;
    }
    const auto window = windowOfDelegate(call, "window");
    if (!window) {
        return std::nullopt;
    }
    const Numbers& in = call.inputs.front().sizes;
    return window->taps().transform(
        [&](double seen) { return seen * static_cast<double>(in[0]) * static_cast<double>(in[3]); });
}

}  // namespace et::inspector::roofline::detail
