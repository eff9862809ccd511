#include "tests/operators/binary.h"
#include "tests/operators/families.h"

#include <algorithm>
#include <cmath>
#include <cstdint>

namespace et::test::operators {
namespace {
namespace compare_rules {

using namespace binary;

template <bool withNumber, auto isTrue>
Case comparison(Random& random) {
    const Operands made = operands<withNumber>(random, {});
    return {
        {made.self, made.otherArgument()},
        {computed(made, made.type, ScalarType::Bool, outputOf(random, ScalarType::Bool), false,
                  [](ScalarType, Number a, Number b) -> Answer { return {isTrue(a, b) ? 1.0L : 0.0L, 0}; })}};
}

constexpr auto equal = [](Number a, Number b) { return a == b; };
constexpr auto unequal = [](Number a, Number b) { return a != b; };
constexpr auto less = [](Number a, Number b) { return a < b; };
constexpr auto lessOrEqual = [](Number a, Number b) { return a <= b; };
constexpr auto greater = [](Number a, Number b) { return a > b; };
constexpr auto greaterOrEqual = [](Number a, Number b) { return a >= b; };
constexpr auto bothTrue = [](Number a, Number b) { return a != 0 && b != 0; };
constexpr auto oneTrue = [](Number a, Number b) { return a != 0 || b != 0; };
constexpr auto unlike = [](Number a, Number b) { return (a != 0) != (b != 0); };

std::int64_t bitsOf(ScalarType type) {
    return static_cast<std::int64_t>(core::elementBytes(type)) * 8;
}

/// Applies `function(a, b, bits of the dtype)` to integers.
template <bool withNumber, auto function, bool takesBool = true>
Case onBits(Random& random) {
    const Operands made =
        operands<withNumber>(random, {.dtypes = integersAndBool, .takesBool = takesBool, .hasFloats = false});
    return {{made.self, made.otherArgument()},
            {computed(made, made.type, made.type, outputOf(random, made.type), false,
                      [](ScalarType type, Number a, Number b) -> Answer {
                          const auto left = static_cast<std::int64_t>(a);
                          const auto right = static_cast<std::int64_t>(b);
                          return {static_cast<Number>(function(left, right, bitsOf(type))), 0};
                      })}};
}

constexpr auto bitAnd = [](std::int64_t a, std::int64_t b, std::int64_t) { return a & b; };
constexpr auto bitOr = [](std::int64_t a, std::int64_t b, std::int64_t) { return a | b; };
constexpr auto bitXor = [](std::int64_t a, std::int64_t b, std::int64_t) { return a ^ b; };
constexpr auto leftShift = [](std::int64_t a, std::int64_t by, std::int64_t bits) {
    return by < 0 || by >= bits ? 0 : static_cast<std::int64_t>(static_cast<std::uint64_t>(a) << by);
};
constexpr auto rightShift = [](std::int64_t a, std::int64_t by, std::int64_t bits) {
    return by < 0 || by >= bits ? (a < 0 ? -1 : 0) : a >> by;
};

constexpr RuleTraits pointwise{.mayAlias = true};

constexpr Rule rules[] = {
    Rule{"aten::eq.Tensor_out", &comparison<false, equal>, pointwise},
    Rule{"aten::eq.Scalar_out", &comparison<true, equal>, pointwise},
    Rule{"aten::ne.Tensor_out", &comparison<false, unequal>, pointwise},
    Rule{"aten::ne.Scalar_out", &comparison<true, unequal>, pointwise},
    Rule{"aten::lt.Tensor_out", &comparison<false, less>, pointwise},
    Rule{"aten::lt.Scalar_out", &comparison<true, less>, pointwise},
    Rule{"aten::le.Tensor_out", &comparison<false, lessOrEqual>, pointwise},
    Rule{"aten::le.Scalar_out", &comparison<true, lessOrEqual>, pointwise},
    Rule{"aten::gt.Tensor_out", &comparison<false, greater>, pointwise},
    Rule{"aten::gt.Scalar_out", &comparison<true, greater>, pointwise},
    Rule{"aten::ge.Tensor_out", &comparison<false, greaterOrEqual>, pointwise},
    Rule{"aten::ge.Scalar_out", &comparison<true, greaterOrEqual>, pointwise},
    Rule{"aten::logical_and.out", &comparison<false, bothTrue>, pointwise},
    Rule{"aten::logical_or.out", &comparison<false, oneTrue>, pointwise},
    Rule{"aten::logical_xor.out", &comparison<false, unlike>, pointwise},
    Rule{"aten::bitwise_and.Tensor_out", &onBits<false, bitAnd>, pointwise},
    Rule{"aten::bitwise_and.Scalar_out", &onBits<true, bitAnd>, pointwise},
    Rule{"aten::bitwise_or.Tensor_out", &onBits<false, bitOr>, pointwise},
    Rule{"aten::bitwise_or.Scalar_out", &onBits<true, bitOr>, pointwise},
    Rule{"aten::bitwise_xor.Tensor_out", &onBits<false, bitXor>, pointwise},
    Rule{"aten::bitwise_xor.Scalar_out", &onBits<true, bitXor>, pointwise},
    Rule{"aten::bitwise_left_shift.Tensor_out", &onBits<false, leftShift, false>, pointwise},
    Rule{"aten::bitwise_left_shift.Tensor_Scalar_out", &onBits<true, leftShift, false>, pointwise},
    Rule{"aten::bitwise_right_shift.Tensor_out", &onBits<false, rightShift, false>, pointwise},
    Rule{"aten::bitwise_right_shift.Tensor_Scalar_out", &onBits<true, rightShift, false>, pointwise},
};

}  // namespace compare_rules
}  // namespace

std::span<const Rule> compareRules() {
    return compare_rules::rules;
}

}  // namespace et::test::operators
