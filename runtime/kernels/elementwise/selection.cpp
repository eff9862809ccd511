#include "runtime/core/element_types.h"
#include "runtime/kernels/boxing.h"
#include "runtime/kernels/builtin.h"
#include "runtime/kernels/elementwise/kernels.h"

#include <fmt/format.h>

#include <algorithm>
#include <random>

namespace et::kernels {
namespace {

constexpr auto choose = [](auto condition, auto a, auto b) {
    return condition != decltype(condition){} ? a : b;
};
constexpr Loops chooseLoops = withComplex<choose, 3>(realLoops<choose, 3>());

/// (Tensor condition, Tensor self, Tensor other, out)
core::Result<> whereSelf(KernelContext& context, const Tensor& condition, const Tensor& self,
                         const Tensor& other, Tensor& out) {
    if (condition.dtype() != ScalarType::Bool && condition.dtype() != ScalarType::Byte) {
        return invalid(fmt::format("condition: expected bool or uint8, got {}", core::describe(condition)));
    }
    const ScalarType type = resultType(self, other);
    return compute(context, {.loops = chooseLoops, .common = type, .result = type},
                   std::array{Input(condition).unrounded(), Input(self), Input(other)}, out);
}

/// (Tensor self, Tensor mask, Scalar value, out): the value is converted to self's dtype
core::Result<> maskedFill(KernelContext& context, const Tensor& self, const Tensor& mask, Scalar value,
                          Tensor& out) {
    if (mask.dtype() != ScalarType::Bool) {
        return invalid(fmt::format("mask: expected bool, got {}", core::describe(mask)));
    }
    ET_TRY(expectType(out, self.dtype()));
    ET_TRY(expectFits(self.dtype(), value, "value"));
    return compute(context, {.loops = chooseLoops, .common = self.dtype(), .result = self.dtype()},
                   std::array{Input(mask).unrounded(), Input(value), Input(self)}, out);
}

/// (Tensor input, float p, bool? train, out, mask): outside training everything is kept and nothing scaled
core::Result<> nativeDropout(KernelContext& context, const Tensor& input, double p, std::optional<bool> train,
                             Tensor& out, Tensor& mask) {
    // Number: the factor of the kept elements.
    static constexpr Loops loops =
        floatLoops<[](auto x, auto kept, const auto& numbers) { return x * kept * numbers[0]; }, 2>();
    if (!(p >= 0 && p <= 1)) {
        return invalid(fmt::format("p: expected a probability, got {}", p));
    }
    if (mask.dtype() != ScalarType::Bool) {
        return invalid(fmt::format("mask: expected bool, got {}", core::describe(mask)));
    }
    ET_TRY(mask.resize(input.sizes()));
    const bool training = train.value_or(true);
    const auto bytes = mask.rawBytes();
    if (training) {
        std::bernoulli_distribution keeps(1 - p);
        std::ranges::generate(bytes, [&] { return std::byte{keeps(context.random())}; });
    } else {
        std::ranges::fill(bytes, std::byte{1});
    }
    const double factor = !training ? 1 : p == 1 ? 0 : 1 / (1 - p);
    return compute(context,
                   {.loops = loops, .common = input.dtype(), .result = input.dtype(), .numbers = {factor}},
                   std::array{Input(input), Input(mask)}, out);
}

constexpr KernelEntry selectionEntries[] = {
    {"aten::masked_fill.Scalar_out", box<&maskedFill>},
    {"aten::native_dropout.out", box<&nativeDropout>},
    {"aten::where.self_out", box<&whereSelf>},
};

}  // namespace

std::span<const KernelEntry> selectionKernels() {
    return selectionEntries;
}

}  // namespace et::kernels
