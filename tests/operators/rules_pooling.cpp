#include "tests/operators/families.h"
#include "tests/operators/windows.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdint>
#include <optional>
#include <utility>
#include <vector>

namespace et::test::operators {
namespace {
namespace pooling {

using namespace windowed;

/// Outer sizes of images; with two dimensions, the batch may be missing.
Sizes outerSizes(Random& random) {
    return random.chance(80) ? Sizes{random.between(1, 2), random.between(1, 4)}
                             : Sizes{random.between(1, 4)};
}

Sizes frontOf(const Sizes& index, std::size_t outer) {
    return {index.begin(), index.begin() + static_cast<std::ptrdiff_t>(outer)};
}
Sizes backOf(const Sizes& index, std::size_t outer) {
    return {index.begin() + static_cast<std::ptrdiff_t>(outer), index.end()};
}

/// Number of windows; with `ceils`, the last may extend past the edge but must start within it.
std::int64_t stepsOf(const Windows& windows, std::size_t dimension, std::int64_t size, bool ceils) {
    if (!ceils) {
        return windows.steps(dimension, size);
    }
    const std::int64_t stride = windows.stride[dimension];
    const std::int64_t room = size + 2 * windows.padding[dimension] - windows.reach(dimension);
    const std::int64_t steps = (room + stride - 1) / stride + 1;
    return (steps - 1) * stride >= size + windows.padding[dimension] ? steps - 1 : steps;
}

/// Number of positions that a window covers in the padded image.
Number paddedCount(const Windows& windows, const Dims& spatial, const Sizes& step) {
    Number count = 1;
    for (std::size_t dimension = 0; dimension < spatial.size(); ++dimension) {
        const std::int64_t start = step[dimension] * windows.stride[dimension] - windows.padding[dimension];
        const std::int64_t end =
            std::min(start + windows.kernel[dimension], spatial[dimension] + windows.padding[dimension]);
        count *= static_cast<Number>(end - start);
    }
    return count;
}

template <std::size_t dimensions>
Case averagePool(Random& random) {
    const ScalarType dtype = random.pick({ScalarType::Float, ScalarType::Double});
    const auto [windows, spatial] = windowsOf(random, dimensions, false);
    const Sizes outer = outerSizes(random);
    const Array input = random.array(dtype, joined(outer, spatial), Values::Plain);
    const bool countsPadding = random.flip();
    const bool ceils = random.chance(30);
    const std::int64_t divisor = dimensions > 1 && random.chance(20) ? random.between(1, 9) : 0;
    Sizes sizes = outer;
    for (std::size_t dimension = 0; dimension < dimensions; ++dimension) {
        sizes.push_back(stepsOf(windows, dimension, spatial[dimension], ceils));
    }
    Expected output = emptyOutput(dtype, sizes);
    forEachIndex(sizes, [&, &windows = windows, &spatial = spatial](const Sizes& index) {
        const Sizes step = backOf(index, outer.size());
        Sum sum;
        overWindow(windows, spatial, step, [&](const Sizes& place, const Sizes&) {
            sum.add(input.numbers[offsetOf(input.sizes, joined(frontOf(index, outer.size()), place))]);
        });
        const Number count = divisor != 0    ? static_cast<Number>(divisor)
                             : countsPadding ? paddedCount(windows, spatial, step)
                                             : sum.terms;
        sum.number /= count;
        sum.size /= count;
        set(output, offsetOf(sizes, index), sum.in(dtype));
    });
    Case made{{input, windows.kernel, windows.stride, windows.padding, ceils, countsPadding},
              {std::move(output)}};
    if (dimensions > 1) {
        made.arguments.emplace_back(divisor != 0 ? Argument(divisor) : Argument(std::monostate{}));
    }
    return made;
}

/// Running maximum: the last NaN, otherwise the first of the largest numbers.
struct Greatest {
    std::optional<Number> number;
    std::int64_t place = 0;

