#include "tests/operators/families.h"
#include "tests/operators/reduction.h"

#include <complex>

namespace et::test::operators {
namespace {
namespace complex_rules {

using namespace reduction;

using Complex = std::complex<Number>;

ScalarType complexOf(ScalarType dtype) {
    switch (dtype) {
        case ScalarType::Half:
            return ScalarType::ComplexHalf;
        case ScalarType::Double:
            return ScalarType::ComplexDouble;
        default:
            return core::isComplex(dtype) ? dtype : ScalarType::ComplexFloat;
    }
}

/// Promotes two dtypes, at least one of them complex; integers and bool have no effect.
ScalarType promotedComplex(ScalarType a, ScalarType b) {
    const auto matters = [](ScalarType dtype) { return core::isComplex(dtype) || core::isFloating(dtype); };
    if (!matters(a) || !matters(b)) {
        return matters(a) ? a : b;
    }
    const ScalarType one = complexOf(a);
    const ScalarType other = complexOf(b);
    return core::elementBytes(one) >= core::elementBytes(other) ? one : other;
}

/// A real tensor without dimensions does not raise a complex tensor with dimensions.
ScalarType promotedComplex(const Array& a, const Array& b) {
    if (a.sizes.empty() != b.sizes.empty()) {
        const Array& tensor = a.sizes.empty() ? b : a;
        if (core::isComplex(tensor.dtype)) {
            return tensor.dtype;
        }
    }
    return promotedComplex(a.dtype, b.dtype);
}

ScalarType complexCompute(ScalarType dtype) {
    return dtype == ScalarType::ComplexHalf ? ScalarType::ComplexFloat : dtype;
}

Complex at(const Array& array, std::size_t place) {
    return {array.numbers[place], array.imaginary.empty() ? 0 : array.imaginary[place]};
}
Complex rounded(ScalarType dtype, const Complex& number) {
    return {operators::rounded(dtype, number.real()), operators::rounded(dtype, number.imag())};
}

constexpr std::initializer_list<ScalarType> complexTypes{ScalarType::ComplexFloat, ScalarType::ComplexDouble,
                                                         ScalarType::ComplexHalf};

Array numbersFor(Random& random, ScalarType dtype, const Sizes& sizes) {
    Array made = random.array(dtype, sizes, Values::Plain);
    if (random.chance(40)) {
        for (auto* part : {&made.numbers, &made.imaginary}) {
            for (Number& number : *part) {
                number = std::nearbyint(number / 2);
            }
        }
    }
    return made;
}

/// Two tensors, at least one of them complex.
struct Pair {
    Array self;
    Array other;
    ScalarType type;
};
Pair pair(Random& random) {
    const Sizes sizes = random.sizes();
    const ScalarType first = random.pick(complexTypes);
    const ScalarType second = random.chance(60) ? first
                              : random.flip()   ? random.pick(complexTypes)
                                                : random.pick(realTypes);
    Pair made{numbersFor(random, first, sizes), numbersFor(random, second, random.broadcastable(sizes)),
              first};
    made.type = promotedComplex(made.self, made.other);
    if (random.flip()) {
        std::swap(made.self, made.other);
    }
    return made;
}

struct ComplexAnswer {
    Complex number;
    Number allowed = 0;
};

template <class Function>
Expected ofPairs(ScalarType dtype, const Pair& made, const Function& function) {
    const Sizes sizes = broadcast(made.self.sizes, made.other.sizes);
    Expected output{zeros(dtype, sizes), {}};
    std::size_t place = 0;
    forEachIndex(sizes, [&](const Sizes& index) {
        const ComplexAnswer answer =
            function(rounded(made.type, at(made.self, broadcastOffset(made.self, index))),
                     rounded(made.type, at(made.other, broadcastOffset(made.other, index))));
        output.array.numbers[place] = answer.number.real();
        if (!output.array.imaginary.empty()) {
            output.array.imaginary[place] = answer.number.imag();
        }
        output.allowed.push_back(answer.allowed);
        ++place;
    });
    return output;
}

template <int sign>
Case scaledSum(Random& random) {
    const Pair made = pair(random);
    const Number alpha = random.flip() ? 1 : static_cast<Number>(random.between(-8, 8)) / 4;
    return {{made.self, made.other, static_cast<double>(alpha)},
            {ofPairs(made.type, made, [&](const Complex& a, const Complex& b) -> ComplexAnswer {
                return {a + alpha * sign * b,
                        roundings(complexCompute(made.type), 2, std::abs(a) + std::abs(alpha) * std::abs(b))};
            })}};
}

Case product(Random& random) {
    const Pair made = pair(random);
    return {{made.self, made.other},
            {ofPairs(made.type, made, [&](const Complex& a, const Complex& b) -> ComplexAnswer {
                return {a * b, roundings(complexCompute(made.type), 3, std::abs(a) * std::abs(b))};
            })}};
}

Case quotient(Random& random) {
    Pair made = pair(random);
    for (Number& number : made.other.numbers) {
        number = number == 0 ? 1 : number;
    }
    return {{made.self, made.other},
            {ofPairs(made.type, made, [&](const Complex& a, const Complex& b) -> ComplexAnswer {
                return {a / b, roundings(complexCompute(made.type), 8, std::abs(a) / std::abs(b))};
            })}};
}

template <bool equal>
Case comparison(Random& random) {
    const Pair made = pair(random);
    return {{made.self, made.other},
            {ofPairs(ScalarType::Bool, made, [](const Complex& a, const Complex& b) -> ComplexAnswer {
                return {(a == b) == equal ? Number{1} : Number{0}, 0};
            })}};
}

Case where(Random& random) {
    const Pair made = pair(random);
    const Sizes sizes = broadcast(made.self.sizes, made.other.sizes);
    const Array condition = random.array(ScalarType::Bool, sizes);
    std::size_t place = 0;
    return {{condition, made.self, made.other},
            {ofPairs(made.type, made, [&](const Complex& a, const Complex& b) -> ComplexAnswer {
                return {condition.numbers[place++] != 0 ? a : b, 0};
            })}};
}

/// Sums or means over dimensions.
template <bool isMean>
Case total(Random& random) {
    const Sizes sizes = random.sizes();
    const Array input = numbersFor(random, random.pick(complexTypes), sizes);
    const Dims dims = someDims(random, sizes);
    const bool keeps = random.flip();
    const Groups groups = groupsOf(sizes, dims.reduced, keeps);
    Expected output{zeros(input.dtype, groups.sizes), {}};
    for (std::size_t group = 0; group < groups.members.size(); ++group) {
        Complex sum;
        Number size = 0;
        for (const std::size_t member : groups.members[group]) {
            sum += at(input, member);
            size += std::abs(at(input, member));
        }
        const auto count = static_cast<Number>(groups.members[group].size());
        const Number divisor = isMean ? count : 1;
        output.array.numbers[group] = sum.real() / divisor;
        output.array.imaginary[group] = sum.imag() / divisor;
        const Number allowed =
            roundings(complexCompute(input.dtype), stepsOf(groups.members[group].size()), size);
        output.allowed.push_back(count == 0 ? 0 : allowed / divisor);
    }
    return {{input, dims.argument, keeps, std::monostate{}}, {std::move(output)}};
}

Case productOverDimension(Random& random) {
    const Sizes sizes = random.sizes();
    const Array input = random.array(random.pick(complexTypes), sizes, Values::Unit);
    const Dims dims = oneDim(random, sizes);
    const bool keeps = random.flip();
    const Groups groups = groupsOf(sizes, dims.reduced, keeps);
    Expected output{zeros(input.dtype, groups.sizes), {}};
    for (std::size_t group = 0; group < groups.members.size(); ++group) {
        Complex all = 1;
        for (const std::size_t member : groups.members[group]) {
            all *= at(input, member);
        }
        output.array.numbers[group] = all.real();
        output.array.imaginary[group] = all.imag();
        const auto steps = static_cast<Number>(3 * groups.members[group].size());
        output.allowed.push_back(roundings(complexCompute(input.dtype), steps, std::abs(all)));
    }
    return {{input, dims.argument, keeps, std::monostate{}}, {std::move(output)}};
}

constexpr RuleTraits pointwise{.mayAlias = true};

constexpr Rule rules[] = {
    Rule{"aten::add.out", &scaledSum<1>, pointwise},
    Rule{"aten::sub.out", &scaledSum<-1>, pointwise},
    Rule{"aten::mul.out", &product, pointwise},
    Rule{"aten::div.out", &quotient, pointwise},
    Rule{"aten::eq.Tensor_out", &comparison<true>, pointwise},
    Rule{"aten::ne.Tensor_out", &comparison<false>, pointwise},
    Rule{"aten::where.self_out", &where, pointwise},
    Rule{"aten::sum.IntList_out", &total<false>},
    Rule{"aten::mean.out", &total<true>},
    Rule{"aten::prod.int_out", &productOverDimension},
};

}  // namespace complex_rules
}  // namespace

std::span<const Rule> complexRules() {
    return complex_rules::rules;
}

}  // namespace et::test::operators
