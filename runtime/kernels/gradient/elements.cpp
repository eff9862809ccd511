#include "runtime/kernels/gradient/operators.h"
#include "runtime/kernels/gradient/row_major.h"

#include <fmt/format.h>

#include <array>
#include <cmath>
#include <numbers>
#include <string_view>

namespace et::kernels::gradient {
namespace {

Result<> thresholdBackward(KernelContext& context, const Tensor& gradient, const Tensor& self,
                           Scalar threshold, Tensor& out) {
    const auto limit = threshold.to<double>();
    return mapElements(context, gradient, self, out,
                       [limit](double g, double x) { return x <= limit ? 0 : g; });
}

Result<> sigmoidBackward(KernelContext& context, const Tensor& gradient, const Tensor& output, Tensor& out) {
    return mapElements(context, gradient, output, out, [](double g, double y) { return g * (1 - y) * y; });
}

Result<> tanhBackward(KernelContext& context, const Tensor& gradient, const Tensor& output, Tensor& out) {
    return mapElements(context, gradient, output, out, [](double g, double y) { return g * (1 - y * y); });
}

double geluSlope(double x) {
    const double density = std::exp(-x * x / 2) / std::sqrt(2 * std::numbers::pi);
    return std::erfc(-x / std::numbers::sqrt2) / 2 + x * density;
}

/// Of the approximation 0.5 x (1 + tanh(sqrt(2 / pi) (x + 0.044715 x^3))).
double geluTanhSlope(double x) {
    constexpr double cubic = 0.044715;
    const double factor = std::sqrt(2 / std::numbers::pi);
    const double t = std::tanh(factor * (x + cubic * x * x * x));
    return (1 + t) / 2 + x / 2 * (1 - t * t) * factor * (1 + 3 * cubic * x * x);
}

Result<> geluBackward(KernelContext& context, const Tensor& gradient, const Tensor& self,
                      std::string_view approximate, Tensor& out) {
    if (approximate != "none" && approximate != "tanh") {
        return invalid(fmt::format("approximate: expected \"none\" or \"tanh\", got \"{}\"",
                                   core::printable(approximate)));
    }
    const auto slope = approximate == "none" ? &geluSlope : &geluTanhSlope;
    return mapElements(context, gradient, self, out, [slope](double g, double x) { return g * slope(x); });
}

Result<> siluBackward(KernelContext& context, const Tensor& gradient, const Tensor& self, Tensor& out) {
    return mapElements(context, gradient, self, out, [](double g, double x) {
        const double s = 1 / (1 + std::exp(-x));
        return g * s * (1 + x * (1 - s));
    });
}

Result<> hardtanhBackward(KernelContext& context, const Tensor& gradient, const Tensor& self, Scalar minimum,
                          Scalar maximum, Tensor& out) {
    const auto low = minimum.to<double>();
    const auto high = maximum.to<double>();
    return mapElements(context, gradient, self, out,
                       [low, high](double g, double x) { return x <= low || x >= high ? 0 : g; });
}

Result<> leakyReluBackward(KernelContext& context, const Tensor& gradient, const Tensor& self, Scalar slope,
                           bool /*selfIsResult*/, Tensor& out) {
    const auto factor = slope.to<double>();
    return mapElements(context, gradient, self, out,
                       [factor](double g, double x) { return x > 0 ? g : g * factor; });
}

Result<> hardswishBackward(KernelContext& context, const Tensor& gradient, const Tensor& self, Tensor& out) {
    return mapElements(context, gradient, self, out, [](double g, double x) {
        return x <= -3 ? 0 : x >= 3 ? g : g * (x / 3 + 0.5);
    });
}

Result<> hardsigmoidBackward(KernelContext& context, const Tensor& gradient, const Tensor& self,
                             Tensor& out) {
    return mapElements(context, gradient, self, out,
                       [](double g, double x) { return x > -3 && x < 3 ? g / 6 : 0; });
}

constexpr std::array elementGradients{
    KernelEntry{"aten::threshold_backward.grad_input", box<&thresholdBackward>},
    KernelEntry{"aten::sigmoid_backward.grad_input", box<&sigmoidBackward>},
    KernelEntry{"aten::tanh_backward.grad_input", box<&tanhBackward>},
    KernelEntry{"aten::gelu_backward.grad_input", box<&geluBackward>},
    KernelEntry{"aten::silu_backward.grad_input", box<&siluBackward>},
    KernelEntry{"aten::hardtanh_backward.grad_input", box<&hardtanhBackward>},
    KernelEntry{"aten::leaky_relu_backward.grad_input", box<&leakyReluBackward>},
    KernelEntry{"aten::hardswish_backward.out", box<&hardswishBackward>},
    KernelEntry{"aten::hardsigmoid_backward.grad_input", box<&hardsigmoidBackward>},
};

}  // namespace

std::span<const KernelEntry> elementEntries() {
    return elementGradients;
}

}  // namespace et::kernels::gradient
