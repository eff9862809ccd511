#include "tests/operators/families.h"
#include "tests/operators/layout.h"

#include <algorithm>
#include <array>
#include <cstdint>
#include <numeric>
#include <utility>
#include <vector>

namespace et::test::operators {
namespace {
namespace views {

using namespace layout;

Expected resized(Array array, Sizes sizes) {
    array.sizes = std::move(sizes);
    return {std::move(array)};
}

Array withOnes(Random& random) {
    Sizes sizes = random.sizes();
    for (std::int64_t& size : sizes) {
        size = random.chance(40) && size != 0 ? 1 : size;
    }
    return random.array(random.pick(everyType), sizes);
}

Case squeezeAll(Random& random) {
    const Array input = withOnes(random);
    Sizes sizes = input.sizes;
    std::erase(sizes, 1);
    return {{input}, {resized(input, sizes)}};
}

Case squeezeSome(Random& random) {
    const Array input = withOnes(random);
    Dims given;
    std::vector<bool> chosen(input.sizes.size());
    for (const std::int64_t dimension : random.order(input.dim())) {
        if (random.flip()) {
            chosen[static_cast<std::size_t>(dimension)] = true;
            given.push_back(random.either(dimension, input.dim()));
        }
    }
    Sizes sizes;
    for (std::size_t dimension = 0; dimension < input.sizes.size(); ++dimension) {
        if (!chosen[dimension] || input.sizes[dimension] != 1) {
            sizes.push_back(input.sizes[dimension]);
        }
    }
    return {{input, given}, {resized(input, sizes)}};
}

Case transposed(Random& random) {
    const Array input = random.array(random.pick(everyType), random.sizes(0, 2));
    Sizes sizes(input.sizes.rbegin(), input.sizes.rend());
    return {{input}, {{taken(input, sizes, [&](Sizes index) {
                std::ranges::reverse(index);
                return at(input, index);
            })}}};
}

Case reshaped(Random& random) {
    const Array input = random.array(random.pick(everyType), random.filledSizes());
    const std::int64_t count = elementCount(input.sizes);
    const std::int64_t first = random.between(1, 6);
    const Sizes sizes = count % first == 0 ? Sizes{first, count / first} : Sizes{count};
    const Dims strides = sizes.size() == 2 ? Dims{sizes[1], 1} : Dims{1};
    return {{input, Dims(sizes), strides}, {resized(input, sizes)}};
}

/// The dimensions that a diagonal keeps, and the positions of its elements.
struct Diagonal {
    std::size_t first = 0;
    std::size_t second = 0;
    std::int64_t offset = 0;
    Sizes sizes;
    std::vector<Argument> arguments;

