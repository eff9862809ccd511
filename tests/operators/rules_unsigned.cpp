#include "tests/operators/binary.h"
#include "tests/operators/families.h"

#include <algorithm>
#include <cmath>

namespace et::test::operators {
namespace {
namespace unsigned_rules {

using namespace binary;

/// Two tensors of one of the unsigned dtypes that PyTorch has few operators for.
Operands unsignedTensors(Random& random) {
    const Sizes sizes = random.sizes();
    const ScalarType dtype = random.pick({ScalarType::UInt16, ScalarType::UInt32, ScalarType::UInt64});
    Operands made{random.array(dtype, sizes), random.array(dtype, random.broadcastable(sizes))};
    made.type = dtype;
    return made;
}

template <auto function>
Case inCommon(Random& random) {
    const Operands made = unsignedTensors(random);
    return {{made.self, made.other},
            {computed(made, made.type, made.type, made.type, false,
                      [](ScalarType, Number a, Number b) -> Answer { return {function(a, b), 0}; })}};
}

/// Modulo 2^64, which long double does not hold the sum of.
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

Number both(Number a, Number b) {
    return static_cast<Number>(static_cast<std::uint64_t>(a) & static_cast<std::uint64_t>(b));
}

constexpr Traits pointwise{.mayAlias = true};

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
};

}  // namespace unsigned_rules
}  // namespace

std::span<const Rule> unsignedRules() {
    return unsigned_rules::rules;
}

}  // namespace et::test::operators
