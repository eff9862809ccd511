#include "tests/operators/families.h"
#include "tests/operators/reduction.h"

#include <cmath>
#include <optional>

namespace et::test::operators {
namespace {
namespace reduction_rules {

using namespace reduction;

/// The dtype argument of sums and products, and the result dtype.
struct Wanted {
    Argument argument;
    ScalarType dtype;
};

Wanted wantedOf(Random& random, ScalarType from, bool mayBeBool) {
    if (random.chance(60)) {
        return {std::monostate{}, core::isFloating(from) ? from : ScalarType::Long};
    }
    const ScalarType dtype = mayBeBool ? random.pick(realTypes) : random.pick(numbersOf);
    return {asArgument(dtype), dtype};
}

/// Returns numbers that can be converted to `dtype`: no infinities for integers, no negative numbers for
/// uint8.
Array arrayFor(Random& random, ScalarType from, ScalarType to, const Sizes& sizes) {
    if (!core::isFloating(from) || core::isFloating(to) || to == ScalarType::Bool) {
        return random.array(from, sizes);
    }
    return random.array(from, sizes, to == ScalarType::Byte ? Values::Positive : Values::Plain);
}

std::vector<Number> converted(ScalarType dtype, std::vector<Number> numbers) {
    for (Number& number : numbers) {
        number = rounded(dtype, number);
    }
    return numbers;
}

Answer sumIn(ScalarType dtype, const std::vector<Number>& given) {
    const std::vector<Number> numbers = converted(dtype, given);
    if (core::isFloating(dtype)) {
        return sumOf(dtype, numbers);
    }
    Number sum = 0;
    for (const Number number : numbers) {
        sum = rounded(ScalarType::Long, sum + number);
    }
    return {sum, 0};
}

Case sum(Random& random) {
    const Sizes sizes = sizesForThreads(random);
    const ScalarType from = random.pick(realTypes);
    const Wanted wanted = wantedOf(random, from, true);
    const Array input = arrayFor(random, from, wanted.dtype, sizes);
    const Dims dims = someDims(random, sizes);
    const bool keeps = random.flip();
    return {{input, dims.argument, keeps, wanted.argument},
            {ofGroups(wanted.dtype, input, groupsOf(sizes, dims.reduced, keeps),
                      [&](const std::vector<Number>& numbers) { return sumIn(wanted.dtype, numbers); })}};
}

/// Computed in the compute type of the floating result dtype.
template <bool all>
Case mean(Random& random) {
    const Sizes sizes = sizesForThreads(random);
    const Array input = random.array(random.pick(realTypes), sizes);
    const bool isGiven = !core::isFloating(input.dtype) || random.chance(30);
    const ScalarType dtype = isGiven ? random.pick(floats) : input.dtype;
    const Dims dims = all ? allDims(sizes) : someDims(random, sizes);
    const bool keeps = !all && random.flip();
    Expected output =
        ofGroups(dtype, input, groupsOf(sizes, dims.reduced, keeps), [&](const std::vector<Number>& numbers) {
            const ScalarType compute = computeType(dtype);
            const auto count = static_cast<Number>(numbers.size());
            const Answer total = sumOf(compute, converted(compute, numbers));
            return Answer{total.number / count,
                          (total.allowed + roundings(compute, 2, total.number)) / count};
        });
    const Argument wanted = isGiven ? asArgument(dtype) : Argument(std::monostate{});
    if (all) {
        return {{input, wanted}, {std::move(output)}};
    }
    return {{input, dims.argument, keeps, wanted}, {std::move(output)}};
}

/// The product of floats. It depends on the order if partial products leave the range of the dtype and
/// return.
Answer floatProduct(ScalarType dtype, const std::vector<Number>& numbers) {
    Number product = 1;
    Number up = 0;
    Number down = 0;
    bool hasZero = false;
    bool hasInfinity = false;
    for (const Number number : numbers) {
        product *= number;
        hasZero = hasZero || number == 0;
        hasInfinity = hasInfinity || std::isinf(number);
        const Number exponent = std::isfinite(number) && number != 0 ? std::log2(std::abs(number)) : 0;
        up += std::max<Number>(exponent, 0);
        down -= std::min<Number>(exponent, 0);
    }
    const Number limit = dtype == ScalarType::Double ? 1020 : 124;
    if ((up > limit && (hasZero || (down > 0 && up - down < limit + 8))) ||
        (down > limit && (hasInfinity || up > 0))) {
        return {0, unknown};
    }
    return {product, roundings(computeType(dtype), static_cast<Number>(numbers.size()) + 1, product)};
}

Answer productIn(ScalarType dtype, const std::vector<Number>& given) {
    const std::vector<Number> numbers = converted(dtype, given);
    if (core::isFloating(dtype)) {
        return floatProduct(dtype, numbers);
    }
    std::uint64_t product = 1;
    for (const Number number : numbers) {
        product *= static_cast<std::uint64_t>(static_cast<std::int64_t>(number));
    }
    return {static_cast<Number>(static_cast<std::int64_t>(product)), 0};
}

template <bool all>
Case product(Random& random) {
    const Sizes sizes = sizesForThreads(random);
    const ScalarType from = random.pick(realTypes);
    const Wanted wanted = wantedOf(random, from, true);
    const Array input = arrayFor(random, from, wanted.dtype, sizes);
    const Dims dims = all ? allDims(sizes) : oneDim(random, sizes);
    const bool keeps = !all && random.flip();
    Expected output =
        ofGroups(wanted.dtype, input, groupsOf(sizes, dims.reduced, keeps),
                 [&](const std::vector<Number>& numbers) { return productIn(wanted.dtype, numbers); });
    if (all) {
        return {{input, wanted.argument}, {std::move(output)}};
    }
    return {{input, dims.argument, keeps, wanted.argument}, {std::move(output)}};
}

/// Index of the extreme: the first NaN, otherwise the first of equal elements.
template <bool largest>
std::size_t placeOf(const std::vector<Number>& numbers) {
    std::size_t best = 0;
    for (std::size_t at = 1; at < numbers.size(); ++at) {
        const Number one = numbers[best];
        const Number other = numbers[at];
        if (!std::isnan(one) && (std::isnan(other) || (largest ? other > one : other < one))) {
            best = at;
        }
    }
    return best;
}
template <bool largest>
Answer extremeOf(const std::vector<Number>& numbers) {
    return {numbers[placeOf<largest>(numbers)], 0};
}
template <bool largest>
Answer placeAnswer(const std::vector<Number>& numbers) {
    return {static_cast<Number>(placeOf<largest>(numbers)), 0};
}

/// Sizes in which no reduced dimension is empty: an empty set has no extreme.
struct Space {
    Sizes sizes;
    Dims dims;
};
template <class Choose>
Space withElements(Random& random, const Choose& choose) {
    for (;;) {
        Space made{sizesForThreads(random), {}};
        made.dims = choose(made.sizes);
        bool isEmpty = false;
        for (std::size_t dim = 0; dim < made.sizes.size(); ++dim) {
            isEmpty = isEmpty || (made.dims.reduced[dim] && made.sizes[dim] == 0);
        }
        if (!isEmpty) {
            return made;
        }
    }
}

template <bool largest>
Case extremes(Random& random) {
    const Space space =
        withElements(random, [&](const Sizes& sizes) { return someDims(random, sizes, false); });
    const Array input = random.array(random.pick(realTypes), space.sizes);
    const bool keeps = random.flip();
    return {
        {input, space.dims.argument, keeps},
        {ofGroups(input.dtype, input, groupsOf(space.sizes, space.dims.reduced, keeps), extremeOf<largest>)}};
}

/// Extreme of all elements; the result may have a wider dtype.
template <bool largest>
Case extremeOfAll(Random& random) {
    const Array input = random.array(random.pick(realTypes), random.filledSizes());
    ScalarType dtype = random.chance(80) ? input.dtype : random.pick(realTypes);
    dtype = categoryOf(dtype) < categoryOf(input.dtype) ? input.dtype : dtype;
    return {{input},
            {ofGroups(dtype, input, groupsOf(input.sizes, allDims(input.sizes).reduced, false),
                      extremeOf<largest>)}};
}

template <bool largest>
Case extremesAndPlaces(Random& random) {
    const Space space = withElements(random, [&](const Sizes& sizes) { return oneDim(random, sizes); });
    const Array input = random.array(random.pick(realTypes), space.sizes);
    const bool keeps = random.flip();
    const Groups groups = groupsOf(space.sizes, space.dims.reduced, keeps);
    return {{input, space.dims.argument, keeps},
            {ofGroups(input.dtype, input, groups, extremeOf<largest>),
             ofGroups(ScalarType::Long, input, groups, placeAnswer<largest>)}};
}

template <bool largest>
Case places(Random& random) {
    const bool all = random.chance(30);
    const Space space = withElements(
        random, [&](const Sizes& sizes) { return all ? allDims(sizes) : oneDim(random, sizes); });
    const Array input = random.array(random.pick(numbersOf), space.sizes);
    const bool keeps = random.flip();
    return {{input, space.dims.argument, keeps},
            {ofGroups(ScalarType::Long, input, groupsOf(space.sizes, space.dims.reduced, keeps),
                      placeAnswer<largest>)}};
}

enum class Over : std::uint8_t { All, One, Some };

/// Whether any or all elements differ from 0; NaN does.
template <bool any, Over over>
Case truth(Random& random) {
    const Sizes sizes = sizesForThreads(random);
    const Array input = random.array(random.pick(realTypes), sizes);
    const Dims dims = over == Over::All   ? allDims(sizes)
                      : over == Over::One ? oneDim(random, sizes)
                                          : someDims(random, sizes, true, false);
    const bool keeps = over != Over::All && random.flip();
    const ScalarType dtype = random.chance(25) ? ScalarType::Byte : ScalarType::Bool;
    Expected output = ofGroups(
        dtype, input, groupsOf(sizes, dims.reduced, keeps), [](const std::vector<Number>& numbers) -> Answer {
            const auto isTrue = [](Number number) { return number != 0; };
            const bool found =
                any ? std::ranges::any_of(numbers, isTrue) : std::ranges::all_of(numbers, isTrue);
            return {found ? Number{1} : 0, 0};
        });
    if (over == Over::All) {
        return {{input}, {std::move(output)}};
    }
    return {{input, dims.argument, keeps}, {std::move(output)}};
}

constexpr Rule rules[] = {
    Rule{"aten::sum.IntList_out", &sum},
    Rule{"aten::mean.out", &mean<false>},
    Rule{"aten::mean.dtype_out", &mean<true>},
    Rule{"aten::prod.int_out", &product<false>},
    Rule{"aten::prod.out", &product<true>},
    Rule{"aten::amax.out", &extremes<true>},
    Rule{"aten::amin.out", &extremes<false>},
    Rule{"aten::max.unary_out", &extremeOfAll<true>},
    Rule{"aten::min.unary_out", &extremeOfAll<false>},
    Rule{"aten::max.dim_max", &extremesAndPlaces<true>},
    Rule{"aten::min.dim_min", &extremesAndPlaces<false>},
    Rule{"aten::argmax.out", &places<true>},
    Rule{"aten::argmin.out", &places<false>},
    Rule{"aten::any.all_out", &truth<true, Over::All>},
    Rule{"aten::any.out", &truth<true, Over::One>},
    Rule{"aten::any.dims_out", &truth<true, Over::Some>},
    Rule{"aten::all.all_out", &truth<false, Over::All>},
    Rule{"aten::all.out", &truth<false, Over::One>},
    Rule{"aten::all.dims_out", &truth<false, Over::Some>},
};

}  // namespace reduction_rules
}  // namespace

std::span<const Rule> reductionRules() {
    return reduction_rules::rules;
}

}  // namespace et::test::operators
