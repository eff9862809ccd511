#include "tests/operators/families.h"
#include "tests/operators/rules.h"

#include <array>
#include <cmath>
#include <limits>
#include <numbers>

namespace et::test::operators {
namespace {

constexpr Number pi = std::numbers::pi_v<Number>;

Number logistic(Number x) {
    return 1 / (1 + std::exp(-x));
}

/// Result dtype of a floating-point function: integers and bool give float32.
ScalarType floatOf(ScalarType dtype) {
    return core::isFloating(dtype) ? dtype : ScalarType::Float;
}

/// `function(x)` within a few roundings; `scale(x)` is their magnitude.
template <auto function, auto scale, int steps = 6>
Case floatFunction(Random& random) {
    const Array input = random.array(random.pick(realTypes), random.sizes());
    const ScalarType dtype = floatOf(input.dtype);
    Expected output = mapped(dtype, {&input}, [&](const std::vector<Number>& x) {
        const Number answer = function(core::isFloating(input.dtype) ? x[0] : rounded(dtype, x[0]));
        return Answer{answer, roundings(computeType(dtype), steps, scale(x[0], answer))};
    });
    return {{input}, {std::move(output)}};
}

constexpr auto ofResult = [](Number, Number answer) { return answer; };
/// 1 + |y|: for functions with cancellation near their zeros.
constexpr auto ofResultAndOne = [](Number, Number answer) { return 1 + std::abs(answer); };

/// For functions that divide by a possibly overflowing number: a subnormal result may be 0.
constexpr auto ofResultOrTiny = [](Number, Number answer) {
    return std::abs(answer) + smallestNormal(ScalarType::Float) / roundoff(ScalarType::Float);
};

/// In float16 and bfloat16, the root is rounded before the division, as in PyTorch.
Case inverseRoot(Random& random) {
    const Array input = random.array(random.pick(realTypes), random.sizes());
    const ScalarType dtype = floatOf(input.dtype);
    Expected output = mapped(dtype, {&input}, [&](const std::vector<Number>& x) {
        const Number root = std::sqrt(x[0]);
        const Number answer = 1 / (core::isReducedFloat(dtype) ? rounded(dtype, root) : root);
        return Answer{answer, roundings(computeType(dtype), 6, answer)};
    });
    return {{input}, {std::move(output)}};
}

/// Exact `function(x)` of floats; integers are unchanged.
template <auto function>
Case wholeFunction(Random& random) {
    const Array input = random.array(random.pick(numbersOf), random.sizes());
    return {{input}, {mapped(input.dtype, {&input}, [&](const std::vector<Number>& x) {
                return Answer{core::isFloating(input.dtype) ? function(x[0]) : x[0]};
            })}};
}

/// Exact `function(x)` of every number.
template <auto function, bool takesBool = false>
Case exactFunction(Random& random) {
    const Array input =
        random.array(takesBool ? random.pick(realTypes) : random.pick(numbersOf), random.sizes());
    return {{input}, {mapped(input.dtype, {&input}, [&](const std::vector<Number>& x) {
                return Answer{function(x[0])};
            })}};
}

template <auto function>
Case truth(Random& random) {
    const Array input = random.array(random.pick(realTypes), random.sizes());
    return {{input}, {mapped(ScalarType::Bool, {&input}, [](const std::vector<Number>& x) {
                return Answer{function(x[0]) ? Number{1} : 0};
            })}};
}

Case bitwiseNot(Random& random) {
    const Array input = random.array(random.pick(integersAndBool), random.sizes());
    return {{input}, {mapped(input.dtype, {&input}, [&](const std::vector<Number>& x) {
                return Answer{input.dtype == ScalarType::Bool ? 1 - x[0] : -x[0] - 1};
            })}};
}

Case gelu(Random& random) {
    const Array input = random.array(random.pick(floats), random.sizes(), Values::Plain);
    const bool tanh = random.flip();
    Expected output = mapped(input.dtype, {&input}, [&](const std::vector<Number>& numbers) {
        const Number x = numbers[0];
        const Number inner = std::sqrt(2 / pi) * (x + 0.044715L * x * x * x);
        const Number answer =
            tanh ? x / 2 * (1 + std::tanh(inner)) : x / 2 * (1 + std::erf(x / std::sqrt(Number{2})));
        return Answer{answer, roundings(computeType(input.dtype), 12, std::abs(x))};
    });
    return {{input, std::string(tanh ? "tanh" : "none")}, {std::move(output)}};
}

Case elu(Random& random) {
    const Array input = random.array(random.pick(floats), random.sizes(), Values::Plain);
    const double alpha = random.real(0.1, 2);
    const double scale = random.real(0.5, 2);
    const double inputScale = random.real(0.5, 2);
    Expected output = mapped(input.dtype, {&input}, [&](const std::vector<Number>& x) {
        const Number answer = x[0] <= 0 ? std::expm1(x[0] * inputScale) * alpha * scale : x[0] * scale;
        return Answer{answer,
                      roundings(computeType(input.dtype), 12, std::abs(answer) + std::abs(answer * x[0]))};
    });
    return {{input, alpha, scale, inputScale}, {std::move(output)}};
}

Case leakyRelu(Random& random) {
    const Array input = random.array(random.pick(floats), random.sizes());
    const double slope = random.real(-1, 1);
    Expected output = mapped(input.dtype, {&input}, [&](const std::vector<Number>& x) {
        const Number answer = x[0] > 0 ? x[0] : x[0] * slope;
        return Answer{answer, roundings(computeType(input.dtype), 3, answer)};
    });
    return {{input, slope}, {std::move(output)}};
}

Case logit(Random& random) {
    const Array input =
        random.array(random.pick({ScalarType::Float, ScalarType::Double}), random.sizes(), Values::Unit);
    const bool limited = random.flip();
    const double least = limited ? random.real(0.01, 0.4) : 0;
    Expected output = mapped(input.dtype, {&input}, [&](const std::vector<Number>& numbers) {
        const Number low = rounded(input.dtype, least);
        Number x = numbers[0];
        x = limited ? std::min(std::max(x, low), 1 - low) : x;
        const Number answer = std::log(x / (1 - x));
        return Answer{answer, roundings(input.dtype, 12, 1 + std::abs(answer) + 1 / std::abs(1 - x))};
    });
    return {{input, limited ? Argument(least) : Argument(std::monostate{})}, {std::move(output)}};
}

/// A bound of clamp or hardtanh that is exact in the dtype.
Number bound(Random& random, ScalarType dtype) {
    return core::isFloating(dtype)
               ? rounded(dtype, random.real(-3, 3))
               : static_cast<Number>(random.between(dtype == ScalarType::Byte ? 0 : -12, 12));
}

Argument asArgument(ScalarType dtype, Number number) {
    return core::isFloating(dtype) ? Argument(static_cast<double>(number))
                                   : Argument(static_cast<std::int64_t>(number));
}

Case hardtanh(Random& random) {
    const Array input = random.array(random.pick(numbersOf), random.sizes());
    Number low = bound(random, input.dtype);
    Number high = bound(random, input.dtype);
    if (low > high) {
        std::swap(low, high);
    }
    Expected output = mapped(input.dtype, {&input}, [&](const std::vector<Number>& x) {
        return Answer{std::isnan(x[0]) ? x[0] : std::min(std::max(x[0], low), high)};
    });
    return {{input, asArgument(input.dtype, low), asArgument(input.dtype, high)}, {std::move(output)}};
}

Case clamp(Random& random) {
    const Array input = random.array(random.pick(numbersOf), random.sizes());
    const bool hasLow = random.chance(70);
    const bool hasHigh = !hasLow || random.chance(70);
    const Number low = bound(random, input.dtype);
    const Number high = bound(random, input.dtype);
    Expected output = mapped(input.dtype, {&input}, [&](const std::vector<Number>& x) {
        Number answer = x[0];
        answer = hasLow && answer < low ? low : answer;
        answer = hasHigh && answer > high ? high : answer;  // high takes precedence if low is greater
        return Answer{answer};
    });
    const auto maybe = [&](bool has, Number number) {
        return has ? asArgument(input.dtype, number) : Argument(std::monostate{});
    };
    return {{input, maybe(hasLow, low), maybe(hasHigh, high)}, {std::move(output)}};
}

Number sign(Number x) {
    return x > 0 ? 1 : x < 0 ? -1 : 0;  // NaN, too: differences.md
}
Number toEven(Number x) {
    return std::nearbyint(x);
}

constexpr RuleTraits pointwise{.mayAlias = true};

constexpr auto absolute = [](Number x) { return std::abs(x); };
constexpr auto negated = [](Number x) { return -x; };
constexpr auto positivePart = [](Number x) { return std::isnan(x) ? x : std::max<Number>(x, 0); };

constexpr std::array rules{
    Rule{"aten::acos.out", &floatFunction<[](Number x) { return std::acos(x); }, ofResult>, pointwise},
    Rule{"aten::acosh.out", &floatFunction<[](Number x) { return std::acosh(x); }, ofResultAndOne>,
         pointwise},
    Rule{"aten::asin.out", &floatFunction<[](Number x) { return std::asin(x); }, ofResult>, pointwise},
    Rule{"aten::asinh.out", &floatFunction<[](Number x) { return std::asinh(x); }, ofResult>, pointwise},
    Rule{"aten::atan.out", &floatFunction<[](Number x) { return std::atan(x); }, ofResult>, pointwise},
    Rule{"aten::atanh.out", &floatFunction<[](Number x) { return std::atanh(x); }, ofResult>, pointwise},
    Rule{"aten::cos.out", &floatFunction<[](Number x) { return std::cos(x); }, ofResult>, pointwise},
    Rule{"aten::cosh.out", &floatFunction<[](Number x) { return std::cosh(x); }, ofResult>, pointwise},
    Rule{"aten::erf.out", &floatFunction<[](Number x) { return std::erf(x); }, ofResult>, pointwise},
    Rule{"aten::exp.out", &floatFunction<[](Number x) { return std::exp(x); }, ofResult>, pointwise},
    Rule{"aten::expm1.out", &floatFunction<[](Number x) { return std::expm1(x); }, ofResult>, pointwise},
    Rule{"aten::log.out", &floatFunction<[](Number x) { return std::log(x); }, ofResult>, pointwise},
    Rule{"aten::log10.out", &floatFunction<[](Number x) { return std::log10(x); }, ofResult>, pointwise},
    Rule{"aten::log1p.out", &floatFunction<[](Number x) { return std::log1p(x); }, ofResult>, pointwise},
    Rule{"aten::log2.out", &floatFunction<[](Number x) { return std::log2(x); }, ofResult>, pointwise},
    Rule{"aten::reciprocal.out", &floatFunction<[](Number x) { return 1 / x; }, ofResult>, pointwise},
    Rule{"aten::rsqrt.out", &inverseRoot, pointwise},
    Rule{"aten::sigmoid.out", &floatFunction<logistic, ofResultOrTiny>, pointwise},
    Rule{"aten::sin.out", &floatFunction<[](Number x) { return std::sin(x); }, ofResult>, pointwise},
    Rule{"aten::sinh.out", &floatFunction<[](Number x) { return std::sinh(x); }, ofResult>, pointwise},
    Rule{"aten::sqrt.out", &floatFunction<[](Number x) { return std::sqrt(x); }, ofResult>, pointwise},
    Rule{"aten::tan.out", &floatFunction<[](Number x) { return std::tan(x); }, ofResult>, pointwise},
    Rule{"aten::tanh.out", &floatFunction<[](Number x) { return std::tanh(x); }, ofResult>, pointwise},
    Rule{"aten::abs.out", &exactFunction<absolute>, pointwise},
    Rule{"aten::neg.out", &exactFunction<negated>, pointwise},
    Rule{"aten::sign.out", &exactFunction<sign, true>, pointwise},
    Rule{"aten::relu.out", &exactFunction<positivePart>, pointwise},
    Rule{"aten::ceil.out", &wholeFunction<[](Number x) { return std::ceil(x); }>, pointwise},
    Rule{"aten::floor.out", &wholeFunction<[](Number x) { return std::floor(x); }>, pointwise},
    Rule{"aten::round.out", &wholeFunction<toEven>, pointwise},
    Rule{"aten::trunc.out", &wholeFunction<[](Number x) { return std::trunc(x); }>, pointwise},
    Rule{"aten::isinf.out", &truth<[](Number x) { return std::isinf(x); }>, pointwise},
    Rule{"aten::isnan.out", &truth<[](Number x) { return std::isnan(x); }>, pointwise},
    Rule{"aten::logical_not.out", &truth<[](Number x) { return x == 0; }>, pointwise},
    Rule{"aten::bitwise_not.out", &bitwiseNot, pointwise},
    Rule{"aten::gelu.out", &gelu, pointwise},
    Rule{"aten::elu.out", &elu, pointwise},
    Rule{"aten::leaky_relu.out", &leakyRelu, pointwise},
    Rule{"aten::logit.out", &logit, pointwise},
    Rule{"aten::hardtanh.out", &hardtanh, pointwise},
    Rule{"aten::clamp.out", &clamp, pointwise},
};

}  // namespace

std::span<const Rule> unaryRules() {
    return rules;
}

}  // namespace et::test::operators
