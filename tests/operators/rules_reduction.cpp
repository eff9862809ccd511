#include "tests/operators/rules.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdint>
#include <limits>
#include <optional>

namespace et::test::operators {
namespace {
namespace reduction {

using Dims = std::vector<std::int64_t>;

/// Which dimensions a call reduces, and how it says so.
struct Reduced {
    std::vector<bool> isReduced;
    Argument dims;  ///< None for all of them, or a list, some counted from the end
    bool keeps = false;

    /// The sizes of the result.
    [[nodiscard]] Sizes of(const Sizes& sizes) const {
        Sizes made;
        for (std::size_t at = 0; at < sizes.size(); ++at) {
            if (!isReduced[at]) {
                made.push_back(sizes[at]);
            } else if (keeps) {
                made.push_back(1);
            }
        }
        return made;
    }
};

Reduced someDims(Random& random, const Sizes& sizes) {
    Reduced made{std::vector<bool>(sizes.size()), Argument(Dims{}), random.flip()};
    Dims dims;
    const auto count = static_cast<std::int64_t>(sizes.size());
    for (const std::int64_t dimension : random.order(count)) {
        if (random.flip()) {
            dims.push_back(random.either(dimension, count));
            made.isReduced[static_cast<std::size_t>(dimension)] = true;
        }
    }
    if (dims.empty()) {
        made.isReduced.assign(sizes.size(), true);
        made.dims = random.flip() ? Argument(std::monostate{}) : Argument(Dims{});
    } else {
        made.dims = dims;
    }
    return made;
}

Reduced oneDim(Random& random, const Sizes& sizes) {
    Reduced made{std::vector<bool>(sizes.size()), Argument(std::int64_t{0}), random.flip()};
    const auto count = static_cast<std::int64_t>(sizes.size());
    const std::int64_t dimension = sizes.empty() ? 0 : random.below(count);
    made.dims = random.either(dimension, count);
    if (!sizes.empty()) {
        made.isReduced[static_cast<std::size_t>(dimension)] = true;
    }
    return made;
}

/// What `function` makes of the elements that fall together, which come in row-major order.
template <class Function>
Expected folded(const Array& input, ScalarType dtype, const Reduced& reduced, Function&& function) {
    const Sizes sizes = reduced.of(input.sizes);
    std::vector<std::vector<Number>> items(static_cast<std::size_t>(elementCount(sizes)));
    forEachIndex(input.sizes, [&](const Sizes& index) {
        Sizes place;
        for (std::size_t at = 0; at < index.size(); ++at) {
            if (!reduced.isReduced[at]) {
                place.push_back(index[at]);
            } else if (reduced.keeps) {
                place.push_back(0);
            }
        }
        items[offsetOf(sizes, place)].push_back(input.numbers[offsetOf(input.sizes, index)]);
    });
    Expected made{zeros(dtype, sizes), std::vector<Number>(items.size())};
    for (std::size_t at = 0; at < items.size(); ++at) {
        const Answer answer = function(items[at]);
        made.array.numbers[at] = answer.number;
        made.allowed[at] = answer.allowed;
    }
    return made;
}

using Items = std::vector<Number>;

Number total(const Items& items) {
    Number sum = 0;
    for (const Number item : items) {
        sum += item;
    }
    return sum;
}
Number totalSize(const Items& items) {
    Number sum = 0;
    for (const Number item : items) {
        sum += std::abs(item);
    }
    return sum;
}

/// Sums are of plain numbers: whether a sum of huge ones overflows depends on its order.
Case sum(Random& random) {
    const Array input = random.array(random.pick(realTypes), random.sizes(), Values::Plain);
    const ScalarType dtype = core::isFloating(input.dtype) ? input.dtype : ScalarType::Long;
    const Reduced reduced = someDims(random, input.sizes);
    return {{input, reduced.dims, reduced.keeps, std::monostate{}},
            {folded(input, dtype, reduced, [&](const Items& items) {
                return Answer{
                    total(items),
                    roundings(computeType(dtype), static_cast<Number>(items.size()) + 1, totalSize(items))};
            })}};
}

Answer meanOf(const Items& items, ScalarType dtype) {
    const auto count = static_cast<Number>(items.size());
    return {total(items) / count,
            roundings(computeType(dtype), count + 3, totalSize(items) / std::max<Number>(count, 1))};
}

Case mean(Random& random) {
    const Array input = random.array(random.pick(floats), random.sizes(), Values::Plain);
    const Reduced reduced = someDims(random, input.sizes);
    return {{input, reduced.dims, reduced.keeps, std::monostate{}},
            {folded(input, input.dtype, reduced,
                    [&](const Items& items) { return meanOf(items, input.dtype); })}};
}

Case var(Random& random) {
    const Array input = random.array(random.pick({ScalarType::Float, ScalarType::Double}),
                                     random.filledSizes(1), Values::Plain);
    const Reduced reduced = someDims(random, input.sizes);
    const bool unbiased = random.flip();
    return {{input, reduced.dims, unbiased, reduced.keeps},
            {folded(input, input.dtype, reduced, [&](const Items& items) {
                const auto count = static_cast<Number>(items.size());
                const Number mean = total(items) / count;
                Number squares = 0;
                Number sizes = 0;
                for (const Number item : items) {
                    squares += (item - mean) * (item - mean);
                    sizes += item * item + mean * mean;
                }
                const Number divisor = count - (unbiased ? 1 : 0);
                return Answer{squares / divisor,
                              divisor > 0 ? roundings(input.dtype, count + 6, sizes / divisor) : 0};
            })}};
}

bool isBetter(Number one, Number other, bool greatest) {
    if (std::isnan(one) || std::isnan(other)) {
        return std::isnan(one) && !std::isnan(other);
    }
    return greatest ? one > other : one < other;
}

/// The first of the greatest or least; NaN is both.
std::size_t placeOf(const Items& items, bool greatest) {
    std::size_t place = 0;
    for (std::size_t at = 1; at < items.size(); ++at) {
        place = isBetter(items[at], items[place], greatest) ? at : place;
    }
    return place;
}

template <bool greatest>
Case extreme(Random& random) {
    const Array input = random.array(random.pick(realTypes), random.filledSizes());
    Reduced reduced = someDims(random, input.sizes);
    if (std::holds_alternative<std::monostate>(reduced.dims)) {
        reduced.dims = Dims{};
    }
    return {{input, reduced.dims, reduced.keeps},
            {folded(input, input.dtype, reduced,
                    [](const Items& items) { return Answer{items[placeOf(items, greatest)]}; })}};
}

template <bool greatest>
Case extremeOfAll(Random& random) {
    const Array input = random.array(random.pick(realTypes), random.filledSizes());
    const Reduced all{std::vector<bool>(input.sizes.size(), true), {}, false};
    return {{input}, {folded(input, input.dtype, all, [](const Items& items) {
                return Answer{items[placeOf(items, greatest)]};
            })}};
}

Expected placesOf(const Array& input, const Reduced& reduced, bool greatest) {
    return folded(input, ScalarType::Long, reduced, [greatest](const Items& items) {
        return Answer{static_cast<Number>(placeOf(items, greatest))};
    });
}

template <bool greatest>
Case extremePlace(Random& random) {
    const Array input = random.array(random.pick(numbersOf), random.filledSizes());
    Reduced reduced = oneDim(random, input.sizes);
    if (random.chance(30)) {
        reduced.isReduced.assign(input.sizes.size(), true);
        reduced.dims = std::monostate{};
        reduced.keeps = false;
    }
    return {{input, reduced.dims, reduced.keeps}, {placesOf(input, reduced, greatest)}};
}

template <bool greatest>
Case extremeWithPlace(Random& random) {
    const Array input = random.array(random.pick(realTypes), random.filledSizes());
    const Reduced reduced = oneDim(random, input.sizes);
    Expected values = folded(input, input.dtype, reduced,
                             [](const Items& items) { return Answer{items[placeOf(items, greatest)]}; });
    return {{input, reduced.dims, reduced.keeps}, {std::move(values), placesOf(input, reduced, greatest)}};
}

/// any() and all(): uint8 gives uint8, as PyTorch has it.
template <bool all>
Expected truthOf(const Array& input, const Reduced& reduced) {
    const ScalarType dtype = input.dtype == ScalarType::Byte ? ScalarType::Byte : ScalarType::Bool;
    return folded(input, dtype, reduced, [](const Items& items) {
        const auto isTrue = [](Number item) { return item != 0; };
        return Answer{Number(all ? std::ranges::all_of(items, isTrue) : std::ranges::any_of(items, isTrue))};
    });
}
template <bool all>
Case truthOfAll(Random& random) {
    const Array input = random.array(random.pick(realTypes), random.sizes());
    const Reduced whole{std::vector<bool>(input.sizes.size(), true), {}, false};
    return {{input}, {truthOf<all>(input, whole)}};
}
template <bool all>
Case truthOfDim(Random& random) {
    const Array input = random.array(random.pick(realTypes), random.sizes());
    const Reduced reduced = oneDim(random, input.sizes);
    return {{input, reduced.dims, reduced.keeps}, {truthOf<all>(input, reduced)}};
}

/// A function of each row along one dimension.
template <class Function>
Expected alongRows(const Array& input, std::size_t dimension, ScalarType dtype, Function&& function) {
    Expected made{zeros(dtype, input.sizes), std::vector<Number>(input.count())};
    const auto at = [&](Sizes index, std::int64_t step) {
        if (!index.empty()) {
            index[dimension] = step;
        }
        return offsetOf(input.sizes, index);
    };
    const std::int64_t length = input.sizes.empty() ? 1 : input.sizes[dimension];
    forEachIndex(input.sizes, [&](const Sizes& index) {
        if (!index.empty() && index[dimension] != 0) {
            return;
        }
        Items row;
        for (std::int64_t step = 0; step < length; ++step) {
            row.push_back(input.numbers[at(index, step)]);
        }
        const std::vector<Answer> answers = function(row);
        for (std::int64_t step = 0; step < length; ++step) {
            made.array.numbers[at(index, step)] = answers[static_cast<std::size_t>(step)].number;
            made.allowed[at(index, step)] = answers[static_cast<std::size_t>(step)].allowed;
        }
    });
    return made;
}

struct Along {
    std::size_t dimension = 0;
    std::int64_t given = 0;
};
Along alongDim(Random& random, const Sizes& sizes) {
    const auto count = static_cast<std::int64_t>(sizes.size());
    const std::int64_t dimension = sizes.empty() ? 0 : random.below(count);
    return {static_cast<std::size_t>(dimension), random.either(dimension, count)};
}

Case cumulativeSum(Random& random) {
    const Array input = random.array(random.pick(realTypes), random.sizes(), Values::Plain);
    const ScalarType dtype = core::isFloating(input.dtype) ? input.dtype : ScalarType::Long;
    const Along along = alongDim(random, input.sizes);
    return {{input, along.given, std::monostate{}},
            {alongRows(input, along.dimension, dtype, [&](const Items& row) {
                std::vector<Answer> answers;
                Number sum = 0;
                Number size = 0;
                for (const Number item : row) {
                    sum += item;
                    size += std::abs(item);
                    answers.push_back(
                        {sum, roundings(computeType(dtype), static_cast<Number>(answers.size()) + 1, size)});
                }
                return answers;
            })}};
}

template <bool logarithm>
Case softmax(Random& random) {
    const Array input = random.array(random.pick(floats), random.sizes(), Values::Plain);
    const Along along = alongDim(random, input.sizes);
    return {
        {input, along.given, false}, {alongRows(input, along.dimension, input.dtype, [&](const Items& row) {
            const Number greatest = *std::ranges::max_element(row);
            Number sum = 0;
            for (const Number item : row) {
                sum += std::exp(item - greatest);
            }
            const Number steps = 12 + static_cast<Number>(row.size());
            // Along the last dimension of half and bfloat16, PyTorch rounds sums and their logarithms.
            const bool keepsHalves =
                logarithm && core::isReducedFloat(input.dtype) && along.dimension + 1 >= input.sizes.size();
            const Number ofSum = keepsHalves ? roundoff(input.dtype) * (1.5L + std::log(sum)) : 0;
            std::vector<Answer> answers;
            for (const Number item : row) {
                const Number answer =
                    logarithm ? item - greatest - std::log(sum) : std::exp(item - greatest) / sum;
                const Number scale = logarithm ? 1 + std::abs(item) + std::abs(greatest) + std::log(sum)
                                               : answer * (1 + std::abs(item - greatest));
                answers.push_back({answer, roundings(computeType(input.dtype), steps, scale) + ofSum});
            }
            return answers;
        })}};
}

constexpr std::array rules{
    Rule{"aten::sum.IntList_out", &sum},
    Rule{"aten::mean.out", &mean},
    Rule{"aten::var.out", &var},
    Rule{"aten::amax.out", &extreme<true>},
    Rule{"aten::amin.out", &extreme<false>},
    Rule{"aten::max.unary_out", &extremeOfAll<true>},
    Rule{"aten::min.unary_out", &extremeOfAll<false>},
    Rule{"aten::argmax.out", &extremePlace<true>},
    Rule{"aten::argmin.out", &extremePlace<false>},
    Rule{"aten::max.dim_max", &extremeWithPlace<true>},
    Rule{"aten::min.dim_min", &extremeWithPlace<false>},
    Rule{"aten::all.all_out", &truthOfAll<true>},
    Rule{"aten::any.all_out", &truthOfAll<false>},
    Rule{"aten::all.out", &truthOfDim<true>},
    Rule{"aten::any.out", &truthOfDim<false>},
    Rule{"aten::cumsum.out", &cumulativeSum},
    Rule{"aten::_softmax.out", &softmax<false>},
    Rule{"aten::_log_softmax.out", &softmax<true>},
};

}  // namespace reduction
}  // namespace

std::span<const Rule> reductionRules() {
    return reduction::rules;
}

}  // namespace et::test::operators
