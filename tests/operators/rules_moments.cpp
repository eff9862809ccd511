#include "tests/operators/families.h"
#include "tests/operators/moments.h"
#include "tests/operators/reduction.h"

#include <algorithm>
#include <cmath>

namespace et::test::operators {
namespace {
namespace moments_rules {

using namespace reduction;

/// Returns numbers of moderate size, a few of them NaN or infinite.
Array moderate(Random& random, ScalarType dtype, const Sizes& sizes) {
    Array made = random.array(dtype, sizes, Values::Plain);
    if (made.count() > 0 && random.chance(10)) {
        made.numbers[static_cast<std::size_t>(random.below(static_cast<std::int64_t>(made.count())))] =
            random.pick<Number>({infinity, -infinity, std::nanl("")});
    }
    return made;
}

Answer varianceOf(ScalarType dtype, const std::vector<Number>& numbers, Number correction) {
    const Moments moments = momentsOf(dtype, numbers);
    const auto count = static_cast<Number>(numbers.size());
    const Number divisor = std::max<Number>(count - correction, 0);
    if (divisor == 0 && count > 1 && moments.squares <= moments.squaresAllowed) {
        return {0, unknown};  // NaN or infinite, depending on whether all are equal
    }
    return {moments.squares / divisor, moments.squaresAllowed / divisor};
}

/// PyTorch's mean of an infinity and any later element is NaN.
Answer meanOf(ScalarType dtype, const std::vector<Number>& numbers) {
    const Moments moments = momentsOf(dtype, numbers);
    return {moments.mean, std::isfinite(moments.mean) ? moments.meanAllowed
                          : std::isinf(moments.mean)  ? unknown
                                                      : 0};
}

struct Spread {
    Array input;
    Dims dims;
    bool keeps;
    Groups groups;
};
Spread spread(Random& random) {
    const Sizes sizes = sizesForThreads(random);
    Spread made{moderate(random, random.pick(floats), sizes), someDims(random, sizes), random.flip(), {}};
    made.groups = groupsOf(sizes, made.dims.reduced, made.keeps);
    return made;
}

/// A dtype narrower than the input's is not tested: PyTorch converts the input to it first.
ScalarType varianceType(Random& random, ScalarType input) {
    return random.chance(20) ? promoted(input, random.pick(floats)) : input;
}

Case variance(Random& random) {
    const Spread made = spread(random);
    const bool unbiased = random.flip();
    return {{made.input, made.dims.argument, unbiased, made.keeps},
            {ofGroups(varianceType(random, made.input.dtype), made.input, made.groups,
                      [&](const std::vector<Number>& numbers) {
                          return varianceOf(made.input.dtype, numbers, unbiased ? 1 : 0);
                      })}};
}

/// A correction of either type, or none, which means 1.
struct Correction {
    Argument argument;
    Number number = 1;
};
Correction correctionOf(Random& random) {
    switch (random.below(3)) {
        case 0:
            return {std::monostate{}, 1};
        case 1: {
            const std::int64_t number = random.between(0, 3);
            return {number, static_cast<Number>(number)};
        }
        default: {
            const double number = random.real(0, 2);
            return {number, number};
        }
    }
}

Case correctedVariance(Random& random) {
    const Spread made = spread(random);
    const Correction correction = correctionOf(random);
    return {{made.input, made.dims.argument, correction.argument, made.keeps},
            {ofGroups(varianceType(random, made.input.dtype), made.input, made.groups,
                      [&](const std::vector<Number>& numbers) {
                          return varianceOf(made.input.dtype, numbers, correction.number);
                      })}};
}

Case varianceAndMean(Random& random) {
    const Spread made = spread(random);
    const Correction correction = correctionOf(random);
    const ScalarType dtype = made.input.dtype;
    return {{made.input, made.dims.argument, correction.argument, made.keeps},
            {ofGroups(dtype, made.input, made.groups,
                      [&](const std::vector<Number>& x) { return varianceOf(dtype, x, correction.number); }),
             ofGroups(dtype, made.input, made.groups,
                      [&](const std::vector<Number>& x) { return meanOf(dtype, x); })}};
}

/// Writes the prefix sums of a line. Floats are added in double, 16-bit floats at least in float32.
void sumLine(ScalarType dtype, const Array& input, const std::vector<std::size_t>& line, Expected& output) {
    Number sum = 0;
    Number size = 0;
    Number steps = 0;
    for (const std::size_t at : line) {
        const Number number = rounded(dtype, input.numbers[at]);
        steps += 1;
        sum = core::isFloating(dtype) ? sum + number : rounded(ScalarType::Long, sum + number);
        size += std::isfinite(number) ? std::abs(number) : 0;
        output.array.numbers[at] = sum;
        const bool isExact = !core::isFloating(dtype);
        const bool overflows = size > highest(computeType(dtype));
        output.allowed[at] = isExact               ? 0
                             : overflows           ? unknown
                             : !std::isfinite(sum) ? 0
                                                   : roundings(computeType(dtype), steps, size);
    }
}

Case cumulativeSum(Random& random) {
    const Sizes sizes = sizesForThreads(random);
    const ScalarType from = random.pick(realTypes);
    const bool isGiven = random.chance(30);
    const ScalarType dtype = isGiven                  ? random.pick(numbersOf)
                             : core::isFloating(from) ? from
                                                      : ScalarType::Long;
    const bool isCut = core::isFloating(from) && !core::isFloating(dtype);
    const Array input = random.array(from, sizes,
                                     !isCut                      ? Values::Any
                                     : dtype == ScalarType::Byte ? Values::Positive
                                                                 : Values::Plain);
    const Dims dims = oneDim(random, sizes);
    Expected output{zeros(dtype, sizes), std::vector<Number>(input.count())};
    for (const auto& line : groupsOf(sizes, dims.reduced, true).members) {
        sumLine(dtype, input, line, output);
    }
    return {{input, dims.argument, isGiven ? asArgument(dtype) : Argument(std::monostate{})},
            {std::move(output)}};
}

constexpr Rule rules[] = {
    Rule{"aten::var.out", &variance},
    Rule{"aten::var.correction_out", &correctedVariance},
    Rule{"aten::var_mean.correction_out", &varianceAndMean},
    Rule{"aten::cumsum.out", &cumulativeSum},
};

}  // namespace moments_rules
}  // namespace

std::span<const Rule> momentsRules() {
    return moments_rules::rules;
}

}  // namespace et::test::operators
