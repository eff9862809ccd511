#include "tests/operators/rules.h"

#include <array>
#include <cmath>
#include <cstdint>
#include <limits>
#include <string>

namespace et::test::operators {
namespace {
namespace binary {

/// What the result's dtype is, given the one that both operands are converted to.
enum class Gives : std::uint8_t { Same, Float, Truth };

template <Gives gives>
ScalarType resultOf(ScalarType common) {
    return gives == Gives::Truth                                ? ScalarType::Bool
           : gives == Gives::Float && !core::isFloating(common) ? ScalarType::Float
                                                                : common;
}

/// Two operands of a call; `common` is what they are converted to.
struct Operands {
    Array first;
    Array second;     ///< of an overload with a number: without dimensions
    Argument number;  ///< the second one as such a number
    ScalarType common = ScalarType::Float;
};

/// int64 at its limits would need products of more than 64 bits.
Array operand(Random& random, ScalarType dtype, const Sizes& sizes) {
    return random.array(dtype, sizes, dtype == ScalarType::Long ? Values::Plain : Values::Any);
}

/// A zero is not a divisor of integers.
void avoidZero(Array& array) {
    for (Number& number : array.numbers) {
        number = number == 0 && !core::isFloating(array.dtype) ? 1 : number;
    }
}

Operands tensors(Random& random, std::initializer_list<ScalarType> dtypes) {
    const Sizes sizes = random.sizes();
    const ScalarType dtype = random.pick(dtypes);
    Operands made;
    made.first = operand(random, dtype, random.broadcastable(sizes));
    made.second = operand(random, random.flip() ? dtype : random.pick(dtypes), random.broadcastable(sizes));
    if (random.flip()) {
        std::swap(made.first, made.second);
    }
    made.common = promoted(made.first, made.second);
    return made;
}

Operands withNumber(Random& random, std::initializer_list<ScalarType> dtypes, bool mayBeFloat = true) {
    Operands made;
    made.first = operand(random, random.pick(dtypes), random.sizes());
    const ScalarType dtype = made.first.dtype;
    const bool isFloat = mayBeFloat && random.flip();
    made.second = zeros(isFloat ? ScalarType::Double : ScalarType::Long, {});
    made.second.numbers[0] = isFloat
                                 ? static_cast<Number>(random.real(-4, 4))
                                 : static_cast<Number>(random.between(dtype == ScalarType::Byte ? 0 : -9, 9));
    made.common = dtype;
    if (categoryOf(made.second.dtype) > categoryOf(dtype)) {
        made.common = isFloat ? ScalarType::Float : ScalarType::Long;
    }
    made.number = isFloat ? Argument(static_cast<double>(made.second.numbers[0]))
                          : Argument(static_cast<std::int64_t>(made.second.numbers[0]));
    return made;
}

/// `function` of both operands in the dtype that they are computed in; `second`: of the second one.
template <class Function>
Expected answer(const Operands& operands, ScalarType result, ScalarType within, ScalarType second,
                Function&& function) {
    return mapped(result, {&operands.first, &operands.second}, [&](const std::vector<Number>& numbers) {
        return function(rounded(within, numbers[0]), rounded(second, numbers[1]));
    });
}

/// PyTorch takes a factor or divisor of one element as a float, where the result is a half or bfloat16.
ScalarType factorType(const Operands& operands, ScalarType within) {
    return operands.second.count() == 1 ? computeType(within) : within;
}

template <auto function, Gives gives, auto scale, bool keepsFactor = false>
Expected answerOf(const Operands& operands) {
    const ScalarType result = resultOf<gives>(operands.common);
    const ScalarType within = gives == Gives::Float ? result : operands.common;
    return answer(operands, result, within, keepsFactor ? factorType(operands, within) : within,
                  [&](Number x, Number y) {
                      const Number number = function(x, y);
                      return Answer{number, roundings(computeType(within), 3, scale(x, y, number))};
                  });
}

constexpr auto exact = [](Number, Number, Number) { return Number{0}; };
constexpr auto ofAnswer = [](Number, Number, Number answer) { return std::isfinite(answer) ? answer : 0; };

template <auto function, Gives gives, const std::initializer_list<ScalarType>& dtypes, auto scale = exact,
          bool keepsFactor = false>
Case ofTensors(Random& random) {
    const Operands operands = tensors(random, dtypes);
    return {{operands.first, operands.second}, {answerOf<function, gives, scale, keepsFactor>(operands)}};
}

template <auto function, Gives gives, const std::initializer_list<ScalarType>& dtypes, auto scale = exact,
          bool keepsFactor = false>
Case ofNumber(Random& random) {
    const Operands operands = withNumber(random, dtypes);
    return {{operands.first, operands.number}, {answerOf<function, gives, scale, keepsFactor>(operands)}};
}

/// x + alpha y, x - alpha y or y - alpha x.
template <bool subtracts, bool turned = false>
Case scaled(Operands operands, bool hasNumber, Random& random) {
    const bool isFloat = core::isFloating(operands.common);
    const Number alpha = operands.common == ScalarType::Bool ? 1
                         : isFloat                           ? static_cast<Number>(random.real(-2, 2))
                                                             : static_cast<Number>(random.between(0, 3));
    const ScalarType within = computeType(operands.common);
    const Number factor = rounded(operands.common, alpha);
    Expected output =
        answer(operands, operands.common, operands.common, operands.common, [&](Number x, Number y) {
            const Number first = turned ? y : x;
            const Number second = (turned ? x : y) * factor;
            const Number size = std::abs(first) + std::abs(second);
            // Whether a product beyond the dtype is infinite depends on whether it is fused with the sum.
            const bool mayOverflow = isFloat && std::isfinite(second) && std::abs(second) > highest(within);
            const Number allowed = mayOverflow           ? std::numeric_limits<Number>::quiet_NaN()
                                   : std::isfinite(size) ? roundings(within, 3, size)
                                                         : 0;
            return Answer{subtracts ? first - second : first + second, allowed};
        });
    const Argument given =
        isFloat ? Argument(static_cast<double>(alpha)) : Argument(static_cast<std::int64_t>(alpha));
    return {{operands.first, hasNumber ? operands.number : Argument(operands.second), given},
            {std::move(output)}};
}

Case addTensor(Random& random) {
    return scaled<false>(tensors(random, realTypes), false, random);
}
Case addNumber(Random& random) {
    return scaled<false>(withNumber(random, numbersOf), true, random);
}
Case subTensor(Random& random) {
    return scaled<true>(tensors(random, numbersOf), false, random);
}
Case subNumber(Random& random) {
    return scaled<true>(withNumber(random, numbersOf), true, random);
}
Case rsubNumber(Random& random) {
    return scaled<true, true>(withNumber(random, numbersOf), true, random);
}

enum class Rounds : std::uint8_t { Not, Truncates, Floors };

Expected quotient(const Operands& operands, Rounds rounds) {
    const ScalarType result = resultOf<Gives::Same>(
        rounds == Rounds::Not ? resultOf<Gives::Float>(operands.common) : operands.common);
    const bool isWhole = !core::isFloating(result);
    const ScalarType within = computeType(result);
    // Of two tensors, PyTorch rounds the quotient before it cuts off its fraction.
    const ScalarType cut = operands.second.count() == 1 ? within : result;
    return answer(operands, result, result, factorType(operands, result), [&](Number x, Number y) {
        const Number exactly = x / y;
        if (isWhole || rounds == Rounds::Floors) {
            const Number whole = rounds == Rounds::Floors ? std::floor(exactly) : std::trunc(exactly);
            const bool isFinite = std::isfinite(exactly) && std::isfinite(y);
            // Infinite operands: PyTorch takes the rest first, which is NaN.
            return isWhole || isFinite ? Answer{whole, roundings(within, 3, whole)}
                                       : Answer{whole, std::numeric_limits<Number>::quiet_NaN()};
        }
        if (rounds == Rounds::Truncates) {
            return Answer{std::trunc(rounded(cut, exactly))};
        }
        return Answer{exactly, roundings(within, 3, ofAnswer(x, y, exactly))};
    });
}

Rounds anyMode(Random& random) {
    return random.pick({Rounds::Not, Rounds::Truncates, Rounds::Floors});
}
Argument modeName(Rounds rounds) {
    return rounds == Rounds::Not ? Argument(std::monostate{})
                                 : Argument(std::string(rounds == Rounds::Floors ? "floor" : "trunc"));
}

Operands divisible(Operands operands) {
    avoidZero(operands.second);
    if (std::holds_alternative<std::int64_t>(operands.number)) {
        operands.number = static_cast<std::int64_t>(operands.second.numbers[0]);
    }
    // The least integer divided by -1 has no answer; where a float becomes an integer it may become 0.
    for (Number& number : operands.first.numbers) {
        number =
            number == lowest(operands.first.dtype) && !core::isFloating(operands.first.dtype) ? 1 : number;
    }
    return operands;
}

Case divTensor(Random& random) {
    const Operands operands = divisible(tensors(random, realTypes));
    return {{operands.first, operands.second}, {quotient(operands, Rounds::Not)}};
}
Case divNumber(Random& random) {
    const Operands operands = divisible(withNumber(random, realTypes));
    return {{operands.first, operands.number}, {quotient(operands, Rounds::Not)}};
}
Case divTensorMode(Random& random) {
    const Operands operands = divisible(tensors(random, numbersOf));
    const Rounds rounds = anyMode(random);
    return {{operands.first, operands.second, modeName(rounds)}, {quotient(operands, rounds)}};
}
Case divNumberMode(Random& random) {
    const Operands operands = divisible(withNumber(random, numbersOf));
    const Rounds rounds = anyMode(random);
    return {{operands.first, operands.number, modeName(rounds)}, {quotient(operands, rounds)}};
}
Case floorDivide(Random& random) {
    const Operands operands = divisible(tensors(random, numbersOf));
    return {{operands.first, operands.second}, {quotient(operands, Rounds::Floors)}};
}

/// With the sign of the dividend (fmod) or of the divisor (remainder).
template <bool ofDivisor>
Expected rest(const Operands& operands) {
    const ScalarType within = computeType(operands.common);
    return answer(operands, operands.common, operands.common, operands.common, [&](Number x, Number y) {
        // As PyTorch's vectorised fmod has it.
        const bool isBeyond =
            core::isFloating(within) && y != 0 && std::isfinite(x) && std::abs(x / y) > highest(within);
        Number number = isBeyond ? std::numeric_limits<Number>::quiet_NaN() : std::fmod(x, y);
        const bool turns = ofDivisor && number != 0 && (number < 0) != (y < 0);
        number += turns ? y : 0;
        return Answer{number, turns && std::isfinite(y) ? roundings(within, 2, y) : 0};
    });
}
template <bool ofDivisor>
Case restOfTensors(Random& random) {
    const Operands operands = divisible(tensors(random, numbersOf));
    return {{operands.first, operands.second}, {rest<ofDivisor>(operands)}};
}
template <bool ofDivisor>
Case restOfNumber(Random& random) {
    const Operands operands = divisible(withNumber(random, numbersOf));
    return {{operands.first, operands.number}, {rest<ofDivisor>(operands)}};
}

template <class Function>
Number onBits(Number x, Number y, Function&& function) {
    return static_cast<Number>(function(static_cast<std::int64_t>(x), static_cast<std::int64_t>(y)));
}
constexpr auto bitAnd = [](Number x, Number y) { return onBits(x, y, std::bit_and<>()); };
constexpr auto bitOr = [](Number x, Number y) { return onBits(x, y, std::bit_or<>()); };
constexpr auto bitXor = [](Number x, Number y) { return onBits(x, y, std::bit_xor<>()); };

template <auto function>
Case bitsWithNumber(Random& random) {
    const Operands operands = withNumber(random, integers, false);
    return {{operands.first, operands.number}, {answerOf<function, Gives::Same, exact>(operands)}};
}

constexpr auto greater = [](Number x, Number y) {
    return std::isnan(x) || std::isnan(y) ? std::numeric_limits<Number>::quiet_NaN() : std::max(x, y);
};
constexpr auto lesser = [](Number x, Number y) {
    return std::isnan(x) || std::isnan(y) ? std::numeric_limits<Number>::quiet_NaN() : std::min(x, y);
};
constexpr auto isEqual = [](Number x, Number y) { return Number(x == y); };
constexpr auto isNotEqual = [](Number x, Number y) { return Number(x != y); };
constexpr auto isLess = [](Number x, Number y) { return Number(x < y); };
constexpr auto isLessOrEqual = [](Number x, Number y) { return Number(x <= y); };
constexpr auto isGreater = [](Number x, Number y) { return Number(x > y); };
constexpr auto isGreaterOrEqual = [](Number x, Number y) { return Number(x >= y); };
constexpr auto product = [](Number x, Number y) { return x * y; };
constexpr auto angle = [](Number y, Number x) { return std::atan2(y, x); };

/// Whether each is not 0 once it is converted.
template <auto function>
Case truths(Random& random) {
    const Operands operands = tensors(random, realTypes);
    return {{operands.first, operands.second},
            {answer(operands, ScalarType::Bool, operands.common, operands.common,
                    [](Number x, Number y) { return Answer{function(x != 0, y != 0) ? Number{1} : 0}; })}};
}

constexpr Traits pointwise{.mayAlias = true};

constexpr std::array rules{
    Rule{"aten::add.out", &addTensor, pointwise},
    Rule{"aten::add.Scalar_out", &addNumber, pointwise},
    Rule{"aten::sub.out", &subTensor, pointwise},
    Rule{"aten::sub.Scalar_out", &subNumber, pointwise},
    Rule{"aten::rsub.Scalar_out", &rsubNumber, pointwise},
    Rule{"aten::mul.out", &ofTensors<product, Gives::Same, realTypes, ofAnswer, true>, pointwise},
    Rule{"aten::mul.Scalar_out", &ofNumber<product, Gives::Same, realTypes, ofAnswer, true>, pointwise},
    Rule{"aten::div.out", &divTensor, pointwise},
    Rule{"aten::div.Scalar_out", &divNumber, pointwise},
    Rule{"aten::div.out_mode", &divTensorMode, pointwise},
    Rule{"aten::div.Scalar_mode_out", &divNumberMode, pointwise},
    Rule{"aten::floor_divide.out", &floorDivide, pointwise},
    Rule{"aten::fmod.Tensor_out", &restOfTensors<false>, pointwise},
    Rule{"aten::fmod.Scalar_out", &restOfNumber<false>, pointwise},
    Rule{"aten::remainder.Tensor_out", &restOfTensors<true>, pointwise},
    Rule{"aten::remainder.Scalar_out", &restOfNumber<true>, pointwise},
    Rule{"aten::atan2.out", &ofTensors<angle, Gives::Float, realTypes, ofAnswer>, pointwise},
    Rule{"aten::maximum.out", &ofTensors<greater, Gives::Same, realTypes>, pointwise},
    Rule{"aten::minimum.out", &ofTensors<lesser, Gives::Same, realTypes>, pointwise},
    Rule{"aten::bitwise_and.Tensor_out", &ofTensors<bitAnd, Gives::Same, integersAndBool>, pointwise},
    Rule{"aten::bitwise_or.Tensor_out", &ofTensors<bitOr, Gives::Same, integersAndBool>, pointwise},
    Rule{"aten::bitwise_xor.Tensor_out", &ofTensors<bitXor, Gives::Same, integersAndBool>, pointwise},
    Rule{"aten::bitwise_and.Scalar_out", &bitsWithNumber<bitAnd>, pointwise},
    Rule{"aten::bitwise_or.Scalar_out", &bitsWithNumber<bitOr>, pointwise},
    Rule{"aten::bitwise_xor.Scalar_out", &bitsWithNumber<bitXor>, pointwise},
    Rule{"aten::eq.Tensor_out", &ofTensors<isEqual, Gives::Truth, realTypes>, pointwise},
    Rule{"aten::ne.Tensor_out", &ofTensors<isNotEqual, Gives::Truth, realTypes>, pointwise},
    Rule{"aten::lt.Tensor_out", &ofTensors<isLess, Gives::Truth, realTypes>, pointwise},
    Rule{"aten::le.Tensor_out", &ofTensors<isLessOrEqual, Gives::Truth, realTypes>, pointwise},
    Rule{"aten::gt.Tensor_out", &ofTensors<isGreater, Gives::Truth, realTypes>, pointwise},
    Rule{"aten::ge.Tensor_out", &ofTensors<isGreaterOrEqual, Gives::Truth, realTypes>, pointwise},
    Rule{"aten::eq.Scalar_out", &ofNumber<isEqual, Gives::Truth, realTypes>, pointwise},
    Rule{"aten::ne.Scalar_out", &ofNumber<isNotEqual, Gives::Truth, realTypes>, pointwise},
    Rule{"aten::lt.Scalar_out", &ofNumber<isLess, Gives::Truth, realTypes>, pointwise},
    Rule{"aten::le.Scalar_out", &ofNumber<isLessOrEqual, Gives::Truth, realTypes>, pointwise},
    Rule{"aten::gt.Scalar_out", &ofNumber<isGreater, Gives::Truth, realTypes>, pointwise},
    Rule{"aten::ge.Scalar_out", &ofNumber<isGreaterOrEqual, Gives::Truth, realTypes>, pointwise},
    Rule{"aten::logical_and.out", &truths<[](bool x, bool y) { return x && y; }>, pointwise},
    Rule{"aten::logical_or.out", &truths<[](bool x, bool y) { return x || y; }>, pointwise},
    Rule{"aten::logical_xor.out", &truths<[](bool x, bool y) { return x != y; }>, pointwise},
};

}  // namespace binary
}  // namespace

std::span<const Rule> binaryRules() {
    return binary::rules;
}

}  // namespace et::test::operators
