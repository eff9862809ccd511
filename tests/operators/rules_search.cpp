#include "tests/operators/families.h"
#include "tests/operators/reduction.h"

#include <algorithm>
#include <cmath>
#include <numeric>

namespace et::test::operators {
namespace {
namespace search_rules {

using namespace reduction;

/// Lines without equal numbers, whose order is not defined.
Array distinctLines(Random& random, ScalarType dtype, const Sizes& sizes, const Groups& lines) {
    Array made = zeros(dtype, sizes);
    for (const auto& line : lines.members) {
        const auto order = random.order(static_cast<std::int64_t>(line.size()));
        const bool hasNan = core::isFloating(dtype) && random.chance(10);
        const Number least = core::isFloating(dtype) || dtype == ScalarType::Char ? -20 : 0;
        for (std::size_t at = 0; at < line.size(); ++at) {
            made.numbers[line[at]] =
                hasNan && order[at] == 0 ? std::nanl("") : static_cast<Number>(order[at]) + least;
        }
    }
    return made;
}

/// Sorts a line; NaN is the largest.
std::vector<std::size_t> ranked(const Array& input, const std::vector<std::size_t>& line, bool largest) {
    std::vector<std::size_t> order(line.size());
    std::iota(order.begin(), order.end(), 0);
    const auto rank = [&](std::size_t at) {
        const Number number = input.numbers[line[at]];
        return std::pair(std::isnan(number), std::isnan(number) ? 0 : number);
    };
    std::ranges::stable_sort(
        order, [&](std::size_t a, std::size_t b) { return largest ? rank(a) > rank(b) : rank(a) < rank(b); });
    return order;
}

struct Best {
    Expected values;
    Expected indices;
};
Best bestOf(const Array& input, const Dims& dims, std::int64_t k, bool largest) {
    Sizes sizes = input.sizes;
    for (std::size_t dim = 0; dim < sizes.size(); ++dim) {
        sizes[dim] = dims.reduced[dim] ? k : sizes[dim];
    }
    Best made{{zeros(input.dtype, sizes), {}}, {zeros(ScalarType::Long, sizes), {}}};
    const Groups lines = groupsOf(input.sizes, dims.reduced, true);
    const Groups results = groupsOf(sizes, dims.reduced, true);
    for (std::size_t at = 0; k > 0 && at < lines.members.size(); ++at) {
        const auto order = ranked(input, lines.members[at], largest);
        for (std::size_t place = 0; place < results.members[at].size(); ++place) {
            const std::size_t to = results.members[at][place];
            made.values.array.numbers[to] = input.numbers[lines.members[at][order[place]]];
            made.indices.array.numbers[to] = static_cast<Number>(order[place]);
        }
    }
    return made;
}

Case topK(Random& random) {
    Sizes sizes = random.sizes();
    const Dims dims = oneDim(random, sizes);
    std::int64_t length = 1;
    for (std::size_t dim = 0; dim < sizes.size(); ++dim) {
        length = dims.reduced[dim] ? sizes[dim] : length;
    }
    const bool isDistinct = length <= 100 && random.chance(60);
    const ScalarType dtype = random.pick(numbersOf);
    const Array input = isDistinct ? distinctLines(random, dtype, sizes, groupsOf(sizes, dims.reduced, true))
                                   : random.array(dtype, sizes);
    const bool isLong = length > 100 && random.flip();
    const std::int64_t k =
        random.between(sizes.empty() ? 1 : 0, isLong ? std::max<std::int64_t>(length / 64, 1) : length);
    const bool largest = random.flip();
    const bool sorted = k <= 1 || random.chance(80);
    Best best = bestOf(input, dims, k, largest);
    best.values.hasNumbers = sorted;
    best.indices.hasNumbers = sorted && isDistinct;
    return {{input, k, dims.argument, largest, sorted}, {std::move(best.values), std::move(best.indices)}};
}

Answer medianAnswer(std::vector<Number> numbers) {
    if (numbers.empty() || std::ranges::any_of(numbers, [](Number number) { return std::isnan(number); })) {
        return {std::nanl(""), 0};
    }
    std::ranges::sort(numbers);
    return {numbers[(numbers.size() - 1) / 2], 0};
}

/// The index is not defined among equal numbers.
Case medianOfLines(Random& random) {
    Sizes sizes = random.sizes();
    for (std::int64_t& size : sizes) {
        size = std::max<std::int64_t>(size, 1);
    }
    const Dims dims = oneDim(random, sizes);
    const Groups lines = groupsOf(sizes, dims.reduced, true);
    const bool isDistinct = random.chance(60) && std::ranges::all_of(lines.members, [](const auto& line) {
                                return line.size() <= 100;
                            });
    const ScalarType dtype = random.pick(numbersOf);
    const Array input = isDistinct ? distinctLines(random, dtype, sizes, lines) : random.array(dtype, sizes);
    const bool keeps = random.flip();
    const Groups groups = groupsOf(sizes, dims.reduced, keeps);
    Expected indices = ofGroups(ScalarType::Long, input, groups, [](const std::vector<Number>& numbers) {
        const Number median = medianAnswer(numbers).number;
        const auto found = std::ranges::find_if(numbers, [&](Number number) {
            return number == median || (std::isnan(number) && std::isnan(median));
        });
        return Answer{static_cast<Number>(found - numbers.begin()), 0};
    });
    indices.hasNumbers = isDistinct;
    return {{input, dims.argument, keeps},
            {ofGroups(dtype, input, groups, medianAnswer), std::move(indices)}};
}

Case medianOfAll(Random& random) {
    Sizes sizes = random.sizes();
    const ScalarType dtype = random.pick(numbersOf);
    for (std::int64_t& size : sizes) {
        size = std::max<std::int64_t>(size, core::isFloating(dtype) ? 0 : 1);
    }
    const Array input = random.array(dtype, sizes);
    const Dims all = allDims(sizes);
    Groups groups = groupsOf(sizes, all.reduced, false);
    groups.members.resize(1);
    return {{input}, {ofGroups(dtype, input, groups, medianAnswer)}};
}

Case closeness(Random& random) {
    const Sizes sizes = random.sizes();
    const ScalarType dtype = random.pick(numbersOf);
    const Array input = random.array(dtype, sizes);
    Array other = input;
    const double rtol = random.pick<double>({0, 1e-5, 0.5});
    const double atol = random.pick<double>({0, 1e-8, 2});
    const bool equalNan = random.flip();
    if (!other.numbers.empty() && random.flip()) {
        other.numbers.front() = input.numbers.back();
    }
    bool areClose = true;
    for (std::size_t at = 0; at < input.numbers.size(); ++at) {
        const Number a = input.numbers[at];
        const Number b = other.numbers[at];
        const Number apart = std::abs(a - b);
        areClose = areClose && (a == b || (equalNan && std::isnan(a) && std::isnan(b)) ||
                                (std::isfinite(apart) && apart <= atol + std::abs(rtol * b)));
    }
    Array answer = zeros(ScalarType::Bool, {1});
    answer.numbers[0] = areClose ? 1 : 0;
    return {{input, other, rtol, atol, equalNan, false}, {{std::move(answer), {}}}};
}

Case nonzero(Random& random) {
    Array input = random.array(random.pick(realTypes), random.sizes());
    for (Number& number : input.numbers) {
        number = random.chance(40) ? 0 : number;
    }
    std::vector<Number> found;
    std::size_t at = 0;
    forEachIndex(input.sizes, [&](const Sizes& index) {
        if (input.numbers[at++] != 0) {
            found.insert(found.end(), index.begin(), index.end());
        }
    });
    const auto count = static_cast<std::int64_t>(
        std::ranges::count_if(input.numbers, [](Number number) { return number != 0; }));
    return {{input}, {{{ScalarType::Long, {count, input.dim()}, std::move(found), {}}, {}}}};
}

/// The p-norm of the difference of two rows; p = 0 counts differing elements.
Answer distance(ScalarType dtype, const Number* a, const Number* b, std::int64_t width, double p) {
    Number sum = 0;
    Number largest = 0;
    for (std::int64_t at = 0; at < width; ++at) {
        const Number apart = std::abs(a[at] - b[at]);
        largest = std::max(largest, apart);
        sum += apart == 0 ? 0 : p == 0 ? 1 : std::pow(apart, static_cast<Number>(p));
    }
    const Number answer = std::isinf(p) ? largest : p == 0 ? sum : std::pow(sum, 1 / static_cast<Number>(p));
    if (p == 0 || answer == 0) {
        return {answer, 0};
    }
    // The root of a sum multiplies the sum's error by 1 / p, which is rounded, too.
    const Number inner =
        (3 + static_cast<Number>(width) / 4) * std::max<Number>(1, 1 / static_cast<Number>(p));
    return {answer, roundings(computeType(dtype), inner + std::abs(std::log(answer)), answer)};
}

double normOf(Random& random) {
    return random.pick({0.0, 1.0, 2.0, HUGE_VAL, random.real(0.5, 4)});
}

Case distancesBetween(Random& random) {
    const Sizes batch = random.chance(50) ? Sizes{} : random.sizes(0, 2);
    const std::int64_t width = random.chance(7) ? 0 : random.between(1, 9);
    const auto rows = [&](const Sizes& outer) {
        Sizes sizes = random.broadcastable(outer);
        sizes.push_back(random.chance(7) ? 0 : random.between(1, 5));
        sizes.push_back(width);
        return sizes;
    };
    const ScalarType dtype = random.pick(floats);
    const Array left = random.array(dtype, rows(batch), Values::Plain);
    const Array right = random.array(dtype, rows(batch), Values::Plain);
    const double p = normOf(random);
    const auto outer = [](const Array& array) { return Sizes(array.sizes.begin(), array.sizes.end() - 2); };
    Sizes sizes = broadcast(outer(left), outer(right));
    const std::size_t rank = sizes.size();
    sizes.push_back(left.sizes[left.sizes.size() - 2]);
    sizes.push_back(right.sizes[right.sizes.size() - 2]);
    Expected output{zeros(dtype, sizes), {}};
    std::size_t at = 0;
    const auto rowOf = [&](const Array& array, Sizes index, std::int64_t row) {
        index.resize(rank);
        index.push_back(row);
        const Array layout{dtype, Sizes(array.sizes.begin(), array.sizes.end() - 1), {}, {}};
        return array.numbers.data() + broadcastOffset(layout, index) * static_cast<std::size_t>(width);
    };
    forEachIndex(sizes, [&](const Sizes& index) {
        const Answer answer =
            distance(dtype, rowOf(left, index, index[rank]), rowOf(right, index, index[rank + 1]), width, p);
        output.array.numbers[at++] = answer.number;
        output.allowed.push_back(answer.allowed);
    });
    const Argument mode = random.flip() ? Argument(random.between(0, 2)) : Argument(std::monostate{});
    return {{left, right, p, mode}, {std::move(output)}};
}

Case distancesWithin(Random& random) {
    const Array input = random.array(random.pick(floats), random.sizes(2, 2), Values::Plain);
    const double p = normOf(random);
    Expected output{zeros(input.dtype, {}), {}};
    output.array.numbers.clear();
    const std::int64_t width = input.sizes[1];
    for (std::int64_t i = 0; i < input.sizes[0]; ++i) {
        for (std::int64_t j = i + 1; j < input.sizes[0]; ++j) {
            const Answer answer = distance(input.dtype, input.numbers.data() + i * width,
                                           input.numbers.data() + j * width, width, p);
            output.array.numbers.push_back(answer.number);
            output.allowed.push_back(answer.allowed);
        }
    }
    output.array.sizes = {static_cast<std::int64_t>(output.array.count())};
    return {{input, p}, {std::move(output)}};
}

constexpr Rule rules[] = {
    Rule{"aten::topk.values", &topK},
    Rule{"aten::median.dim_values", &medianOfLines},
    Rule{"aten::median.out", &medianOfAll},
    Rule{"aten::allclose.out", &closeness},
    Rule{"aten::nonzero.out", &nonzero},
    Rule{"aten::_cdist_forward.out", &distancesBetween},
    Rule{"aten::_pdist_forward.out", &distancesWithin},
};

}  // namespace search_rules
}  // namespace

std::span<const Rule> searchRules() {
    return search_rules::rules;
}

}  // namespace et::test::operators
