#include "runtime/kernels/boxing.h"
#include "runtime/kernels/builtin.h"
#include "runtime/kernels/elementwise/float_loops.h"
#include "runtime/kernels/elementwise/kernels.h"

#include <fmt/format.h>

namespace et::kernels {
namespace {

constexpr auto add = [](auto a, auto b) { return sumOf(a, b); };
constexpr auto subtract = [](auto a, auto b) { return differenceOf(a, b); };
constexpr auto multiply = [](auto a, auto b) { return productOf(a, b); };
/// Number: alpha.
constexpr auto addScaled = [](auto a, auto b, const auto& numbers) {
    return sumOf(a, productOf(numbers[0], b));
};
constexpr auto subtractScaled = [](auto a, auto b, const auto& numbers) {
    return differenceOf(a, productOf(numbers[0], b));
};

/// An operation with and without a factor for its second operand.
struct ScaledLoops {
    Loops plain;
    Loops scaled;
};
constexpr ScaledLoops addition{
    .plain = withComplex<add, 2>(realLoops<add, 2, fast::add>()),
    .scaled = withComplex<addScaled, 2>(realLoops<addScaled, 2>()),
};
constexpr ScaledLoops subtraction{
    .plain = withComplex<subtract, 2>(withoutBool(realLoops<subtract, 2, fast::subtract>())),
    .scaled = withComplex<subtractScaled, 2>(withoutBool(realLoops<subtractScaled, 2>())),
};
constexpr Loops multiplication = withComplex<multiply, 2>(realLoops<multiply, 2, fast::multiply>());

core::Result<> scaled(KernelContext& context, const ScaledLoops& loops, ScalarType common, const Input& left,
                      const Input& right, const Scalar& alpha, Tensor& out) {
    if (alpha.isBool() && common != ScalarType::Bool) {
        return invalid("alpha: expected a number, got a bool");
    }
    if (alpha.isDouble() && !core::isFloating(common) && !core::isComplex(common)) {
        return invalid(
            fmt::format("alpha: expected an integer for {}, got a float", core::scalarTypeName(common)));
    }
    // PyTorch treats the factor of a half or bfloat16 as float.
    ET_TRY(expectFits(core::isReducedFloat(common) ? ScalarType::Float : common, alpha, "alpha"));
    const bool isOne = alpha.isDouble() ? alpha.to<double>() == 1 : alpha.to<std::int64_t>() == 1;
    return compute(context,
                   {.loops = isOne ? loops.plain : loops.scaled,
                    .common = common,
                    .result = common,
                    .numbers = {heldBy(common, alpha)}},
                   std::array{left, right}, out);
}

/// (Tensor self, Tensor other, Scalar alpha, out)
template <const ScaledLoops& loops>
core::Result<> scaledTensor(KernelContext& context, const Tensor& self, const Tensor& other, Scalar alpha,
                            Tensor& out) {
    return scaled(context, loops, resultType(self, other), self, other, alpha, out);
}

/// (Tensor self, Scalar other, Scalar alpha, out)
template <const ScaledLoops& loops>
core::Result<> scaledScalar(KernelContext& context, const Tensor& self, Scalar other, Scalar alpha,
                            Tensor& out) {
    return scaled(context, loops, resultType(self, other), self, other, alpha, out);
}

/// (Tensor self, Scalar other, Scalar alpha, out): other - alpha * self
core::Result<> rsubScalar(KernelContext& context, const Tensor& self, Scalar other, Scalar alpha,
                          Tensor& out) {
    const ScalarType type = resultType(self, other);
    ET_TRY(expectType(out, type));
    return scaled(context, subtraction, type, other, self, alpha, out);
}

/// (Tensor self, Tensor or Scalar other, out)
template <class Other>
core::Result<> mulOut(KernelContext& context, const Tensor& self, Other other, Tensor& out) {
    const ScalarType type = resultType(self, other);
    return compute(context, {.loops = multiplication, .common = type, .result = type},
                   std::array{Input(self), factor(other, type)}, out);
}

constexpr KernelEntry arithmeticEntries[] = {
    {"aten::add.out", box<&scaledTensor<addition>>},
    {"aten::add.Scalar_out", box<&scaledScalar<addition>>},
    {"aten::sub.out", box<&scaledTensor<subtraction>>},
    {"aten::sub.Scalar_out", box<&scaledScalar<subtraction>>},
    {"aten::rsub.Scalar_out", box<&rsubScalar>},
    {"aten::mul.out", box<&mulOut<const Tensor&>>},
    {"aten::mul.Scalar_out", box<&mulOut<Scalar>>},
};

}  // namespace

std::span<const KernelEntry> arithmeticKernels() {
    return arithmeticEntries;
}

}  // namespace et::kernels
