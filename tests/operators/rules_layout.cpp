#include "tests/operators/families.h"
#include "tests/operators/layout.h"

#include <algorithm>
#include <array>
#include <cstdint>
#include <utility>
#include <vector>

namespace et::test::operators {
namespace {
namespace layout_rules {

using namespace layout;

Case permute(Random& random) {
    const Array input = anyArray(random);
    const auto order = random.order(input.dim());
    Sizes sizes;
    Dims given;
    for (const std::int64_t dimension : order) {
        sizes.push_back(input.sizes[static_cast<std::size_t>(dimension)]);
        given.push_back(random.either(dimension, input.dim()));
    }
    return {{input, given}, {{taken(input, sizes, [&](const Sizes& index) {
                Sizes source(index.size());
                for (std::size_t dimension = 0; dimension < index.size(); ++dimension) {
                    source[static_cast<std::size_t>(order[dimension])] = index[dimension];
                }
                return at(input, source);
            })}}};
}

Case transpose(Random& random) {
    const Array input = anyArray(random, 1);
    const Along first = alongDim(random, input.dim());
    const Along second = alongDim(random, input.dim());
    Sizes sizes = input.sizes;
    std::swap(sizes[first.place], sizes[second.place]);
    return {{input, first.given, second.given}, {{taken(input, sizes, [&](Sizes index) {
                std::swap(index[first.place], index[second.place]);
                return at(input, index);
            })}}};
}

Expected inOrder(const Array& input, const Sizes& sizes) {
    Array made = input;
    made.sizes = sizes;
    return {std::move(made)};
}

Case view(Random& random) {
    const Array input = random.array(random.pick(everyType), random.filledSizes());
    Sizes sizes;
    std::int64_t left = elementCount(input.sizes);
    for (int dimension = 0; dimension < 3; ++dimension) {
        const std::int64_t size = random.between(1, 6);
        sizes.push_back(left % size == 0 ? size : 1);
        left /= sizes.back();
    }
    sizes.push_back(left);
    Dims given = sizes;
    if (random.flip()) {
        given[static_cast<std::size_t>(random.below(4))] = -1;
    }
    return {{input, given}, {inOrder(input, sizes)}};
}

Case unsqueeze(Random& random) {
    const Array input = anyArray(random);
    const std::int64_t place = random.between(0, input.dim());
    Sizes sizes = input.sizes;
    sizes.insert(sizes.begin() + place, 1);
    return {{input, random.either(place, input.dim() + 1)}, {inOrder(input, sizes)}};
}

Case squeeze(Random& random) {
    Array input = anyArray(random, 1);
    const Along along = alongDim(random, input.dim());
    if (random.flip() && input.sizes[along.place] != 0) {
        input.sizes[along.place] = 1;
        input = random.array(input.dtype, input.sizes);
    }
    Sizes sizes = input.sizes;
    if (sizes[along.place] == 1) {
        sizes.erase(sizes.begin() + static_cast<std::ptrdiff_t>(along.place));
    }
    return {{input, along.given}, {inOrder(input, sizes)}};
}

Case expand(Random& random) {
    const Sizes sizes = random.sizes(0, 4);
    const Array input = random.array(random.pick(everyType), random.broadcastable(sizes));
    Dims given = sizes;
    const std::size_t added = sizes.size() - input.sizes.size();
    for (std::size_t dimension = added; dimension < sizes.size(); ++dimension) {
        if (input.sizes[dimension - added] == sizes[dimension] && random.chance(30)) {
            given[dimension] = -1;
        }
    }
    return {{input, given, false}, {{taken(input, sizes, [&](const Sizes& index) {
                return static_cast<std::int64_t>(broadcastOffset(input, index));
            })}}};
}

Case slice(Random& random) {
    const Array input = anyArray(random, 1);
    const Along along = alongDim(random, input.dim());
    const std::int64_t length = input.sizes[along.place];
    const std::int64_t start = random.between(-length - 3, length + 3);
    const std::int64_t end = random.between(-length - 3, length + 3);
    const std::int64_t step = random.between(1, 3);
    const bool hasStart = random.chance(80);
    const bool hasEnd = random.chance(80);
    const auto inside = [&](std::int64_t place) {
        return std::clamp<std::int64_t>(place < 0 ? place + length : place, 0, length);
    };
    const std::int64_t first = hasStart ? inside(start) : 0;
    const std::int64_t last = std::max(hasEnd ? inside(end) : length, first);
    return {{input, along.given, hasStart ? Argument(start) : Argument(std::monostate{}),
             hasEnd ? Argument(end) : Argument(std::monostate{}), step},
            {alongTaken(input, along.place, (last - first + step - 1) / step,
                        [=](std::int64_t place) { return first + place * step; })}};
}

Case select(Random& random) {
    const Array input = random.array(random.pick(everyType), random.filledSizes(1));
    const Along along = alongDim(random, input.dim());
    const std::int64_t length = input.sizes[along.place];
    const std::int64_t chosen = random.below(length);
    Expected output = alongTaken(input, along.place, 1, [=](std::int64_t) { return chosen; });
    output.array.sizes.erase(output.array.sizes.begin() + static_cast<std::ptrdiff_t>(along.place));
    return {{input, along.given, random.either(chosen, length)}, {std::move(output)}};
}

Case narrow(Random& random) {
    const Array input = anyArray(random, 1);
    const Along along = alongDim(random, input.dim());
    const std::int64_t start = random.between(0, input.sizes[along.place]);
    const std::int64_t length = random.between(0, input.sizes[along.place] - start);
    return {{input, along.given, start, length},
            {alongTaken(input, along.place, length, [=](std::int64_t place) { return start + place; })}};
}

Case flip(Random& random) {
    const Array input = anyArray(random, 1);
    Dims given;
    std::vector<bool> turned(input.sizes.size());
    for (const std::int64_t dimension : random.order(input.dim())) {
        if (random.flip()) {
            given.push_back(random.either(dimension, input.dim()));
            turned[static_cast<std::size_t>(dimension)] = true;
        }
    }
    return {{input, given}, {{taken(input, input.sizes, [&](Sizes index) {
                for (std::size_t dimension = 0; dimension < index.size(); ++dimension) {
                    index[dimension] =
                        turned[dimension] ? input.sizes[dimension] - 1 - index[dimension] : index[dimension];
                }
                return at(input, index);
            })}}};
}

Case roll(Random& random) {
    const Array input = anyArray(random, 1);
    const Along along = alongDim(random, input.dim());
    const std::int64_t shift = random.between(-12, 12);
    const std::int64_t length = input.sizes[along.place];
    return {{input, Dims{shift}, Dims{along.given}},
            {alongTaken(input, along.place, length,
                        [=](std::int64_t place) { return ((place - shift) % length + length) % length; })}};
}

Case repeat(Random& random) {
    const Array input = random.array(random.pick(everyType), random.sizes(0, 3));
    const std::int64_t added = random.between(0, 2);
    Dims repeats;
    Sizes sizes(static_cast<std::size_t>(added), 1);
    sizes.insert(sizes.end(), input.sizes.begin(), input.sizes.end());
    for (std::int64_t& size : sizes) {
        repeats.push_back(random.between(random.chance(10) ? 0 : 1, 3));
        size *= repeats.back();
    }
    return {{input, repeats}, {{taken(input, sizes, [&](const Sizes& index) {
                Sizes source(index.begin() + added, index.end());
                for (std::size_t dimension = 0; dimension < source.size(); ++dimension) {
                    source[dimension] %= input.sizes[dimension];
                }
                return at(input, source);
            })}}};
}

Case copyOf(Random& random) {
    const Array input = anyArray(random);
    return {{input}, {{input}}};
}

Case fullOf(Random& random) {
    const ScalarType dtype = random.pick(numbersOf);
    const std::int64_t value = random.between(0, 100);
    Array made = zeros(dtype, random.sizes());
    std::ranges::fill(made.numbers, static_cast<Number>(value));
    return {{Dims(made.sizes), value}, {{made}}};
}

constexpr RuleTraits pointwise{.mayAlias = true};

constexpr std::array rules{
    Rule{"aten::permute_copy.out", &permute},
    Rule{"aten::transpose_copy.int_out", &transpose},
    Rule{"aten::view_copy.out", &view},
    Rule{"aten::_unsafe_view.out", &view},
    Rule{"aten::unsqueeze_copy.out", &unsqueeze},
    Rule{"aten::squeeze_copy.dim_out", &squeeze},
    Rule{"aten::expand_copy.out", &expand},
    Rule{"aten::slice_copy.Tensor_out", &slice},
    Rule{"aten::select_copy.int_out", &select},
    Rule{"aten::narrow_copy.out", &narrow},
    Rule{"aten::flip.out", &flip},
    Rule{"aten::roll.out", &roll},
    Rule{"aten::repeat.out", &repeat},
    Rule{"aten::alias_copy.out", &copyOf, pointwise},
    Rule{"aten::detach_copy.out", &copyOf, pointwise},
    Rule{"aten::lift_fresh_copy.out", &copyOf, pointwise},
    Rule{"aten::full.out", &fullOf},
};

}  // namespace layout_rules
}  // namespace

std::span<const Rule> layoutRules() {
    return layout_rules::rules;
}

}  // namespace et::test::operators
