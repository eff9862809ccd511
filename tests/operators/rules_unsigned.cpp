#include "tests/operators/binary.h"
#include "tests/operators/families.h"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <optional>
#include <string>

namespace et::test::operators {
namespace {
namespace unsigned_rules {

using namespace binary;

/// Two tensors of one of the unsigned dtypes that few PyTorch operators support.
Operands unsignedTensors(Random& random) {
    const Sizes sizes = random.sizes();
    const ScalarType dtype = random.pick({ScalarType::UInt16, ScalarType::UInt32, ScalarType::UInt64});
    Operands made{random.array(dtype, sizes), random.array(dtype, random.broadcastable(sizes))};
    made.type = dtype;
    for (Array* const operand : {&made.self, &made.other}) {
        for (Number& number : operand->numbers) {
            number = random.chance(20) ? std::floor(highest(dtype) * random.real(0, 1)) : number;
        }
    }
    return made;
}

template <auto function>
Case inCommon(Random& random) {
    const Operands made = unsignedTensors(random);
    return {{made.self, made.other},
            {computed(made, made.type, made.type, made.type, false,
                      [](ScalarType, Number a, Number b) -> Answer { return {function(a, b), 0}; })}};
}

/// Sum modulo 2^64, which may exceed the precision of long double.
Number wrappedSum(Number a, Number b) {
    return static_cast<Number>(static_cast<std::uint64_t>(a) + static_cast<std::uint64_t>(b));
}

Case sum(Random& random) {
    const Operands made = unsignedTensors(random);
    return {{made.self, made.other, std::int64_t{1}},
            {computed(made, made.type, made.type, made.type, false,
                      [](ScalarType, Number a, Number b) -> Answer { return {wrappedSum(a, b), 0}; })}};
}

template <auto isTrue>
Case comparison(Random& random) {
    const Operands made = unsignedTensors(random);
    return {
        {made.self, made.other},
        {computed(made, made.type, ScalarType::Bool, ScalarType::Bool, false,
                  [](ScalarType, Number a, Number b) -> Answer { return {isTrue(a, b) ? 1.0L : 0.0L, 0}; })}};
}

std::uint64_t bitsOf(Number number) {
    return static_cast<std::uint64_t>(number);
}

/// Operands with a non-zero divisor.
Operands dividends(Random& random) {
    Operands made = unsignedTensors(random);
    for (Number& number : made.other.numbers) {
        number = number == 0 ? random.between(1, 9) : number;
    }
    return made;
}

/// An output dtype that accepts an integer result.
ScalarType outputOfIntegers(Random& random, ScalarType type) {
    return random.chance(70) ? type
                             : random.pick({ScalarType::Float, ScalarType::Double, ScalarType::UInt64});
}

template <auto function>
Expected inIntegers(Random& random, const Operands& made) {
    const ScalarType output = outputOfIntegers(random, made.type);
    return computed(made, made.type, made.type, output, false,
                    [](ScalarType type, Number a, Number b) -> Answer {
                        return {rounded(type, static_cast<Number>(function(bitsOf(a), bitsOf(b)))), 0};
                    });
}

template <auto function>
Case ofDividends(Random& random) {
    const Operands made = dividends(random);
    return {{made.self, made.other}, {inIntegers<function>(random, made)}};
}

std::uint64_t quotientOf(std::uint64_t a, std::uint64_t b) {
    return a / b;
}
std::uint64_t restOf(std::uint64_t a, std::uint64_t b) {
    return a % b;
}

Case quotientByMode(Random& random) {
    const Operands made = dividends(random);
    const Argument mode = std::string(random.flip() ? "trunc" : "floor");
    return {{made.self, made.other, mode}, {inIntegers<quotientOf>(random, made)}};
}

/// Power modulo 2^64, from which results modulo fewer bits follow.
std::uint64_t powerOf(std::uint64_t base, std::uint64_t exponent) {
    std::uint64_t result = 1;
    for (; exponent != 0; exponent >>= 1) {
        result = (exponent & 1) != 0 ? result * base : result;
        base *= base;
    }
    return result;
}

Case power(Random& random) {
    const Operands made = unsignedTensors(random);
    return {{made.self, made.other}, {inIntegers<powerOf>(random, made)}};
}

template <bool toTheRight>
Case shift(Random& random) {
    Operands made = unsignedTensors(random);
    for (Number& number : made.other.numbers) {
        number = random.chance(80) ? random.between(0, 70) : number;
    }
    const auto bits = static_cast<Number>(8 * core::elementBytes(made.type));
    return {{made.self, made.other},
            {computed(made, made.type, made.type, made.type, false,
                      [bits](ScalarType type, Number a, Number b) -> Answer {
                          if (b >= bits) {
                              return {0, 0};
                          }
                          const auto by = static_cast<unsigned>(b);
                          return {rounded(type, static_cast<Number>(toTheRight ? bitsOf(a) >> by
                                                                               : bitsOf(a) << by)),
                                  0};
                      })}};
}

/// Scalar bounds are int64, and not negative for an unsigned dtype.
Case clampedToNumbers(Random& random) {
    const Operands made = unsignedTensors(random);
    const Number most = std::min(highest(made.type), highest(ScalarType::Long));
    const auto bound = [&]() -> std::optional<Number> {
        if (random.chance(25)) {
            return std::nullopt;
        }
        return random.flip() ? most : static_cast<Number>(random.between(0, 100));
    };
    std::optional<Number> low = bound();
    const std::optional<Number> high = bound();
    if (!low && !high) {
        low = 1;
    }
    const auto argument = [](std::optional<Number> number) {
        return number ? Argument(static_cast<std::int64_t>(*number)) : Argument(std::monostate{});
    };
    return {{made.self, argument(low), argument(high)},
            {mapped(made.type, {&made.self}, [&](const std::vector<Number>& x) -> Answer {
                const Number atLeast = low ? std::max(x[0], *low) : x[0];
                return {high ? std::min(atLeast, *high) : atLeast, 0};
            })}};
}

Case clampedToTensors(Random& random) {
    const Operands made = unsignedTensors(random);
    const Array high = random.array(made.type, random.broadcastable(made.self.sizes));
    return {{made.self, made.other, high},
            {mapped(made.type, {&made.self, &made.other, &high}, [](const std::vector<Number>& x) -> Answer {
                return {std::min(std::max(x[0], x[1]), x[2]), 0};
            })}};
}

template <auto function>
Case ofOne(Random& random) {
    const Operands made = unsignedTensors(random);
    return {{made.self}, {mapped(made.type, {&made.self}, [](const std::vector<Number>& x) -> Answer {
                return {function(x[0]), 0};
            })}};
}

Number both(Number a, Number b) {
    return static_cast<Number>(static_cast<std::uint64_t>(a) & static_cast<std::uint64_t>(b));
}

constexpr RuleTraits pointwise{.mayAlias = true};

constexpr Rule rules[] = {
    Rule{"aten::add.out", &sum, pointwise},
    Rule{"aten::mul.out", &inCommon<[](Number a, Number b) { return wrappedProduct(a, b); }>, pointwise},
    Rule{"aten::maximum.out", &inCommon<[](Number a, Number b) { return std::max(a, b); }>, pointwise},
    Rule{"aten::minimum.out", &inCommon<[](Number a, Number b) { return std::min(a, b); }>, pointwise},
    Rule{"aten::bitwise_and.Tensor_out", &inCommon<both>, pointwise},
    Rule{"aten::eq.Tensor_out", &comparison<[](Number a, Number b) { return a == b; }>, pointwise},
    Rule{"aten::lt.Tensor_out", &comparison<[](Number a, Number b) { return a < b; }>, pointwise},
    Rule{"aten::le.Tensor_out", &comparison<[](Number a, Number b) { return a <= b; }>, pointwise},
    Rule{"aten::gt.Tensor_out", &comparison<[](Number a, Number b) { return (a > b); }>, pointwise},
    Rule{"aten::ge.Tensor_out", &comparison<[](Number a, Number b) { return a >= b; }>, pointwise},
    Rule{"aten::clamp.out", &clampedToNumbers, pointwise},
    Rule{"aten::clamp.Tensor_out", &clampedToTensors, pointwise},
    Rule{"aten::div.out_mode", &quotientByMode, pointwise},
    Rule{"aten::floor_divide.out", &ofDividends<quotientOf>, pointwise},
    Rule{"aten::fmod.Tensor_out", &ofDividends<restOf>, pointwise},
    Rule{"aten::remainder.Tensor_out", &ofDividends<restOf>, pointwise},
    Rule{"aten::pow.Tensor_Tensor_out", &power, pointwise},
    Rule{"aten::bitwise_right_shift.Tensor_out", &shift<true>, pointwise},
    Rule{"aten::bitwise_left_shift.Tensor_out", &shift<false>, pointwise},
    Rule{"aten::abs.out", &ofOne<[](Number x) { return x; }>, pointwise},
    Rule{"aten::relu.out", &ofOne<[](Number x) { return x; }>, pointwise},
    Rule{"aten::sign.out", &ofOne<[](Number x) { return x == 0 ? 0.0L : 1.0L; }>, pointwise},
};

}  // namespace unsigned_rules
}  // namespace

std::span<const Rule> unsignedRules() {
    return unsigned_rules::rules;
}

}  // namespace et::test::operators