    [[nodiscard]] Sizes place(const Sizes& index) const {
        Sizes whole(index.begin(), index.end() - 1);
        const std::int64_t along = index.back();
        const std::size_t low = std::min(first, second);
        const std::size_t high = std::max(first, second);
        whole.insert(whole.begin() + static_cast<std::ptrdiff_t>(low), 0);
        whole.insert(whole.begin() + static_cast<std::ptrdiff_t>(high), 0);
        whole[first] = along + std::max<std::int64_t>(-offset, 0);
        whole[second] = along + std::max<std::int64_t>(offset, 0);
        return whole;
    }
};

Diagonal anyDiagonal(Random& random, const Sizes& sizes) {
    const auto order = random.order(static_cast<std::int64_t>(sizes.size()));
    Diagonal made{.first = static_cast<std::size_t>(order[0]),
                  .second = static_cast<std::size_t>(order[1]),
                  .sizes = {},
                  .arguments = {}};
    made.offset = random.between(-4, 4);
    const std::int64_t rows = sizes[made.first] - std::max<std::int64_t>(-made.offset, 0);
    const std::int64_t columns = sizes[made.second] - std::max<std::int64_t>(made.offset, 0);
    for (std::size_t dimension = 0; dimension < sizes.size(); ++dimension) {
        if (dimension != made.first && dimension != made.second) {
            made.sizes.push_back(sizes[dimension]);
        }
    }
    made.sizes.push_back(std::max<std::int64_t>(std::min(rows, columns), 0));
    const auto count = static_cast<std::int64_t>(sizes.size());
    made.arguments = {made.offset, random.either(order[0], count), random.either(order[1], count)};
    return made;
}

Case diagonalOf(Random& random) {
    const Array input = anyArray(random, 2);
    const Diagonal diagonal = anyDiagonal(random, input.sizes);
    Case made{{input}, {{taken(input, diagonal.sizes, [&](const Sizes& index) {
                  return at(input, diagonal.place(index));
              })}}};
    made.arguments.insert(made.arguments.end(), diagonal.arguments.begin(), diagonal.arguments.end());
    return made;
}

Case diagonalReplaced(Random& random) {
    const Array input = anyArray(random, 2);
    const Diagonal diagonal = anyDiagonal(random, input.sizes);
    const Array part = random.array(input.dtype, diagonal.sizes);
    Array after = input;
    std::size_t from = 0;
    forEachIndex(diagonal.sizes, [&](const Sizes& index) {
        const std::size_t to = offsetOf(input.sizes, diagonal.place(index));
        after.numbers[to] = part.numbers[from];
        if (!part.imaginary.empty()) {
            after.imaginary[to] = part.imaginary[from];
        }
        ++from;
    });
    Case made{{input, part}, {{after}}};
    made.arguments.insert(made.arguments.end(), diagonal.arguments.begin(), diagonal.arguments.end());
    return made;
}

Case strided(Random& random) {
    const Array input = random.array(random.pick(everyType), random.filledSizes(1));
    const std::int64_t count = elementCount(input.sizes);
    const std::int64_t offset = random.below(count);
    std::int64_t left = count - 1 - offset;
    Sizes sizes;
    Dims strides;
    for (std::int64_t dimension = random.between(0, 3); dimension > 0; --dimension) {
        strides.push_back(random.between(0, 5));
        const std::int64_t most =
            strides.back() == 0 ? 3 : std::min<std::int64_t>(left / strides.back() + 1, 5);
        sizes.push_back(random.between(1, most));
        left -= (sizes.back() - 1) * strides.back();
    }
    const bool hasOffset = offset != 0 || random.flip();
    return {{input, Dims(sizes), strides, hasOffset ? Argument(offset) : Argument(std::monostate{})},
            {{taken(input, sizes, [&](const Sizes& index) {
                return std::inner_product(index.begin(), index.end(), strides.begin(), offset);
            })}}};
}

Case unfolded(Random& random) {
    const Array input = random.array(random.pick(everyType), random.filledSizes(1, 3));
    const Along along = alongDim(random, input.dim());
    const std::int64_t length = input.sizes[along.place];
    const std::int64_t size = random.between(0, length);
    const std::int64_t step = random.between(1, 3);
    Sizes sizes = input.sizes;
    sizes[along.place] = (length - size) / step + 1;
    sizes.push_back(size);
    return {{input, along.given, size, step}, {{taken(input, sizes, [&](Sizes index) {
                const std::int64_t within = index.back();
                index.pop_back();
                index[along.place] = index[along.place] * step + within;
                return at(input, index);
            })}}};
}

struct Parts {
    Array complex;
    Array real;
};
Parts bothParts(Random& random) {
    const bool isDouble = random.flip();
    Parts made{random.array(isDouble ? ScalarType::ComplexDouble : ScalarType::ComplexFloat, random.sizes()),
               {}};
    Sizes sizes = made.complex.sizes;
    sizes.push_back(2);
    made.real = zeros(isDouble ? ScalarType::Double : ScalarType::Float, sizes);
    for (std::size_t index = 0; index < made.complex.count(); ++index) {
        made.real.numbers[2 * index] = made.complex.numbers[index];
        made.real.numbers[2 * index + 1] = made.complex.imaginary[index];
    }
    return made;
}
Case asReal(Random& random) {
    Parts parts = bothParts(random);
    return {{parts.complex}, {{parts.real}}};
}
Case asComplex(Random& random) {
    Parts parts = bothParts(random);
    return {{parts.real}, {{parts.complex}}};
}

Case splitBySizes(Random& random) {
    const Array input = anyArray(random, 1);
    const Along along = alongDim(random, input.dim());
    Dims lengths;
    Case made{.isList = true};
    std::int64_t first = 0;
    while (first < input.sizes[along.place] || lengths.empty()) {
        const std::int64_t left = input.sizes[along.place] - first;
        lengths.push_back(lengths.size() == 4 ? left : random.between(0, left));
        made.outputs.push_back(alongTaken(input, along.place, lengths.back(),
                                          [first](std::int64_t place) { return first + place; }));
        first += lengths.back();
    }
    made.arguments = {input, lengths, along.given};
    return made;
}

Case unbound(Random& random) {
    const Array input = random.array(random.pick(everyType), random.filledSizes(1));
    const Along along = alongDim(random, input.dim());
    Case made{.arguments = {input, along.given}, .isList = true};
    for (std::int64_t chosen = 0; chosen < input.sizes[along.place]; ++chosen) {
        Expected part = alongTaken(input, along.place, 1, [=](std::int64_t) { return chosen; });
        part.array.sizes.erase(part.array.sizes.begin() + static_cast<std::ptrdiff_t>(along.place));
        made.outputs.push_back(std::move(part));
    }
    return made;
}

Case pixelsShuffled(Random& random) {
    const std::int64_t factor = random.between(1, 3);
    Sizes sizes = random.flip() ? Sizes{} : Sizes{random.between(0, 2)};
    const std::size_t channel = sizes.size();
    sizes.insert(sizes.end(),
                 {random.between(1, 3), random.between(1, 4) * factor, random.between(1, 4) * factor});
    const Array image = random.array(random.pick(everyType), sizes);
    Sizes deep = sizes;
    deep[channel] *= factor * factor;
    deep[channel + 1] /= factor;
    deep[channel + 2] /= factor;
    return {{image, factor}, {{taken(image, deep, [&](Sizes index) {
                const std::int64_t within = index[channel] % (factor * factor);
                index[channel] /= factor * factor;
                index[channel + 1] = index[channel + 1] * factor + within / factor;
                index[channel + 2] = index[channel + 2] * factor + within % factor;
                return at(image, index);
            })}}};
}
/// The inverse of pixelsShuffled().
Case pixelsGathered(Random& random) {
    Case other = pixelsShuffled(random);
    Array image = std::get<Array>(other.arguments[0]);
    other.arguments[0] = other.outputs[0].array;
    other.outputs[0].array = std::move(image);
    return other;
}

template <int count, bool mirrors>
Case padded(Random& random) {
    Sizes sizes;
    for (std::int64_t outer = random.between(1, 2); outer > 0; --outer) {
        sizes.push_back(random.between(1, 3));
    }
    Dims padding;
    Sizes wide = sizes;
    for (int dimension = 0; dimension < count; ++dimension) {
        const std::int64_t size = random.between(1, 5);
        const std::int64_t most = mirrors ? size - 1 : 4;
        const std::int64_t before = random.between(random.chance(20) ? -(size / 2) : 0, most);
        const std::int64_t after = random.between(0, most);
        sizes.push_back(size);
        wide.push_back(size + before + after);
        padding.insert(padding.begin(), {before, after});
    }
    const Array input = random.array(random.pick(realTypes), sizes);
    const std::size_t outer = sizes.size() - count;
    return {{input, padding}, {{taken(input, wide, [&](Sizes index) {
                for (std::size_t dimension = 0; dimension < count; ++dimension) {
                    const std::int64_t last = sizes[outer + dimension] - 1;
                    std::int64_t& place = index[outer + dimension];
                    place -= padding[2 * (count - 1 - dimension)];
                    place = !mirrors       ? std::clamp<std::int64_t>(place, 0, last)
                            : place < 0    ? -place
                            : place > last ? 2 * last - place
                                           : place;
                }
                return at(input, index);
            })}}};
}

constexpr RuleTraits inMemoryOrder{.anyOrder = false};

constexpr std::array rules{
    Rule{"aten::squeeze_copy.out", &squeezeAll},
    Rule{"aten::squeeze_copy.dims_out", &squeezeSome},
    Rule{"aten::t_copy.out", &transposed},
    Rule{"aten::_reshape_alias_copy.out", &reshaped},
    Rule{"aten::diagonal_copy.out", &diagonalOf},
    Rule{"aten::diagonal_scatter.out", &diagonalReplaced},
    Rule{"aten::as_strided_copy.out", &strided, inMemoryOrder},
    Rule{"aten::unfold_copy.out", &unfolded},
    Rule{"aten::view_as_real_copy.out", &asReal},
    Rule{"aten::view_as_complex_copy.out", &asComplex},
    Rule{"aten::split_with_sizes_copy.out", &splitBySizes},
    Rule{"aten::unbind_copy.int_out", &unbound},
    Rule{"aten::pixel_unshuffle.out", &pixelsShuffled},
    Rule{"aten::pixel_shuffle.out", &pixelsGathered},
    Rule{"aten::reflection_pad1d.out", &padded<1, true>},
    Rule{"aten::reflection_pad2d.out", &padded<2, true>},
    Rule{"aten::reflection_pad3d.out", &padded<3, true>},
    Rule{"aten::replication_pad1d.out", &padded<1, false>},
    Rule{"aten::replication_pad2d.out", &padded<2, false>},
    Rule{"aten::replication_pad3d.out", &padded<3, false>},
};

}  // namespace views
}  // namespace

std::span<const Rule> viewRules() {
    return views::rules;
}

}  // namespace et::test::operators
