#include "tests/operators/families.h"
#include "tests/operators/layout.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdint>
#include <utility>
#include <vector>

namespace et::test::operators {
namespace {
namespace scatter {

using namespace layout;

void put(Array& to, std::size_t place, const Array& from, std::size_t at) {
    to.numbers[place] = from.numbers[at];
    if (!to.imaginary.empty()) {
        to.imaginary[place] = from.imaginary[at];
    }
}

/// Accumulates values at shared positions and tracks the error that the summation order may cause.
struct Sums {
    Expected made;
    std::vector<Number> sizes;
    std::vector<int> terms;

    explicit Sums(const Array& start) : made{start, {}}, terms(start.count()) {
        for (const Number number : start.numbers) {
            sizes.push_back(std::abs(number));
        }
    }
    void add(std::size_t place, Number number) {
        made.array.numbers[place] += number;
        sizes[place] += std::abs(number);
        ++terms[place];
    }
    Expected done() {
        for (std::size_t at = 0; at < sizes.size(); ++at) {
            made.allowed.push_back(roundings(made.array.dtype, static_cast<Number>(terms[at]), sizes[at]));
        }
        return std::move(made);
    }
};

/// Target positions: an index tensor, with or without duplicates.
struct Places {
    Array self;
    Array index;
    Along along;
};

Places places(Random& random, bool distinct, ScalarType dtype, Values values) {
    const Sizes sizes = random.filledSizes(1, 3);
    Places made{
        random.array(dtype, sizes, values), {}, alongDim(random, static_cast<std::int64_t>(sizes.size()))};
    const std::int64_t length = sizes[made.along.place];
    Sizes few;
    for (const std::int64_t size : sizes) {
        few.push_back(random.between(random.chance(10) ? 0 : 1, size));
    }
    if (!distinct) {
        few[made.along.place] = random.between(0, length + 2);
    }
    made.index = random.indices(ScalarType::Long, few, length);
    if (distinct) {
        const auto order = random.order(length);
        std::size_t at = 0;
        forEachIndex(few, [&](const Sizes& index) {
            made.index.numbers[at++] =
                static_cast<Number>(order[static_cast<std::size_t>(index[made.along.place])]);
        });
    }
    return made;
}

template <class Visit>
void forEachPlace(const Places& of, Visit&& visit) {
    std::size_t at = 0;
    forEachIndex(of.index.sizes, [&](const Sizes& index) {
        Sizes place = index;
        place[of.along.place] = static_cast<std::int64_t>(of.index.numbers[at++]);
        visit(index, offsetOf(of.self.sizes, place));
    });
}

Sizes atLeast(Random& random, Sizes sizes) {
    for (std::int64_t& size : sizes) {
        size += random.below(3);
    }
    return sizes;
}

Case scattered(Random& random) {
    const Places to = places(random, true, random.pick(everyType), Values::Any);
    const Array source = random.array(to.self.dtype, atLeast(random, to.index.sizes));
    Array after = to.self;
    forEachPlace(to, [&](const Sizes& index, std::size_t place) {
        put(after, place, source, offsetOf(source.sizes, index));
    });
    return {{to.self, to.along.given, to.index, source}, {{after}}};
}

Case scatteredValue(Random& random) {
    const Places to = places(random, false, random.pick(numbersOf), Values::Any);
    const std::int64_t value = random.between(0, 100);
    Array after = to.self;
    forEachPlace(to,
                 [&](const Sizes&, std::size_t place) { after.numbers[place] = static_cast<Number>(value); });
    return {{to.self, to.along.given, to.index, value}, {{after}}};
}

Case scatterAdded(Random& random) {
    const Places to = places(random, false, random.pick(numbersOf), Values::Plain);
    const Array source = random.array(to.self.dtype, atLeast(random, to.index.sizes), Values::Plain);
    Sums sums(to.self);
    forEachPlace(to, [&](const Sizes& index, std::size_t place) {
        sums.add(place, source.numbers[offsetOf(source.sizes, index)]);
    });
    return {{to.self, to.along.given, to.index, source}, {sums.done()}};
}

Case selectReplaced(Random& random) {
    const Array input = random.array(random.pick(everyType), random.filledSizes(1));
    const Along along = alongDim(random, input.dim());
    const std::int64_t chosen = random.below(input.sizes[along.place]);
    Sizes sizes = input.sizes;
    sizes.erase(sizes.begin() + static_cast<std::ptrdiff_t>(along.place));
    const Array part = random.array(input.dtype, sizes);
    Array after = input;
    std::size_t from = 0;
    forEachIndex(sizes, [&](Sizes index) {
        index.insert(index.begin() + static_cast<std::ptrdiff_t>(along.place), chosen);
        put(after, offsetOf(input.sizes, index), part, from++);
    });
    return {{input, part, along.given, random.either(chosen, input.sizes[along.place])}, {{after}}};
}

Case sliceReplaced(Random& random) {
    const Array input = anyArray(random, 1);
    const Along along = alongDim(random, input.dim());
    const std::int64_t length = input.sizes[along.place];
    const std::int64_t first = random.between(0, length);
    const std::int64_t last = random.between(first, length);
    const std::int64_t step = random.between(1, 3);
    Sizes sizes = input.sizes;
    sizes[along.place] = (last - first + step - 1) / step;
    const Array part = random.array(input.dtype, sizes);
    Array after = input;
    std::size_t from = 0;
    forEachIndex(sizes, [&](Sizes index) {
        index[along.place] = first + index[along.place] * step;
        put(after, offsetOf(input.sizes, index), part, from++);
    });
    const bool hasStart = first != 0 || random.flip();
    const bool hasEnd = last != length || random.flip();
    return {{input, part, along.given, hasStart ? Argument(first) : Argument(std::monostate{}),
             hasEnd ? Argument(last) : Argument(std::monostate{}), step},
            {{after}}};
}

/// Index tensors per dimension, some missing; the others broadcast.
struct Indexed {
    Array self;
    OptionalArrays indices;
    Sizes sizes;                ///< sizes of the result
    std::vector<Sizes> places;  ///< indices into self, in result order
};

/// Position of the broadcast index dimensions: where the first index is, or in front if a dimension without
/// an index separates them.
std::size_t placeOfBroadcast(const OptionalArrays& indices) {
    std::size_t first = indices.size();
    std::size_t last = 0;
    std::size_t count = 0;
    for (std::size_t dimension = 0; dimension < indices.size(); ++dimension) {
        if (indices[dimension]) {
            first = std::min(first, dimension);
            last = dimension;
            ++count;
        }
    }
    return last - first + 1 == count ? first : 0;
}

Indexed indexedBy(Random& random, ScalarType dtype, Values values) {
    Indexed made{random.array(dtype, random.filledSizes(1), values), {}, {}, {}};
    const Sizes common = random.sizes(0, 2);
    Sizes broadcasts;
    Sizes rest;
    const std::int64_t sure = random.below(made.self.dim());
    const std::int64_t named = random.between(sure + 1, made.self.dim());
    for (std::int64_t dimension = 0; dimension < made.self.dim(); ++dimension) {
        const std::int64_t size = made.self.sizes[static_cast<std::size_t>(dimension)];
        if (dimension == sure || (dimension < named && random.flip())) {
            const ScalarType type = random.pick({ScalarType::Long, ScalarType::Long, ScalarType::Int});
            Array index =
                random.indices(type, dimension == sure ? common : random.broadcastable(common), size);
            for (Number& number : index.numbers) {
                number -= random.chance(20) ? static_cast<Number>(size) : 0;
            }
            broadcasts = broadcast(broadcasts, index.sizes);
            made.indices.emplace_back(std::move(index));
        } else {
            rest.push_back(size);
            if (dimension < named) {
                made.indices.emplace_back(std::nullopt);
            }
        }
    }
    const std::size_t front = placeOfBroadcast(made.indices);
    made.sizes = rest;
    made.sizes.insert(made.sizes.begin() + static_cast<std::ptrdiff_t>(front), broadcasts.begin(),
                      broadcasts.end());
    forEachIndex(made.sizes, [&](const Sizes& index) {
        const auto begin = index.begin() + static_cast<std::ptrdiff_t>(front);
        const Sizes chosen(begin, begin + static_cast<std::ptrdiff_t>(broadcasts.size()));
        Sizes others(index.begin(), begin);
        others.insert(others.end(), begin + static_cast<std::ptrdiff_t>(broadcasts.size()), index.end());
        Sizes place;
        auto other = others.begin();
        for (std::size_t dimension = 0; dimension < made.self.sizes.size(); ++dimension) {
            if (dimension < made.indices.size() && made.indices[dimension]) {
                const Array& by = *made.indices[dimension];
                const auto number = static_cast<std::int64_t>(by.numbers[broadcastOffset(by, chosen)]);
                place.push_back(number < 0 ? number + made.self.sizes[dimension] : number);
            } else {
                place.push_back(*other++);
            }
        }
        made.places.push_back(std::move(place));
    });
    return made;
}

Case indexTensor(Random& random) {
    const Indexed chosen = indexedBy(random, random.pick(everyType), Values::Any);
    std::size_t next = 0;
    return {{chosen.self, chosen.indices}, {{taken(chosen.self, chosen.sizes, [&](const Sizes&) {
                return at(chosen.self, chosen.places[next++]);
            })}}};
}

/// A single value for all positions, or accumulation: the order of two writes to one position is not defined.
Case indexPut(Random& random) {
    const bool accumulates = random.flip();
    const Indexed chosen = indexedBy(random, random.pick(numbersOf), Values::Plain);
    const Array values = random.array(
        chosen.self.dtype, accumulates ? random.broadcastable(chosen.sizes) : Sizes{}, Values::Plain);
    Sums sums(chosen.self);
    Array after = chosen.self;
    std::size_t next = 0;
    forEachIndex(chosen.sizes, [&](const Sizes& index) {
        const std::size_t place = offsetOf(chosen.self.sizes, chosen.places[next++]);
        const std::size_t from = broadcastOffset(values, index);
        sums.add(place, values.numbers[from]);
        put(after, place, values, from);
    });
    return {{chosen.self, chosen.indices, values, accumulates},
            {accumulates ? sums.done() : Expected{std::move(after)}}};
}

Case indexPutInPlace(Random& random) {
    Case made = indexPut(random);
    made.changes = {{0, std::move(made.outputs[0])}};
    made.outputs.clear();
    return made;
}

struct Masking {
    Array self;
    Array mask;
    Sizes sizes;
    std::vector<Sizes> chosen;
};
Masking masking(Random& random) {
    const Sizes sizes = random.sizes();
    Masking made{random.array(random.pick(everyType), sizes), {}, sizes, {}};
    made.mask = random.array(ScalarType::Bool, random.broadcastable(sizes));
    forEachIndex(sizes, [&](const Sizes& index) {
        if (made.mask.numbers[broadcastOffset(made.mask, index)] != 0) {
            made.chosen.push_back(index);
        }
    });
    return made;
}

Case maskedSelect(Random& random) {
    const Masking by = masking(random);
    return {{by.self, by.mask},
            {{taken(by.self, {static_cast<std::int64_t>(by.chosen.size())}, [&](const Sizes& index) {
                return at(by.self, by.chosen[static_cast<std::size_t>(index[0])]);
            })}}};
}

Case maskedScatter(Random& random) {
    const Masking by = masking(random);
    const Array source =
        random.array(by.self.dtype, {static_cast<std::int64_t>(by.chosen.size()) + random.below(3)});
    Array after = by.self;
    for (std::size_t at = 0; at < by.chosen.size(); ++at) {
        put(after, offsetOf(by.sizes, by.chosen[at]), source, at);
    }
    return {{by.self, by.mask, source}, {{after}}};
}

Case repeatInterleave(Random& random) {
    const Array repeats =
        random.indices(random.pick({ScalarType::Long, ScalarType::Int}), {random.between(0, 9)}, 4);
    Array made = zeros(repeats.dtype, {0});
    for (std::size_t at = 0; at < repeats.count(); ++at) {
        made.numbers.insert(made.numbers.end(), static_cast<std::size_t>(repeats.numbers[at]),
                            static_cast<Number>(at));
    }
    made.sizes = {static_cast<std::int64_t>(made.numbers.size())};
    return {{repeats, random.flip() ? Argument(made.sizes[0]) : Argument(std::monostate{})}, {{made}}};
}

constexpr std::array rules{
    Rule{"aten::scatter.src_out", &scattered},
    Rule{"aten::scatter.value_out", &scatteredValue},
    Rule{"aten::scatter_add.out", &scatterAdded},
    Rule{"aten::select_scatter.out", &selectReplaced},
    Rule{"aten::slice_scatter.out", &sliceReplaced},
    Rule{"aten::index.Tensor_out", &indexTensor},
    Rule{"aten::index_put.out", &indexPut},
    Rule{"aten::index_put_", &indexPutInPlace},
    Rule{"aten::masked_select.out", &maskedSelect},
    Rule{"aten::masked_scatter.out", &maskedScatter},
    Rule{"aten::repeat_interleave.Tensor_out", &repeatInterleave},
};

}  // namespace scatter
}  // namespace

std::span<const Rule> scatterRules() {
    return scatter::rules;
}

}  // namespace et::test::operators
