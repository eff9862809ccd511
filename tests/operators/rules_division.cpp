#include "tests/operators/binary.h"
#include "tests/operators/families.h"

#include <cmath>
#include <string>

namespace et::test::operators {
namespace {
namespace division_rules {

using namespace binary;

enum class Mode : std::uint8_t { True, Trunc, Floor };

/// Integer quotient, truncated towards zero.
Number wholeQuotient(Number a, Number b) {
    const auto left = static_cast<std::int64_t>(a);
    const auto right = static_cast<std::int64_t>(b);
    return right == -1 ? -a : static_cast<Number>(left / right);
}
Number wholeRest(Number a, Number b) {
    const auto right = static_cast<std::int64_t>(b);
    return right == -1 ? 0 : static_cast<Number>(static_cast<std::int64_t>(a) % right);
}

bool isBelow(Number rest, Number b) {
    return rest != 0 && (rest < 0) != (b < 0);
}

/// Answer for an integral quotient: exact if all intermediate steps are exact.
Answer wholeAnswer(ScalarType type, Number quotient) {
    const Number exactBelow = std::ldexp(Number{1}, type == ScalarType::Double ? 50 : 22);
    return {quotient, std::abs(quotient) < exactBelow ? 0 : roundings(computeType(type), 3, quotient)};
}

Answer truncated(ScalarType type, Number a, Number b, bool roundsBefore) {
    if (!core::isFloating(type)) {
        return {wholeQuotient(a, b), 0};
    }
    const Number quotient = rounded(computeType(type), a / b);
    return {std::trunc(roundsBefore ? rounded(type, quotient) : quotient), 0};
}

Answer floored(ScalarType type, Number a, Number b) {
    if (!core::isFloating(type)) {
        return {wholeQuotient(a, b) - (isBelow(wholeRest(a, b), b) ? 1 : 0), 0};
    }
    if (b == 0) {
        return {a / b, 0};
    }
    const Number rest = std::fmod(a, b);
    return wholeAnswer(type, std::nearbyint((a - rest) / b) - (isBelow(rest, b) ? 1 : 0));
}

/// Replaces zero divisors: integer division by 0 is not defined.
void avoidZeros(Random& random, Operands& made) {
    for (Number& number : made.other.numbers) {
        if (rounded(made.type, number) == 0) {
            number = made.other.dtype == ScalarType::Bool ? 1 : random.between(1, 9);
        }
    }
}

template <bool withNumber>
Operands dividends(Random& random, bool takesBool) {
    Operands made = operands<withNumber>(random, {.takesBool = takesBool});
    if (!core::isFloating(made.type) && !takesBool) {
        avoidZeros(random, made);
    }
    return made;
}

Expected divided(Random& random, const Operands& made, Mode mode) {
    if (mode == Mode::True) {
        const ScalarType type = core::isFloating(made.type) ? made.type : ScalarType::Float;
        return computed(made, type, type, outputOf(random, type), true,
                        [](ScalarType dtype, Number a, Number b) { return once(dtype, a / b); });
    }
    // PyTorch rounds a float16 or bfloat16 quotient before it drops the fraction, except when dividing by a
    // single number, which keeps its digits.
    const bool roundsBefore = made.other.count() != 1;
    const ScalarType output = outputOf(random, made.type);
    return computed(made, made.type, made.type, output, true, [&](ScalarType dtype, Number a, Number b) {
        return mode == Mode::Trunc ? truncated(dtype, a, b, roundsBefore) : floored(dtype, a, b);
    });
}

template <bool withNumber>
Case quotient(Random& random) {
    const Operands made = dividends<withNumber>(random, true);
    return {{made.self, made.otherArgument()}, {divided(random, made, Mode::True)}};
}

Case floorQuotient(Random& random) {
    const Operands made = dividends<false>(random, false);
    return {{made.self, made.otherArgument()}, {divided(random, made, Mode::Floor)}};
}

template <bool withNumber>
Case quotientByMode(Random& random) {
    const Mode mode = random.pick({Mode::True, Mode::Trunc, Mode::Floor});
    const Operands made = dividends<withNumber>(random, mode == Mode::True);
    const Argument name = mode == Mode::True ? Argument(std::monostate{})
                                             : Argument(std::string(mode == Mode::Trunc ? "trunc" : "floor"));
    return {{made.self, made.otherArgument(), name}, {divided(random, made, mode)}};
}

/// Remainder with the sign of the dividend or of the divisor.
template <bool withNumber, bool ofDivisor>
Case rest(Random& random) {
    const Operands made = dividends<withNumber>(random, false);
    return {{made.self, made.otherArgument()},
            {computed(made, made.type, made.type, outputOf(random, made.type), false,
                      [](ScalarType type, Number a, Number b) -> Answer {
                          if (!core::isFloating(type)) {
                              const Number left = wholeRest(a, b);
                              return {ofDivisor && isBelow(left, b) ? left + b : left, 0};
                          }
                          if (b != 0 && std::isfinite(a) && std::isinf(rounded(computeType(type), a / b))) {
                              return {0, std::nanl("")};  // PyTorch's vector and scalar code differ
                          }
                          const Number left = std::fmod(a, b);
                          return ofDivisor && isBelow(left, b) ? once(type, left + b) : Answer{left, 0};
                      })}};
}

constexpr RuleTraits pointwise{.mayAlias = true};

constexpr Rule rules[] = {
    Rule{"aten::div.out", &quotient<false>, pointwise},
    Rule{"aten::div.Scalar_out", &quotient<true>, pointwise},
    Rule{"aten::div.out_mode", &quotientByMode<false>, pointwise},
    Rule{"aten::div.Scalar_mode_out", &quotientByMode<true>, pointwise},
    Rule{"aten::floor_divide.out", &floorQuotient, pointwise},
    Rule{"aten::fmod.Tensor_out", &rest<false, false>, pointwise},
    Rule{"aten::fmod.Scalar_out", &rest<true, false>, pointwise},
    Rule{"aten::remainder.Tensor_out", &rest<false, true>, pointwise},
    Rule{"aten::remainder.Scalar_out", &rest<true, true>, pointwise},
};

}  // namespace division_rules
}  // namespace

std::span<const Rule> divisionRules() {
    return division_rules::rules;
}

}  // namespace et::test::operators
