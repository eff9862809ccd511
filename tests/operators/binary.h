#pragma once

#include "tests/operators/rules.h"

#include <cmath>
#include <initializer_list>
#include <limits>

// Test cases of operators with two operands that are converted to a common dtype.
namespace et::test::operators::binary {

inline constexpr Number infinity = std::numeric_limits<Number>::infinity();

/// A tensor and the other operand: a tensor that broadcasts with it, or a number.
struct Operands {
    Array self;
    Array other;  ///< without dimensions for a number
    bool isNumber = false;
    ScalarType type = ScalarType::Float;  ///< dtype that they promote to

    [[nodiscard]] Argument otherArgument() const {
        if (!isNumber) {
            return other;
        }
        const Number number = other.numbers[0];
        switch (other.dtype) {
            case ScalarType::Bool:
                return number != 0;
            case ScalarType::Long:
                return static_cast<std::int64_t>(number);
            default:
                return static_cast<double>(number);
        }
    }
};

/// Properties of the two operands.
struct Shape {
    std::initializer_list<ScalarType> dtypes = realTypes;
    Values values = Values::Any;
    bool takesBool = true;  ///< whether both may be bool
    bool hasFloats = true;
};

/// Promoted dtype of a tensor and a number: a number raises a tensor to float32, not double.
inline ScalarType promotedWithNumber(ScalarType tensor, ScalarType number) {
    if (categoryOf(number) <= categoryOf(tensor)) {
        return tensor;
    }
    return number == ScalarType::Double ? ScalarType::Float : number;
}

inline void setType(Operands& made) {
    made.type = made.isNumber ? promotedWithNumber(made.self.dtype, made.other.dtype)
                              : promoted(made.self, made.other);
}

inline Array number(Random& random, const Shape& shape) {
    const ScalarType dtype = shape.hasFloats
                                 ? random.pick({ScalarType::Long, ScalarType::Double, ScalarType::Bool})
                                 : random.pick({ScalarType::Long, ScalarType::Bool});
    Array made = random.array(dtype, {}, shape.values == Values::Any ? Values::Plain : shape.values);
    if (dtype == ScalarType::Double && shape.values == Values::Any && random.chance(10)) {
        made.numbers[0] = random.pick<Number>({infinity, -infinity, std::nanl(""), 1e300L, 1e-300L, 1e5L});
    }
    return made;
}

/// Returns two tensors of any dtypes, either of which may be broadcast.
inline Operands tensors(Random& random, const Shape& shape) {
    const Sizes sizes = sizesForThreads(random);
    Operands made;
    const ScalarType dtype = random.pick(shape.dtypes);
    made.self = random.array(dtype, random.chance(75) ? sizes : random.broadcastable(sizes), shape.values);
    made.other = random.array(random.flip() ? dtype : random.pick(shape.dtypes), random.broadcastable(sizes),
                              shape.values);
    setType(made);
    return made;
}

inline Operands tensorAndNumber(Random& random, const Shape& shape) {
    Operands made;
    made.self = random.array(random.pick(shape.dtypes), sizesForThreads(random), shape.values);
    made.other = number(random, shape);
    made.isNumber = true;
    if (made.self.dtype == ScalarType::Byte && made.other.dtype == ScalarType::Long) {
        made.other.numbers[0] = std::abs(made.other.numbers[0]);  // whether -1 becomes 255 is not tested here
    }
    setType(made);
    return made;
}

template <bool withNumber>
Operands operands(Random& random, const Shape& shape) {
    for (;;) {
        Operands made = withNumber ? tensorAndNumber(random, shape) : tensors(random, shape);
        if (shape.takesBool || made.type != ScalarType::Bool) {
            return made;
        }
    }
}

/// Output dtype for a result of dtype `type`: usually the same, sometimes another that it can be written to.
inline ScalarType outputOf(Random& random, ScalarType type) {
    if (random.chance(80)) {
        return type;
    }
    const ScalarType other = random.pick(realTypes);
    return categoryOf(other) >= categoryOf(type) ? other : type;
}

/// An answer in `type`, rounded once more if the output has another dtype.
inline Answer written(ScalarType type, ScalarType output, const Answer& answer) {
    if (std::isnan(answer.allowed) || !std::isfinite(answer.number)) {
        return {answer.number, std::isnan(answer.allowed) ? answer.allowed : 0};
    }
    if (type == output) {
        return answer;
    }
    const Number given = rounded(type, answer.number);
    const Number low = rounded(type, answer.number - answer.allowed);
    const Number high = rounded(type, answer.number + answer.allowed);
    if (!std::isfinite(given) || !std::isfinite(low) || !std::isfinite(high)) {
        return {given, low == high ? 0 : std::nanl("")};
    }
    return {given, std::max(high - given, given - low)};
}

/// Modulo 2^64.
inline Number wrappedProduct(Number a, Number b) {
    const auto bits = [](Number x) {
        return static_cast<std::uint64_t>(static_cast<std::int64_t>(rounded(ScalarType::Long, x)));
    };
    return static_cast<Number>(static_cast<std::int64_t>(bits(a) * bits(b)));
}

/// Computes `operation(type, a, b)` of two operands in `type`. With `isFactor`, a single-element second
/// operand keeps the digits that half and bfloat16 do not have.
template <class Operation>
Expected computed(const Operands& operands, ScalarType type, ScalarType result, ScalarType output,
                  bool isFactor, const Operation& operation) {
    const bool exact = isFactor && operands.other.count() == 1;
    const ScalarType otherType = exact ? computeType(type) : type;
    return mapped(output, {&operands.self, &operands.other}, [&](const std::vector<Number>& x) {
        const Answer answer = operation(type, rounded(type, x[0]), rounded(otherType, x[1]));
        return written(result, output, answer);
    });
}

/// Answer for a result that is rounded once in the compute dtype: exact, except for double, which long double
/// rounds a second time.
inline Answer once(ScalarType type, Number exact) {
    return type == ScalarType::Double ? Answer{exact, roundings(type, 1, exact) / 16}
                                      : Answer{rounded(computeType(type), exact), 0};
}

}  // namespace et::test::operators::binary