    void add(Number other, std::int64_t at) {
        if (!number || other > *number || std::isnan(other)) {
            number = other;
            place = at;
        }
    }
};

template <std::size_t dimensions>
Case maxPool(Random& random) {
    const ScalarType dtype = random.pick(floats);
    const auto [windows, spatial] = windowsOf(random, dimensions, true);
    const Sizes outer = outerSizes(random);
    const Array input = random.array(dtype, joined(outer, spatial));
    const bool ceils = random.chance(30);
    Sizes sizes = outer;
    for (std::size_t dimension = 0; dimension < dimensions; ++dimension) {
        sizes.push_back(stepsOf(windows, dimension, spatial[dimension], ceils));
    }
    Expected output = emptyOutput(dtype, sizes);
    Expected places = emptyOutput(ScalarType::Long, sizes);
    forEachIndex(sizes, [&, &windows = windows, &spatial = spatial](const Sizes& index) {
        Greatest best;
        overWindow(windows, spatial, backOf(index, outer.size()), [&](const Sizes& place, const Sizes&) {
            best.add(input.numbers[offsetOf(input.sizes, joined(frontOf(index, outer.size()), place))],
                     static_cast<std::int64_t>(offsetOf(spatial, place)));
        });
        set(output, offsetOf(sizes, index), {best.number.value_or(0)});
        set(places, offsetOf(sizes, index), {static_cast<Number>(best.place)});
    });
    return {{input, windows.kernel, windows.stride, windows.padding, windows.dilation, ceils},
            {std::move(output), std::move(places)}};
}

/// Adds each gradient at the position that its window selected.
template <std::size_t dimensions>
Case maxPoolBackward(Random& random) {
    const Case forward = maxPool<dimensions>(random);
    const Array& input = std::get<Array>(forward.arguments[0]);
    const Array& places = forward.outputs[1].array;
    const Array gradient = random.array(input.dtype, places.sizes, Values::Plain);
    const std::size_t outer = input.sizes.size() - dimensions;
    const auto image = static_cast<std::size_t>(elementCount(backOf(input.sizes, outer)));
    const auto windows = static_cast<std::size_t>(elementCount(backOf(places.sizes, outer)));
    std::vector<Sum> sums(input.count());
    for (std::size_t at = 0; at < gradient.count(); ++at) {
        sums[at / windows * image + static_cast<std::size_t>(places.numbers[at])].add(gradient.numbers[at]);
    }
    Expected output = emptyOutput(input.dtype, input.sizes);
    for (std::size_t at = 0; at < sums.size(); ++at) {
        // Sums of halves are rounded after each addition.
        set(output, at, {sums[at].number, roundings(input.dtype, sums[at].terms, sums[at].size)});
    }
    Case made{{gradient}, {std::move(output)}};
    made.arguments.insert(made.arguments.end(), forward.arguments.begin(), forward.arguments.end());
    made.arguments.emplace_back(places);
    return made;
}

/// Images divided into one part per result position.
struct Parts {
    Array input;
    Sizes outer;
    Dims spatial;
    Dims wanted;

