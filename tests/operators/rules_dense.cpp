#include "tests/operators/rules.h"

#include <array>
#include <cmath>
#include <cstdint>
#include <limits>
#include <optional>
#include <utility>

namespace et::test::operators {
namespace {
namespace dense {

using Dims = std::vector<std::int64_t>;

constexpr std::initializer_list<ScalarType> productTypes{
    ScalarType::Float,    ScalarType::Float, ScalarType::Double, ScalarType::Half,
    ScalarType::BFloat16, ScalarType::Int,   ScalarType::Long};

/// A sum of products and of their sizes, for its error.
struct Sum {
    Number number = 0;
    Number size = 0;
    Number terms = 0;

    void add(Number term) {
        number += term;
        size += std::abs(term);
        ++terms;
    }
    [[nodiscard]] Answer in(ScalarType dtype, Number more = 2) const {
        return {number, roundings(computeType(dtype), terms + more, size)};
    }
};

void set(Expected& output, std::size_t at, const Answer& answer) {
    output.array.numbers[at] = answer.number;
    output.allowed[at] = answer.allowed;
}
Expected emptyOutput(ScalarType dtype, const Sizes& sizes) {
    Array array = zeros(dtype, sizes);
    std::vector<Number> allowed(array.count());
    return {std::move(array), std::move(allowed)};
}

Sum dot(const Array& left, const Array& right, std::int64_t row, std::int64_t column,
        std::int64_t batch = 0) {
    const std::int64_t inner = left.sizes.back();
    const std::int64_t columns = right.sizes.back();
    const std::int64_t rows = left.sizes[left.sizes.size() - 2];
    Sum sum;
    for (std::int64_t k = 0; k < inner; ++k) {
        sum.add(left.numbers[static_cast<std::size_t>((batch * rows + row) * inner + k)] *
                right.numbers[static_cast<std::size_t>((batch * inner + k) * columns + column)]);
    }
    return sum;
}

std::int64_t extent(Random& random) {
    return random.chance(4) ? 0 : random.chance(10) ? random.between(30, 70) : random.between(1, 9);
}

Case product(Random& random) {
    const ScalarType dtype = random.pick(productTypes);
    const std::int64_t inner = extent(random);
    const Array left = random.array(dtype, {extent(random), inner}, Values::Plain);
    const Array right = random.array(dtype, {inner, extent(random)}, Values::Plain);
    Expected output = emptyOutput(dtype, {left.sizes[0], right.sizes[1]});
    forEachIndex(output.array.sizes, [&](const Sizes& index) {
        set(output, offsetOf(output.array.sizes, index), dot(left, right, index[0], index[1]).in(dtype));
    });
    return {{left, right}, {std::move(output)}};
}

Case batchedProduct(Random& random) {
    const ScalarType dtype = random.pick(productTypes);
    const std::int64_t inner = extent(random);
    const std::int64_t batches = random.between(0, 4);
    const Array left = random.array(dtype, {batches, random.between(1, 9), inner}, Values::Plain);
    const Array right = random.array(dtype, {batches, inner, random.between(1, 9)}, Values::Plain);
    Expected output = emptyOutput(dtype, {batches, left.sizes[1], right.sizes[2]});
    forEachIndex(output.array.sizes, [&](const Sizes& index) {
        set(output, offsetOf(output.array.sizes, index),
            dot(left, right, index[1], index[2], index[0]).in(dtype));
    });
    return {{left, right}, {std::move(output)}};
}

Case addedProduct(Random& random) {
    const ScalarType dtype = random.pick({ScalarType::Float, ScalarType::Double});
    const std::int64_t inner = extent(random);
    const Array left = random.array(dtype, {extent(random), inner}, Values::Plain);
    const Array right = random.array(dtype, {inner, extent(random)}, Values::Plain);
    const Sizes sizes{left.sizes[0], right.sizes[1]};
    const Array added = random.array(dtype, random.broadcastable(sizes), Values::Plain);
    const double beta = random.real(-2, 2);
    const double alpha = random.real(-2, 2);
    Expected output = emptyOutput(dtype, sizes);
    forEachIndex(sizes, [&](const Sizes& index) {
        Sum sum = dot(left, right, index[0], index[1]);
        sum.number *= alpha;
        sum.size *= std::abs(alpha);
        sum.add(beta * added.numbers[broadcastOffset(added, index)]);
        set(output, offsetOf(sizes, index), sum.in(dtype, 4));
    });
    return {{added, left, right, beta, alpha}, {std::move(output)}};
}

Case linear(Random& random) {
    const ScalarType dtype = random.pick({ScalarType::Float, ScalarType::Double});
    const std::int64_t inner = random.between(1, 40);
    Sizes sizes = random.filledSizes(0, 2);
    sizes.push_back(inner);
    const Array input = random.array(dtype, sizes, Values::Plain);
    const Array weight = random.array(dtype, {random.between(1, 20), inner}, Values::Plain);
    std::optional<Array> bias;
    if (random.flip()) {
        bias = random.array(dtype, {weight.sizes[0]}, Values::Plain);
    }
    sizes.back() = weight.sizes[0];
    Expected output = emptyOutput(dtype, sizes);
    for (std::size_t at = 0; at < output.array.count(); ++at) {
        const auto columns = static_cast<std::size_t>(weight.sizes[0]);
        Sum sum;
        for (std::int64_t k = 0; k < inner; ++k) {
            const auto step = static_cast<std::size_t>(k);
            sum.add(input.numbers[at / columns * static_cast<std::size_t>(inner) + step] *
                    weight.numbers[at % columns * static_cast<std::size_t>(inner) + step]);
        }
        if (bias) {
            sum.add(bias->numbers[at % columns]);
        }
        set(output, at, sum.in(dtype));
    }
    return {{input, weight, bias ? Argument(*bias) : Argument(std::monostate{})}, {std::move(output)}};
}

/// How windows slide over each spatial dimension.
struct Windows {
    Dims kernel;
    Dims stride;
    Dims padding;
    Dims dilation;

