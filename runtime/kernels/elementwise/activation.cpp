#include "runtime/core/element_types.h"
#include "runtime/kernels/boxing.h"
#include "runtime/kernels/builtin.h"
#include "runtime/kernels/elementwise/float_loops.h"
#include "runtime/kernels/elementwise/kernels.h"
#include "runtime/kernels/shape_rules.h"

#include <fmt/format.h>

#include <cmath>
#include <limits>
#include <numbers>
#include <type_traits>

namespace et::kernels {
namespace {

constexpr auto sigmoid = [](auto x) { return 1 / (1 + std::exp(-x)); };

constexpr auto gated = [](auto x, auto gate) { return x * sigmoid(gate); };

constexpr auto gelu = [](auto x) {
    using T = decltype(x);
    return x * T(0.5) * (1 + std::erf(x / std::numbers::sqrt2_v<T>));
};

constexpr auto geluTanh = [](auto x) {
    using T = decltype(x);
    const T inner = std::numbers::sqrt2_v<T> * std::numbers::inv_sqrtpi_v<T> * (x + T(0.044715) * x * x * x);
    return x * T(0.5) * (1 + std::tanh(inner));
};

/// Numbers: alpha, scale, input scale.
constexpr auto elu = [](auto x, const auto& numbers) {
    return x < 0 ? std::expm1(x * numbers[2]) * (numbers[0] * numbers[1]) : x * numbers[1];
};

constexpr auto leakyRelu = [](auto x, const auto& numbers) { return x > 0 ? x : x * numbers[0]; };

/// Rounds x to Element, as PyTorch rounds half and bfloat16 after each step of logit.
template <class Element>
constexpr auto heldIn = [](auto x) {
    if constexpr (std::is_void_v<Element>) {
        return x;
    } else {
        return static_cast<decltype(x)>(core::convertTo<Element>(x));
    }
};

/// Numbers: the minimum and maximum probability, to which others are clamped. `Element`: see heldIn, or void.
template <class Element>
constexpr auto logit = [](auto x, const auto& numbers) {
    const auto inside = x < numbers[0] ? numbers[0] : (x > numbers[1] ? numbers[1] : x);
    return std::log(heldIn<Element>(inside / heldIn<Element>(1 - inside)));
};

const Loops& logitLoops(ScalarType type) {
    static constexpr Loops plain = floatLoops<logit<void>, 1>();
    static constexpr Loops half = floatLoops<logit<core::Half>, 1>();
    static constexpr Loops bfloat16 = floatLoops<logit<core::BFloat16>, 1>();
    return type == ScalarType::Half ? half : type == ScalarType::BFloat16 ? bfloat16 : plain;
}

/// (Tensor self, Scalar alpha, Scalar scale, Scalar input_scale, out)
core::Result<> eluOut(KernelContext& context, const Tensor& self, Scalar alpha, Scalar scale,
                      Scalar inputScale, Tensor& out) {
    static constexpr Loops loops = floatLoops<elu, 1>();
    ET_TRY(expectType(out, self.dtype()));
    return compute(context,
                   {.loops = loops,
                    .common = self.dtype(),
                    .result = self.dtype(),
                    .numbers = {alpha, scale, inputScale}},
                   std::array{Input(self)}, out);
}

/// (Tensor self, str approximate, out)
core::Result<> geluOut(KernelContext& context, const Tensor& self, std::string_view approximate,
                       Tensor& out) {
    static constexpr Loops exact = floatLoops<gelu, 1, fast::gelu>();
    static constexpr Loops byTanh = floatLoops<geluTanh, 1, fast::geluTanh>();
    if (approximate != "none" && approximate != "tanh") {
        return invalid(
            fmt::format("approximate: expected none or tanh, got {}", core::printable(approximate)));
    }
    ET_TRY(expectType(out, self.dtype()));
    return compute(
        context,
        {.loops = approximate == "tanh" ? byTanh : exact, .common = self.dtype(), .result = self.dtype()},
        std::array{Input(self)}, out);
}

/// (Tensor self, int dim, out): first half along `dim` times the sigmoid of the second half.
core::Result<> gluOut(KernelContext& context, const Tensor& self, std::int64_t dim, Tensor& out) {
    static constexpr Loops loops = floatLoops<gated, 2>();
    ET_ASSIGN(const std::size_t along, wrapDim(dim, self.dim()));
    if (self.dim() == 0 || self.size(along) % 2 != 0) {
        return invalid(
            fmt::format("expected an even size in dimension {}, got {}", dim, core::describe(self)));
    }
    core::Sizes sizes = self.sizes();
    sizes[along] /= 2;
    ET_TRY(out.resize(sizes));
    Input gate = self;
    gate.offset = sizes[along] * self.stride(along);
    return computeInto(context, {.loops = loops, .common = self.dtype(), .result = self.dtype()},
                       std::array{Input(self), gate}, out);
}

/// (Tensor self, Scalar negative_slope, out)
core::Result<> leakyReluOut(KernelContext& context, const Tensor& self, Scalar slope, Tensor& out) {
    static constexpr Loops loops = floatLoops<leakyRelu, 1, fast::leakyRelu>();
    ET_TRY(expectType(out, self.dtype()));
    ET_TRY(expectFits(core::isReducedFloat(self.dtype()) ? ScalarType::Float : self.dtype(), slope,
                      "negative_slope"));
    return compute(context,
                   {.loops = loops, .common = self.dtype(), .result = self.dtype(), .numbers = {slope}},
                   std::array{Input(self)}, out);
}

/// (Tensor self, float? eps, out)
core::Result<> logitOut(KernelContext& context, const Tensor& self, std::optional<double> eps, Tensor& out) {
    constexpr double infinity = std::numeric_limits<double>::infinity();
    const ScalarType type = floatingType(self.dtype());
    const Scalar min = eps ? heldBy(type, *eps) : Scalar(-infinity);
    const Scalar max = eps ? heldBy(type, 1 - min.to<double>()) : Scalar(infinity);
    return compute(context,
                   {.loops = logitLoops(type), .common = type, .result = type, .numbers = {min, max}},
                   std::array{Input(self)}, out);
}

constexpr KernelEntry activationEntries[] = {
    {"aten::elu.out", box<&eluOut>},
    {"aten::gelu.out", box<&geluOut>},
    {"aten::glu.out", box<&gluOut>},
    {"aten::leaky_relu.out", box<&leakyReluOut>},
    {"aten::logit.out", box<&logitOut>},
    {"aten::sigmoid.out", box<&unary<floatLoops<sigmoid, 1, fast::sigmoid>(), floatType>>},
};

}  // namespace

std::span<const KernelEntry> activationKernels() {
    return activationEntries;
}

}  // namespace et::kernels