    template <class Visit>
    void forEach(const Sizes& index, Visit&& visit) const {
        const Sizes step = backOf(index, outer.size());
        Sizes lengths;
        Sizes starts;
        for (std::size_t dimension = 0; dimension < wanted.size(); ++dimension) {
            const std::int64_t start = step[dimension] * spatial[dimension] / wanted[dimension];
            const std::int64_t end =
                ((step[dimension] + 1) * spatial[dimension] + wanted[dimension] - 1) / wanted[dimension];
            starts.push_back(start);
            lengths.push_back(end - start);
        }
        forEachIndex(lengths, [&](Sizes place) {
            for (std::size_t dimension = 0; dimension < place.size(); ++dimension) {
                place[dimension] += starts[dimension];
            }
            visit(input.numbers[offsetOf(input.sizes, joined(frontOf(index, outer.size()), place))],
                  static_cast<std::int64_t>(offsetOf(spatial, place)));
        });
    }
};
Parts partsOf(Random& random, std::size_t dimensions, ScalarType dtype, Values values) {
    Parts made{.input = {}, .outer = outerSizes(random), .spatial = {}, .wanted = {}};
    for (std::size_t dimension = 0; dimension < dimensions; ++dimension) {
        made.spatial.push_back(random.between(1, 7));
        made.wanted.push_back(random.between(1, 8));
    }
    made.input = random.array(dtype, joined(made.outer, made.spatial), values);
    return made;
}

template <std::size_t dimensions>
Case adaptiveAverage(Random& random) {
    const ScalarType dtype = random.pick({ScalarType::Float, ScalarType::Double});
    const Parts parts = partsOf(random, dimensions, dtype, Values::Plain);
    const Sizes sizes = joined(parts.outer, parts.wanted);
    Expected output = emptyOutput(dtype, sizes);
    forEachIndex(sizes, [&](const Sizes& index) {
        Sum sum;
        parts.forEach(index, [&](Number number, std::int64_t) { sum.add(number); });
        sum.number /= sum.terms;
        sum.size /= sum.terms;
        set(output, offsetOf(sizes, index), sum.in(dtype));
    });
    return {{parts.input, parts.wanted}, {std::move(output)}};
}

template <std::size_t dimensions>
Case adaptiveMax(Random& random) {
    const ScalarType dtype = random.pick({ScalarType::Float, ScalarType::Double});
    const Parts parts = partsOf(random, dimensions, dtype, Values::Any);
    const Sizes sizes = joined(parts.outer, parts.wanted);
    Expected output = emptyOutput(dtype, sizes);
    Expected places = emptyOutput(ScalarType::Long, sizes);
    forEachIndex(sizes, [&](const Sizes& index) {
        Greatest best;
        parts.forEach(index, [&](Number number, std::int64_t place) { best.add(number, place); });
        set(output, offsetOf(sizes, index), {*best.number});
        set(places, offsetOf(sizes, index), {static_cast<Number>(best.place)});
    });
    return {{parts.input, parts.wanted}, {std::move(output), std::move(places)}};
}

/// An image to resize, by new size or by factors.
struct Resizing {
    Array input;
    Sizes sizes;
    std::array<float, 2> scales{};  ///< from an output position to an input position
    std::vector<Argument> target;   ///< output size or factors
};
Resizing resizing(Random& random, ScalarType dtype, bool isVec) {
    Resizing made{
        random.array(dtype,
                     {random.between(1, 2), random.between(1, 3), random.between(1, 6), random.between(1, 6)},
                     Values::Plain),
        {},
        {},
        {}};
    made.sizes = {made.input.sizes[0], made.input.sizes[1]};
    const bool byFactors = isVec && random.flip();
    std::vector<double> factors;
    for (std::size_t dimension = 0; dimension < 2; ++dimension) {
        const std::int64_t size = made.input.sizes[2 + dimension];
        const double factor = random.pick({1.0, 1.5, 2.0, 2.5, 3.0});
        factors.push_back(factor);
        made.sizes.push_back(byFactors ? static_cast<std::int64_t>(static_cast<double>(size) * factor)
                                       : random.between(1, 12));
        made.scales[dimension] = byFactors ? static_cast<float>(1 / factor)
                                           : static_cast<float>(size) / static_cast<float>(made.sizes.back());
    }
    if (byFactors) {
        made.target = {std::monostate{}, factors};
    } else {
        made.target = {Dims{made.sizes[2], made.sizes[3]}, std::monostate{}};
        if (!isVec) {
            made.target.emplace_back(std::monostate{});
        }
    }
    return made;
}

template <bool exact, bool isVec>
Case nearest(Random& random) {
    const Resizing to = resizing(random, random.pick(floats), isVec);
    Array made = taken(to.input, to.sizes, [&](Sizes index) {
        for (std::size_t dimension = 0; dimension < 2; ++dimension) {
            std::int64_t& place = index[2 + dimension];
            const float at = (static_cast<float>(place) + (exact ? 0.5F : 0.0F)) * to.scales[dimension];
            place = std::min(static_cast<std::int64_t>(at), to.input.sizes[2 + dimension] - 1);
        }
        return static_cast<std::int64_t>(offsetOf(to.input.sizes, index));
    });
    Case all{{to.input}, {{std::move(made)}}};
    all.arguments.insert(all.arguments.end(), to.target.begin(), to.target.end());
    return all;
}

/// Position of an output element between two input elements.
struct Between {
    std::int64_t first;
    std::int64_t second;
    Number share;  ///< weight of the second
};
Between between(std::int64_t place, std::int64_t size, std::int64_t wanted, Number scale, bool aligns) {
    const Number at = aligns ? wanted > 1 ? static_cast<Number>(place) * static_cast<Number>(size - 1) /
                                                static_cast<Number>(wanted - 1)
                                          : 0
                             : std::max((static_cast<Number>(place) + 0.5L) * scale - 0.5L, Number{0});
    const std::int64_t first = std::min(static_cast<std::int64_t>(at), size - 1);
    return {first, std::min(first + 1, size - 1), at - static_cast<Number>(first)};
}

template <bool isVec>
Case bilinear(Random& random) {
    const ScalarType dtype = random.pick({ScalarType::Float, ScalarType::Double});
    const Resizing to = resizing(random, dtype, isVec);
    const bool aligns = random.flip();
    Expected output = emptyOutput(dtype, to.sizes);
    forEachIndex(to.sizes, [&](const Sizes& index) {
        const Between rows = between(index[2], to.input.sizes[2], to.sizes[2], to.scales[0], aligns);
        const Between columns = between(index[3], to.input.sizes[3], to.sizes[3], to.scales[1], aligns);
        const auto number = [&](std::int64_t row, std::int64_t column) {
            return to.input.numbers[offsetOf(to.input.sizes, {index[0], index[1], row, column})];
        };
        const auto inRow = [&](std::int64_t row) {
            return number(row, columns.first) * (1 - columns.share) +
                   number(row, columns.second) * columns.share;
        };
        // Positions are also computed in float32; their error grows with their magnitude.
        set(output, offsetOf(to.sizes, index),
            {inRow(rows.first) * (1 - rows.share) + inRow(rows.second) * rows.share,
             roundings(ScalarType::Float, 40, 8)});
    });
    Case made{{to.input, to.target[0], aligns}, {std::move(output)}};
    made.arguments.insert(made.arguments.end(), to.target.begin() + 1, to.target.end());
    return made;
}

constexpr std::array rules{
    Rule{"aten::avg_pool1d.out", &averagePool<1>},
    Rule{"aten::avg_pool2d.out", &averagePool<2>},
    Rule{"aten::avg_pool3d.out", &averagePool<3>},
    Rule{"aten::max_pool2d_with_indices.out", &maxPool<2>},
    Rule{"aten::max_pool3d_with_indices.out", &maxPool<3>},
    Rule{"aten::max_pool2d_with_indices_backward.grad_input", &maxPoolBackward<2>},
    Rule{"aten::max_pool3d_with_indices_backward.grad_input", &maxPoolBackward<3>},
    Rule{"aten::adaptive_avg_pool1d.out", &adaptiveAverage<1>},
    Rule{"aten::adaptive_avg_pool2d.out", &adaptiveAverage<2>},
    Rule{"aten::adaptive_avg_pool3d.out", &adaptiveAverage<3>},
    Rule{"aten::_adaptive_avg_pool2d.out", &adaptiveAverage<2>},
    Rule{"aten::_adaptive_avg_pool3d.out", &adaptiveAverage<3>},
    Rule{"aten::adaptive_max_pool2d.out", &adaptiveMax<2>},
    Rule{"aten::adaptive_max_pool3d.out", &adaptiveMax<3>},
    Rule{"aten::upsample_nearest2d.out", &nearest<false, false>},
    Rule{"aten::upsample_nearest2d.vec_out", &nearest<false, true>},
    Rule{"aten::_upsample_nearest_exact2d.out", &nearest<true, false>},
    Rule{"aten::_upsample_nearest_exact2d.vec_out", &nearest<true, true>},
    Rule{"aten::upsample_bilinear2d.out", &bilinear<false>},
    Rule{"aten::upsample_bilinear2d.vec_out", &bilinear<true>},
};

}  // namespace pooling
}  // namespace

std::span<const Rule> poolingRules() {
    return pooling::rules;
}

}  // namespace et::test::operators