    [[nodiscard]] std::int64_t reach(std::size_t dimension) const {
        return dilation[dimension] * (kernel[dimension] - 1) + 1;
    }
    [[nodiscard]] std::int64_t steps(std::size_t dimension, std::int64_t size) const {
        return (size + 2 * padding[dimension] - reach(dimension)) / stride[dimension] + 1;
    }
};
/// Windows, and sizes that each fits into.
std::pair<Windows, Dims> windowsOf(Random& random, std::size_t dimensions, bool dilates) {
    Windows made;
    Dims sizes;
    for (std::size_t dimension = 0; dimension < dimensions; ++dimension) {
        made.kernel.push_back(random.between(1, 3));
        made.stride.push_back(random.between(1, 3));
        made.padding.push_back(random.between(0, made.kernel.back() / 2));
        made.dilation.push_back(dilates ? random.between(1, 2) : 1);
        sizes.push_back(made.reach(dimension) + random.between(0, 6));
    }
    return {std::move(made), std::move(sizes)};
}

/// Calls `visit` with each place of the input that a window covers and with its tap; places in the padding
/// are left out.
template <class Visit>
void overWindow(const Windows& windows, const Dims& sizes, const Sizes& step, Visit&& visit) {
    forEachIndex(windows.kernel, [&](const Sizes& tap) {
        Sizes place;
        for (std::size_t dimension = 0; dimension < sizes.size(); ++dimension) {
            const std::int64_t at = step[dimension] * windows.stride[dimension] - windows.padding[dimension] +
                                    tap[dimension] * windows.dilation[dimension];
            if (at < 0 || at >= sizes[dimension]) {
                return;
            }
            place.push_back(at);
        }
        visit(place, tap);
    });
}

Sizes joined(Sizes front, const Sizes& back) {
    front.insert(front.end(), back.begin(), back.end());
    return front;
}

Case convolution(Random& random) {
    const ScalarType dtype = random.pick({ScalarType::Float, ScalarType::Float, ScalarType::Double});
    const std::size_t dimensions = random.flip() ? 2 : 1;
    const auto [windows, spatial] = windowsOf(random, dimensions, true);
    const std::int64_t groups = random.between(1, 3);
    const std::int64_t inChannels = random.between(1, 3);   // of a group
    const std::int64_t outChannels = random.between(1, 3);  // likewise
    const Array input =
        random.array(dtype, joined({random.between(1, 2), groups * inChannels}, spatial), Values::Plain);
    const Array weight =
        random.array(dtype, joined({groups * outChannels, inChannels}, windows.kernel), Values::Plain);
    const bool hasBias = random.flip();
    const Array bias = random.array(dtype, {groups * outChannels}, Values::Plain);
    Sizes sizes{input.sizes[0], groups * outChannels};
    for (std::size_t dimension = 0; dimension < dimensions; ++dimension) {
        sizes.push_back(windows.steps(dimension, spatial[dimension]));
    }
    Expected output = emptyOutput(dtype, sizes);
    forEachIndex(sizes, [&, &windows = windows, &spatial = spatial](const Sizes& index) {
        Sum sum;
        const std::int64_t group = index[1] / outChannels;
        overWindow(
            windows, spatial, Sizes(index.begin() + 2, index.end()),
            [&](const Sizes& place, const Sizes& tap) {
                for (std::int64_t channel = 0; channel < inChannels; ++channel) {
                    sum.add(input.numbers[offsetOf(input.sizes,
                                                   joined({index[0], group * inChannels + channel}, place))] *
                            weight.numbers[offsetOf(weight.sizes, joined({index[1], channel}, tap))]);
                }
            });
        if (hasBias) {
            sum.add(bias.numbers[static_cast<std::size_t>(index[1])]);
        }
        set(output, offsetOf(sizes, index), sum.in(dtype));
    });
    return {{input, weight, hasBias ? Argument(bias) : Argument(std::monostate{}), windows.stride,
             windows.padding, windows.dilation, false, Dims(dimensions, 0), groups},
            {std::move(output)}};
}

Case averagePool(Random& random) {
    const ScalarType dtype = random.pick({ScalarType::Float, ScalarType::Double});
    const auto [windows, spatial] = windowsOf(random, 2, false);
    const Array input =
        random.array(dtype, joined({random.between(1, 2), random.between(1, 4)}, spatial), Values::Plain);
    const bool countsPadding = random.flip();
    Sizes sizes{input.sizes[0], input.sizes[1], windows.steps(0, spatial[0]), windows.steps(1, spatial[1])};
    Expected output = emptyOutput(dtype, sizes);
    forEachIndex(sizes, [&, &windows = windows, &spatial = spatial](const Sizes& index) {
        Sum sum;
        overWindow(windows, spatial, {index[2], index[3]}, [&](const Sizes& place, const Sizes&) {
            sum.add(input.numbers[offsetOf(input.sizes, joined({index[0], index[1]}, place))]);
        });
        const Number count = countsPadding ? static_cast<Number>(elementCount(windows.kernel)) : sum.terms;
        sum.number /= count;
        sum.size /= count;
        set(output, offsetOf(sizes, index), sum.in(dtype));
    });
    return {{input, windows.kernel, windows.stride, windows.padding, false, countsPadding, std::monostate{}},
            {std::move(output)}};
}

Case maxPool(Random& random) {
    const ScalarType dtype =
        random.pick({ScalarType::Float, ScalarType::Double, ScalarType::Half, ScalarType::BFloat16});
    const auto [windows, spatial] = windowsOf(random, 2, true);
    const Array input = random.array(dtype, joined({random.between(1, 2), random.between(1, 4)}, spatial));
    Sizes sizes{input.sizes[0], input.sizes[1], windows.steps(0, spatial[0]), windows.steps(1, spatial[1])};
    Expected output = emptyOutput(dtype, sizes);
    Expected places = emptyOutput(ScalarType::Long, sizes);
    forEachIndex(sizes, [&, &windows = windows, &spatial = spatial](const Sizes& index) {
        std::optional<Number> greatest;
        std::int64_t best = 0;
        overWindow(windows, spatial, {index[2], index[3]}, [&](const Sizes& place, const Sizes&) {
            const Number number = input.numbers[offsetOf(input.sizes, joined({index[0], index[1]}, place))];
            // The last NaN wins, else the first of the greatest.
            if (!greatest || number > *greatest || std::isnan(number)) {
                greatest = number;
                best = place[0] * spatial[1] + place[1];
            }
        });
        set(output, offsetOf(sizes, index), {*greatest});
        set(places, offsetOf(sizes, index), {static_cast<Number>(best)});
    });
    return {{input, windows.kernel, windows.stride, windows.padding, windows.dilation, false},
            {std::move(output), std::move(places)}};
}

constexpr std::array rules{
    Rule{"aten::mm.out", &product},
    Rule{"aten::bmm.out", &batchedProduct},
    Rule{"aten::addmm.out", &addedProduct},
    Rule{"aten::linear.out", &linear},
    Rule{"aten::convolution.out", &convolution},
    Rule{"aten::avg_pool2d.out", &averagePool},
    Rule{"aten::max_pool2d_with_indices.out", &maxPool},
};

}  // namespace dense
}  // namespace

std::span<const Rule> denseRules() {
    return dense::rules;
}

}  // namespace et::test::operators
