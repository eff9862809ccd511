#include "tests/operators/binary.h"
#include "tests/operators/families.h"

#include <cmath>

namespace et::test::operators {
namespace {
namespace binary_rules {

using namespace binary;

Answer product(ScalarType type, Number a, Number b) {
    return once(type, core::isFloating(type) ? a * b : wrappedProduct(a, b));
}

/// Returns a factor that is exact in float16.
Number alphaFor(Random& random, ScalarType type) {
    if (random.chance(40)) {
        return 1;
    }
    if (core::isFloating(type)) {
        return random.between(-12, 12) / Number{4};
    }
    return type == ScalarType::Bool ? random.between(0, 1) : random.between(-3, 3);
}

Argument asNumber(Random& random, ScalarType type, Number number) {
    if (core::isFloating(type) && (number != std::trunc(number) || random.flip())) {
        return static_cast<double>(number);
    }
    return static_cast<std::int64_t>(number);
}

/// a + alpha * b and related operators.
template <bool withNumber, int sign, bool reversed = false>
Case scaledSum(Random& random) {
    const Operands made = operands<withNumber>(random, {.takesBool = sign > 0});
    const Number alpha = alphaFor(random, made.type);
    const ScalarType dtype = reversed ? made.type : outputOf(random, made.type);
    Expected output = computed(
        made, made.type, made.type, dtype, false, [&](ScalarType type, Number a, Number b) -> Answer {
            const Number left = reversed ? b : a;
            const Number right = sign * (reversed ? a : b);
            if (alpha == 1 || !core::isFloating(type)) {
                return once(type, left + (alpha == 1 ? right : wrappedProduct(alpha, right)));
            }
            const Number scaled = rounded(computeType(type), alpha * right);
            // Whether PyTorch rounds the product depends on the CPU.
            const Number size = std::abs(left) + std::abs(alpha * right);
            return {left + (std::isinf(scaled) ? scaled : alpha * right),
                    roundings(computeType(type), 2, size)};
        });
    return {{made.self, made.otherArgument(), asNumber(random, made.type, alpha)}, {std::move(output)}};
}

/// Applies `operation` to both operands in their promoted dtype.
template <bool withNumber, auto operation, bool isFactor = false, bool takesBool = true>
Case inCommon(Random& random) {
    const Operands made = operands<withNumber>(random, {.takesBool = takesBool});
    Expected output = computed(made, made.type, made.type, outputOf(random, made.type), isFactor, operation);
    return {{made.self, made.otherArgument()}, {std::move(output)}};
}

Answer larger(ScalarType, Number a, Number b) {
    return {std::isnan(a) || std::isnan(b) ? a + b : std::max(a, b), 0};
}
Answer smaller(ScalarType, Number a, Number b) {
    return {std::isnan(a) || std::isnan(b) ? a + b : std::min(a, b), 0};
}

constexpr RuleTraits pointwise{.mayAlias = true};

constexpr Rule rules[] = {
    Rule{"aten::add.out", &scaledSum<false, 1>, pointwise},
    Rule{"aten::add.Scalar_out", &scaledSum<true, 1>, pointwise},
    Rule{"aten::sub.out", &scaledSum<false, -1>, pointwise},
    Rule{"aten::sub.Scalar_out", &scaledSum<true, -1>, pointwise},
    Rule{"aten::rsub.Scalar_out", &scaledSum<true, -1, true>, pointwise},
    Rule{"aten::mul.out", &inCommon<false, product, true>, pointwise},
    Rule{"aten::mul.Scalar_out", &inCommon<true, product, true>, pointwise},
    Rule{"aten::maximum.out", &inCommon<false, larger>, pointwise},
    Rule{"aten::minimum.out", &inCommon<false, smaller>, pointwise},
};

}  // namespace binary_rules
}  // namespace

std::span<const Rule> binaryRules() {
    return binary_rules::rules;
}

}  // namespace et::test::operators
