#include "tests/operators/families.h"
#include "tests/operators/layout.h"

#include <algorithm>
#include <array>
#include <cstdint>
#include <utility>
#include <vector>

namespace et::test::operators {
namespace {
namespace indexing {

using namespace layout;

/// Concatenates arrays along one dimension; arrays of another dtype are converted.
Case cat(Random& random) {
    const Sizes sizes = random.filledSizes(1);
    const Along along = alongDim(random, static_cast<std::int64_t>(sizes.size()));
    Arrays parts;
    ScalarType dtype = random.pick(realTypes);
    const bool mixed = random.chance(25);
    Sizes all = sizes;
    all[along.place] = 0;
    std::vector<std::pair<std::size_t, std::int64_t>> steps;  // for each step of the result: array and its
                                                              // step
    for (std::int64_t count = random.between(1, 4); count > 0; --count) {
        Sizes own = sizes;
        own[along.place] = random.between(random.chance(20) ? 0 : 1, 5);
        parts.push_back(random.array(mixed ? random.pick(realTypes) : dtype, own,
                                     mixed ? Values::Positive : Values::Any));
        for (std::int64_t step = 0; step < own[along.place]; ++step) {
            steps.emplace_back(parts.size() - 1, step);
        }
        all[along.place] += own[along.place];
        dtype = parts.size() == 1 ? parts[0].dtype : promoted(dtype, parts.back().dtype);
    }
    Expected output{zeros(dtype, all)};
    forEachIndex(all, [&](Sizes index) {
        const std::size_t place = offsetOf(all, index);
        const auto& [part, step] = steps[static_cast<std::size_t>(index[along.place])];
        index[along.place] = step;
        output.array.numbers[place] = parts[part].numbers[offsetOf(parts[part].sizes, index)];
    });
    return {{parts, along.given}, {std::move(output)}};
}

Case stack(Random& random) {
    const Sizes sizes = random.sizes(0, 3);
    const std::int64_t count = random.between(1, 4);
    const ScalarType dtype = random.pick(realTypes);
    Arrays parts;
    for (std::int64_t part = 0; part < count; ++part) {
        parts.push_back(random.array(dtype, sizes));
    }
    const std::int64_t place = random.between(0, static_cast<std::int64_t>(sizes.size()));
    Sizes all = sizes;
    all.insert(all.begin() + place, count);
    Expected output{zeros(dtype, all)};
    forEachIndex(all, [&](Sizes index) {
        const std::size_t to = offsetOf(all, index);
        const Array& part = parts[static_cast<std::size_t>(index[static_cast<std::size_t>(place)])];
        index.erase(index.begin() + place);
        output.array.numbers[to] = part.numbers[offsetOf(sizes, index)];
    });
    return {{parts, random.either(place, static_cast<std::int64_t>(all.size()))}, {std::move(output)}};
}

Case split(Random& random) {
    const Array input = random.array(random.pick(everyType), random.filledSizes(1));
    const Along along = alongDim(random, input.dim());
    const std::int64_t length = input.sizes[along.place];
    const std::int64_t size = random.between(1, length + 2);
    Case made{{input, size, along.given}, {}, true};
    for (std::int64_t first = 0; first < length; first += size) {
        made.outputs.push_back(alongTaken(input, along.place, std::min(size, length - first),
                                          [=](std::int64_t place) { return first + place; }));
    }
    return made;
}

Case indexSelect(Random& random) {
    const Array input = random.array(random.pick(everyType), random.filledSizes(1));
    const Along along = alongDim(random, input.dim());
    const std::int64_t length = input.sizes[along.place];
    const Array places =
        random.indices(random.pick({ScalarType::Long, ScalarType::Int}), {random.between(0, 6)}, length);
    return {{input, along.given, places},
            {alongTaken(input, along.place, places.sizes[0], [&](std::int64_t place) {
                return static_cast<std::int64_t>(places.numbers[static_cast<std::size_t>(place)]);
            })}};
}

Case embedding(Random& random) {
    const std::int64_t rows = random.between(1, 9);
    const Array weight = random.array(random.pick(everyType), {rows, random.between(0, 9)});
    const Array places =
        random.indices(random.pick({ScalarType::Long, ScalarType::Int}), random.sizes(0, 3), rows);
    Sizes sizes = places.sizes;
    sizes.push_back(weight.sizes[1]);
    return {{weight, places, std::int64_t{-1}, false, false}, {{taken(weight, sizes, [&](Sizes index) {
                const std::int64_t column = index.back();
                index.pop_back();
                return static_cast<std::int64_t>(places.numbers[offsetOf(places.sizes, index)]) *
                           weight.sizes[1] +
                       column;
            })}}};
}

Case gather(Random& random) {
    const Array input = random.array(random.pick(realTypes), random.filledSizes(1));
    const Along along = alongDim(random, input.dim());
    Sizes sizes = input.sizes;
    for (std::size_t dimension = 0; dimension < sizes.size(); ++dimension) {
        sizes[dimension] = random.between(0, dimension == along.place ? 6 : sizes[dimension]);
    }
    const Array places = random.indices(ScalarType::Long, sizes, input.sizes[along.place]);
    return {{input, along.given, places, false}, {{taken(input, sizes, [&](Sizes index) {
                index[along.place] = static_cast<std::int64_t>(places.numbers[offsetOf(sizes, index)]);
                return at(input, index);
            })}}};
}

Case constantPad(Random& random) {
    const Array input = random.array(random.pick(realTypes), random.sizes(1));
    const std::int64_t count = random.between(0, input.dim());
    Dims padding;
    Sizes before(input.sizes.size());
    Sizes sizes = input.sizes;
    for (std::int64_t back = 0; back < count; ++back) {
        const auto dimension = static_cast<std::size_t>(input.dim() - 1 - back);
        const std::int64_t first = random.between(std::max<std::int64_t>(-2, -input.sizes[dimension]), 3);
        const std::int64_t last = random.between(
            std::max<std::int64_t>(-2, -input.sizes[dimension] - std::min<std::int64_t>(first, 0)), 3);
        before[dimension] = first;
        sizes[dimension] += first + last;
        padding.push_back(first);
        padding.push_back(last);
    }
    if (std::ranges::any_of(sizes, [](std::int64_t size) { return size < 1; })) {
        padding.clear();
        before.assign(before.size(), 0);
        sizes = input.sizes;
    }
    return {{input, padding, std::int64_t{1}},
            {{taken(
                input, sizes,
                [&](Sizes index) -> std::int64_t {
                    for (std::size_t dimension = 0; dimension < index.size(); ++dimension) {
                        index[dimension] -= before[dimension];
                        if (index[dimension] < 0 || index[dimension] >= input.sizes[dimension]) {
                            return -1;
                        }
                    }
                    return at(input, index);
                },
                1)}}};
}

template <bool upper>
Case triangle(Random& random) {
    const Array input = random.array(random.pick(realTypes), random.sizes(2));
    const std::int64_t diagonal = random.between(-8, 8);
    return {{input, diagonal}, {{taken(input, input.sizes, [&](const Sizes& index) -> std::int64_t {
                const std::int64_t from = index[index.size() - 1] - index[index.size() - 2];
                return (upper ? from >= diagonal : from <= diagonal) ? at(input, index) : -1;
            })}}};
}

constexpr std::array rules{
    Rule{"aten::cat.out", &cat},
    Rule{"aten::stack.out", &stack},
    Rule{"aten::split_copy.Tensor_out", &split},
    Rule{"aten::index_select.out", &indexSelect},
    Rule{"aten::embedding.out", &embedding},
    Rule{"aten::gather.out", &gather},
    Rule{"aten::constant_pad_nd.out", &constantPad},
    Rule{"aten::tril.out", &triangle<false>},
    Rule{"aten::triu.out", &triangle<true>},
};

}  // namespace indexing
}  // namespace

std::span<const Rule> indexingRules() {
    return indexing::rules;
}

}  // namespace et::test::operators
