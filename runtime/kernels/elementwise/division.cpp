#include "runtime/core/element_types.h"
#include "runtime/kernels/boxing.h"
#include "runtime/kernels/builtin.h"
#include "runtime/kernels/elements.h"
#include "runtime/kernels/elementwise/float_loops.h"
#include "runtime/kernels/elementwise/kernels.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>

namespace et::kernels {
namespace {

/// Integers truncate towards zero. Divisors were checked, but the engine may still pass 0 if a divisor is
/// truncated to fewer bits. The minimum divided by -1 wraps around.
template <class T>
T quotientOf(T a, T b) {
    if (isMinusOne(b)) {
        return differenceOf(T{0}, a);
    }
    return b == 0 ? 0 : a / b;
}
template <class T>
T restOf(T a, T b) {
    return b == 0 || isMinusOne(b) ? 0 : a % b;
}

constexpr auto divide = [](auto a, auto b) { return a / b; };

constexpr auto divideTruncating = [](auto a, auto b) {
    if constexpr (isInteger<decltype(a)>) {
        return quotientOf(a, b);
    } else {
        return std::trunc(a / b);
    }
};

/// Exact remainder of a division truncated towards zero.
constexpr auto exactRest = [](auto a, auto b) {
    if constexpr (isInteger<decltype(a)>) {
        return restOf(a, b);
    } else {
        return std::fmod(a, b);
    }
};

/// NaN if the quotient of finite numbers overflows the type, as in PyTorch's vectorised fmod.
constexpr auto fmodOf = [](auto a, auto b) {
    if constexpr (isInteger<decltype(a)>) {
        return restOf(a, b);
    } else {
        const bool tooLarge = b != 0 && std::isfinite(a) && std::isinf(a / b);
        return tooLarge ? std::numeric_limits<decltype(a)>::quiet_NaN() : std::fmod(a, b);
    }
};

/// Python's %: the result has the sign of the divisor.
constexpr auto remainderOf = [](auto a, auto b) {
    const auto rest = fmodOf(a, b);
    return rest != 0 && isNegative(rest) != isNegative(b) ? rest + b : rest;
};

/// Python's //. For floats it is computed from the remainder, as in CPython's float_divmod: a / b may round
/// up to the next integer.
constexpr auto divideFlooring = [](auto a, auto b) {
    using T = decltype(a);
    const T rest = exactRest(a, b);
    const bool below = rest != 0 && isNegative(rest) != isNegative(b);
    if constexpr (isInteger<T>) {
        return quotientOf(a, b) - T{below};
    } else {
        if (b == 0) {
            return a / b;
        }
        const T exact = (a - rest) / b - T(below);
        if (exact == 0) {
            return std::copysign(T{0}, a / b);
        }
        const T whole = std::floor(exact);
        return exact - whole > T(0.5) ? whole + 1 : whole;
    }
};

constexpr Loops trueDivision = withComplex<divide, 2>(floatLoops<divide, 2, fast::divide>());
constexpr Loops truncation = floatLoops<[](auto x) { return std::trunc(x); }, 1, fast::trunc>();
template <class T>
constexpr Loops roundedTruncatingDivision =
    floatLoops<[](auto a, auto b) { return std::trunc(core::convertTo<float>(core::convertTo<T>(a / b))); },
               2>();
constexpr Loops truncatingDivision = withoutBool(orderedLoops<divideTruncating, 2>());
constexpr Loops flooringDivision = withoutBool(orderedLoops<divideFlooring, 2>());
constexpr Loops fmodLoops = withoutBool(orderedLoops<fmodOf, 2>());
constexpr Loops remainderLoops = withoutBool(orderedLoops<remainderOf, 2>());

/// Compares as integers of `type`, to which a zero-dimensional tensor may be truncated.
bool hasZero(const Tensor& numbers, ScalarType type) {
    constexpr std::size_t allBits = 64;
    const std::size_t bits = std::size_t{8} * core::scalarType(static_cast<std::int64_t>(type))->bytes;
    const auto isZero = [drop = allBits - bits](std::int64_t number) {
        return static_cast<std::uint64_t>(number) << drop == 0;
    };
    std::array<std::int64_t, 256> block;
    const LoadElements<std::int64_t> load = elementLoader<std::int64_t>(numbers.dtype());
    const auto total = static_cast<std::size_t>(numbers.numel());
    for (std::size_t at = 0; load != nullptr && at < total; at += block.size()) {
        const std::size_t count = std::min(total - at, block.size());
        load(numbers.raw() + at * numbers.elementSize(), 1, block.data(), count);
        if (std::any_of(block.begin(), block.begin() + count, isZero)) {
            return true;
        }
    }
    return false;
}

/// Floats may be divided by 0, integers may not.
core::Result<> divideInto(KernelContext& context, const Loops& loops, ScalarType type, const Tensor& self,
                          const Input& divisor, Tensor& out) {
    const bool zero = core::isIntegral(type) &&
                      (divisor.tensor != nullptr ? hasZero(*divisor.tensor, type)
                                                 : heldBy(type, divisor.number).to<std::int64_t>() == 0);
    if (zero && self.numel() != 0) {
        return invalid("integer division by zero");
    }
    return compute(context, {.loops = loops, .common = type, .result = type},
                   std::array{Input(self), divisor}, out);
}

/// PyTorch rounds the quotient of two half or bfloat16 tensors before truncating it.
core::Result<> truncated(KernelContext& context, ScalarType type, const Tensor& self, const Input& divisor,
                         Tensor& out) {
    if (!core::isReducedFloat(type) || divisor.exact) {
        return divideInto(context, truncatingDivision, type, self, divisor, out);
    }
    if (out.dtype() != type) {
        return divideInto(context,
                          type == ScalarType::Half ? roundedTruncatingDivision<core::Half>
                                                   : roundedTruncatingDivision<core::BFloat16>,
                          type, self, divisor, out);
    }
    ET_TRY(divideInto(context, trueDivision, type, self, divisor, out));
    return computeInto(context, {.loops = truncation, .common = type, .result = type}, std::array{Input(out)},
                       out);
}

/// `mode`: "trunc", "floor", or empty for true division, whose result is a float.
core::Result<> divideByMode(KernelContext& context, std::optional<std::string_view> mode, ScalarType type,
                            const Tensor& self, const Input& divisor, Tensor& out) {
    if (!mode) {
        return divideInto(context, trueDivision, floatingType(type), self, divisor, out);
    }
    if (*mode == "trunc") {
        return truncated(context, type, self, divisor, out);
    }
    if (*mode == "floor") {
        return divideInto(context, flooringDivision, type, self, divisor, out);
    }
    return invalid(
        fmt::format("rounding_mode: expected None, trunc or floor, got {}", core::printable(*mode)));
}

/// (Tensor self, Tensor or Scalar other, str? rounding_mode, out)
template <class Other>
core::Result<> divModeOut(KernelContext& context, const Tensor& self, Other other,
                          std::optional<std::string_view> mode, Tensor& out) {
    const ScalarType type = resultType(self, other);
    return divideByMode(context, mode, type, self, factor(other, type), out);
}

/// (Tensor self, Tensor or Scalar other, out)
template <class Other>
core::Result<> divOut(KernelContext& context, const Tensor& self, Other other, Tensor& out) {
    return divModeOut<Other>(context, self, other, std::nullopt, out);
}

/// (Tensor self, Tensor other, out)
core::Result<> floorDivide(KernelContext& context, const Tensor& self, const Tensor& other, Tensor& out) {
    return divModeOut<const Tensor&>(context, self, other, "floor", out);
}

/// (Tensor self, Tensor or Scalar other, out)
template <const Loops& loops, class Other>
core::Result<> restOut(KernelContext& context, const Tensor& self, Other other, Tensor& out) {
    return divideInto(context, loops, resultType(self, other), self, other, out);
}

constexpr KernelEntry divisionEntries[] = {
    {"aten::div.out", box<&divOut<const Tensor&>>},
    {"aten::div.Scalar_out", box<&divOut<Scalar>>},
    {"aten::div.out_mode", box<&divModeOut<const Tensor&>>},
    {"aten::div.Scalar_mode_out", box<&divModeOut<Scalar>>},
    {"aten::floor_divide.out", box<&floorDivide>},
    {"aten::fmod.Tensor_out", box<&restOut<fmodLoops, const Tensor&>>},
    {"aten::fmod.Scalar_out", box<&restOut<fmodLoops, Scalar>>},
    {"aten::remainder.Tensor_out", box<&restOut<remainderLoops, const Tensor&>>},
    {"aten::remainder.Scalar_out", box<&restOut<remainderLoops, Scalar>>},
};

}  // namespace

std::span<const KernelEntry> divisionKernels() {
    return divisionEntries;
}

}  // namespace et::kernels
