#include "tests/operators/binary.h"
#include "tests/operators/families.h"

#include <algorithm>
#include <cmath>

namespace et::test::operators {
namespace {
namespace selection_rules {

using namespace binary;

/// Integer power modulo 2^64; a negative exponent gives 0, except for bases 1 and -1.
Number wholePower(Number base, Number exponent) {
    if (exponent < 0) {
        return base == 1 ? 1 : base == -1 ? (std::fmod(exponent, 2) == 0 ? 1 : -1) : 0;
    }
    Number answer = 1;
    Number square = base;
    for (auto left = static_cast<std::uint64_t>(exponent); left != 0; left /= 2) {
        answer = left % 2 != 0 ? wrappedProduct(answer, square) : answer;
        square = wrappedProduct(square, square);
    }
    return answer;
}

Answer power(ScalarType type, Number base, Number exponent) {
    if (!core::isFloating(type)) {
        return {wholePower(base, exponent), 0};
    }
    // glibc's powl returns infinity for the base -infinity and the exponent -2^63.
    const Number answer = std::isinf(base)
                              ? std::pow(static_cast<double>(base), static_cast<double>(exponent))
                              : std::pow(base, exponent);
    return {answer, roundings(computeType(type), 4, answer)};
}

template <bool withNumber>
Operands forPower(Random& random) {
    for (;;) {
        Operands made = operands<withNumber>(random, {.takesBool = false});
        if (core::isFloating(made.type) || !withNumber || made.other.numbers[0] >= 0) {
            return made;
        }
    }
}

Case powerOfTensors(Random& random) {
    const Operands made = forPower<false>(random);
    return {{made.self, made.other},
            {computed(made, made.type, made.type, outputOf(random, made.type), false, power)}};
}

/// PyTorch uses a square root for the exponent 0.5, but pow for float16: they differ at -infinity.
Case powerByNumber(Random& random) {
    Operands made = forPower<true>(random);
    if (made.other.dtype == ScalarType::Double && random.flip()) {
        made.other.numbers[0] = random.pick<Number>({0.5L, -0.5L, -1, 2, 3, -2});
    }
    const Number number = made.other.numbers[0];
    return {{made.self, made.otherArgument()},
            {computed(made, made.type, made.type, outputOf(random, made.type), false,
                      [&](ScalarType type, Number base, Number exponent) {
                          if (std::abs(number) != 0.5L || type == ScalarType::Half) {
                              return power(type, base, exponent);
                          }
                          const Number root = std::sqrt(base);
                          const Number answer = number > 0 ? root : 1 / root;
                          return Answer{answer, roundings(computeType(type), 4, answer)};
                      })}};
}

Case powerOfNumber(Random& random) {
    const Operands made = operands<true>(random, {.takesBool = false});
    return {{made.otherArgument(), made.self},
            {computed(
                made, made.type, made.type, outputOf(random, made.type), false,
                [](ScalarType type, Number exponent, Number base) { return power(type, base, exponent); })}};
}

Case arcTangent(Random& random) {
    const Operands made = operands<false>(random, {});
    const ScalarType type = core::isFloating(made.type) ? made.type : ScalarType::Float;
    return {{made.self, made.other},
            {computed(made, type, type, outputOf(random, type), false,
                      [](ScalarType dtype, Number y, Number x) -> Answer {
                          const Number answer = std::atan2(y, x);
                          return {answer, roundings(computeType(dtype), 4, answer)};
                      })}};
}

/// Promoted dtype of all arrays.
ScalarType promotedOfAll(const std::vector<const Array*>& arrays) {
    Array all = zeros(ScalarType::Bool, {});
    for (const bool withDimensions : {true, false}) {
        bool isFirst = true;
        Array some = zeros(ScalarType::Bool, withDimensions ? Sizes{1} : Sizes{});
        for (const Array* array : arrays) {
            if (array->sizes.empty() != withDimensions) {
                some.dtype = isFirst ? array->dtype : promoted(some.dtype, array->dtype);
                isFirst = false;
            }
        }
        if (!isFirst) {
            all = all.sizes.empty() && withDimensions ? some : Array{promoted(all, some), all.sizes, {}, {}};
        }
    }
    return all.dtype;
}

Case clampByTensors(Random& random) {
    const Sizes sizes = sizesForThreads(random);
    const auto one = [&](int percent) {
        return random.array(random.pick(numbersOf),
                            random.chance(percent) ? sizes : random.broadcastable(sizes));
    };
    const Array self = one(60);
    const bool hasLow = random.chance(70);
    const bool hasHigh = !hasLow || random.chance(70);
    const Array low = hasLow ? one(20) : zeros(self.dtype, self.sizes);
    const Array high = hasHigh ? one(20) : zeros(self.dtype, self.sizes);
    std::vector<const Array*> given{&self};
    hasLow ? given.push_back(&low) : void();
    hasHigh ? given.push_back(&high) : void();
    const ScalarType type = promotedOfAll(given);
    const ScalarType output = outputOf(random, type);
    Expected expected = mapped(output, {&self, &low, &high}, [&](const std::vector<Number>& x) {
        const auto nextOf = [&](Number one, Number other, bool larger) {
            return std::isnan(one) || std::isnan(other) ? one + other
                   : larger                             ? std::max(one, other)
                                                        : std::min(one, other);
        };
        Number answer = rounded(type, x[0]);
        answer = hasLow ? nextOf(answer, rounded(type, x[1]), true) : answer;
        answer = hasHigh ? nextOf(answer, rounded(type, x[2]), false) : answer;
        return written(type, output, {answer, 0});
    });
    return {{self, hasLow ? Argument(low) : Argument(), hasHigh ? Argument(high) : Argument()},
            {std::move(expected)}};
}

Case where(Random& random) {
    Operands made = operands<false>(random, {});
    const Sizes sizes = broadcast(made.self.sizes, made.other.sizes);
    const Array condition = random.array(random.pick({ScalarType::Bool, ScalarType::Bool, ScalarType::Byte}),
                                         random.broadcastable(sizes));
    return {{condition, made.self, made.other},
            {mapped(made.type, {&condition, &made.self, &made.other}, [&](const std::vector<Number>& x) {
                return Answer{rounded(made.type, x[0] != 0 ? x[1] : x[2]), 0};
            })}};
}

Case maskedFill(Random& random) {
    const Sizes sizes = sizesForThreads(random);
    const ScalarType dtype = random.pick(realTypes);
    const Array self = random.array(dtype, random.chance(80) ? sizes : random.broadcastable(sizes));
    const Array mask = random.array(ScalarType::Bool, random.broadcastable(sizes));
    Operands value;
    value.other = number(random, {});
    if (dtype == ScalarType::Byte) {
        value.other.numbers[0] = std::abs(value.other.numbers[0]);
    }
    if (core::isFloating(dtype) ? std::abs(value.other.numbers[0]) > highest(dtype)
                                : !std::isfinite(rounded(ScalarType::Float, value.other.numbers[0])) ||
                                      std::abs(value.other.numbers[0]) > 100) {
        value.other.numbers[0] = 1;
    }
    value.isNumber = true;
    return {{self, mask, value.otherArgument()},
            {mapped(dtype, {&self, &mask}, [&](const std::vector<Number>& x) {
                return Answer{x[1] != 0 ? rounded(dtype, value.other.numbers[0]) : x[0], 0};
            })}};
}

/// a * sigmoid(b). The sigmoid may be 0 where it is subnormal, because its exponential overflows.
Answer gatedAnswer(ScalarType type, Number a, Number b) {
    const Number gate = 1 / (1 + std::exp(-b));
    const bool isTiny = gate < 4 * smallestNormal(type);
    if (!std::isfinite(a * gate)) {
        return {a * gate, isTiny ? std::nanl("") : 0};
    }
    return {a * gate, roundings(type, 8, a * gate) + (isTiny ? std::abs(a * gate) : 0)};
}

/// The first half along a dimension multiplied by the sigmoid of the second.
Case gated(Random& random) {
    Sizes sizes = random.sizes(1);
    const std::int64_t along = random.below(static_cast<std::int64_t>(sizes.size()));
    std::int64_t& size = sizes[static_cast<std::size_t>(along)];
    size += size % 2;
    const std::int64_t half = size / 2;
    const Array self = random.array(random.pick(floats), sizes);
    size = half;
    Expected output{zeros(self.dtype, sizes), {}};
    std::size_t at = 0;
    forEachIndex(sizes, [&](const Sizes& index) {
        Sizes gate = index;
        gate[static_cast<std::size_t>(along)] += half;
        const Answer answer = gatedAnswer(computeType(self.dtype), self.numbers[offsetOf(self.sizes, index)],
                                          self.numbers[offsetOf(self.sizes, gate)]);
        output.array.numbers[at++] = answer.number;
        output.allowed.push_back(answer.allowed);
    });
    return {{self, random.either(along, self.dim())}, {std::move(output)}};
}

/// The result is deterministic outside of training, or if nothing or everything is dropped.
Case dropout(Random& random) {
    const bool training = random.chance(70);
    const double p = random.pick({0.0, 1.0, random.real(0, 1)});
    const Array input =
        random.array(random.pick(floats), random.sizes(), training && p == 1 ? Values::Plain : Values::Any);
    const Number kept = training && p == 1 ? 0 : 1;
    const bool isKnown = !training || p == 0 || p == 1;
    Expected output = mapped(input.dtype, {&input},
                             [&](const std::vector<Number>& x) { return Answer{kept == 0 ? 0 : x[0], 0}; });
    Expected mask =
        mapped(ScalarType::Bool, {&input}, [&](const std::vector<Number>&) { return Answer{kept, 0}; });
    output.hasNumbers = isKnown;
    mask.hasNumbers = isKnown;
    const Argument train = training && random.flip() ? Argument(std::monostate{}) : Argument(training);
    return {{input, p, train}, {std::move(output), std::move(mask)}};
}

constexpr RuleTraits pointwise{.mayAlias = true};

constexpr Rule rules[] = {
    Rule{"aten::pow.Tensor_Tensor_out", &powerOfTensors, pointwise},
    Rule{"aten::pow.Tensor_Scalar_out", &powerByNumber, pointwise},
    Rule{"aten::pow.Scalar_out", &powerOfNumber, pointwise},
    Rule{"aten::atan2.out", &arcTangent, pointwise},
    Rule{"aten::clamp.Tensor_out", &clampByTensors, pointwise},
    Rule{"aten::where.self_out", &where, pointwise},
    Rule{"aten::masked_fill.Scalar_out", &maskedFill, pointwise},
    Rule{"aten::glu.out", &gated},
    Rule{"aten::native_dropout.out", &dropout, pointwise},
};

}  // namespace selection_rules
}  // namespace

std::span<const Rule> selectionRules() {
    return selection_rules::rules;
}

}  // namespace et::test::operators
