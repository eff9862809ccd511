#include "tests/operators/families.h"
#include "tests/operators/windows.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdint>
#include <optional>
#include <utility>

namespace et::test::operators {
namespace {
namespace dense {

using namespace windowed;

constexpr std::initializer_list<ScalarType> productTypes{
    ScalarType::Float,    ScalarType::Float, ScalarType::Double, ScalarType::Half,
    ScalarType::BFloat16, ScalarType::Int,   ScalarType::Long};

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

Case convolution(Random& random) {
    const ScalarType dtype = random.pick({ScalarType::Float, ScalarType::Float, ScalarType::Double});
    const std::size_t dimensions = random.flip() ? 2 : 1;
    const auto [windows, spatial] = windowsOf(random, dimensions, true);
    const std::int64_t groups = random.between(1, 3);
    const std::int64_t inChannels = random.between(1, 3);   // per group
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

/// Spreads each input element over the positions of its window.
Case transposedConvolution(Random& random) {
    const ScalarType dtype = random.pick({ScalarType::Float, ScalarType::Float, ScalarType::Double});
    const std::size_t dimensions = random.flip() ? 2 : 1;
    const auto [windows, unused] = windowsOf(random, dimensions, true);
    Dims spatial;
    Dims added;
    Dims wide;
    for (std::size_t dimension = 0; dimension < dimensions; ++dimension) {
        const std::int64_t most = std::max(windows.stride[dimension], windows.dilation[dimension]) - 1;
        spatial.push_back(random.between(2, 6));
        added.push_back(random.between(0, most));
        wide.push_back((spatial.back() - 1) * windows.stride[dimension] - 2 * windows.padding[dimension] +
                       windows.reach(dimension) + added.back());
    }
    const std::int64_t groups = random.between(1, 3);
    const std::int64_t inChannels = random.between(1, 3);
    const std::int64_t outChannels = random.between(1, 3);
    const Array input =
        random.array(dtype, joined({random.between(1, 2), groups * inChannels}, spatial), Values::Plain);
    const Array weight =
        random.array(dtype, joined({groups * inChannels, outChannels}, windows.kernel), Values::Plain);
    const bool hasBias = random.flip();
    const Array bias = random.array(dtype, {groups * outChannels}, Values::Plain);
    const Sizes sizes = joined({input.sizes[0], groups * outChannels}, wide);
    std::vector<Sum> sums(static_cast<std::size_t>(elementCount(sizes)));
    std::size_t from = 0;
    forEachIndex(input.sizes, [&, &windows = windows](const Sizes& index) {
        const Number number = input.numbers[from++];
        overWindow(
            windows, wide, Sizes(index.begin() + 2, index.end()), [&](const Sizes& place, const Sizes& tap) {
                for (std::int64_t channel = 0; channel < outChannels; ++channel) {
                    const std::int64_t to = index[1] / inChannels * outChannels + channel;
                    sums[offsetOf(sizes, joined({index[0], to}, place))].add(
                        number * weight.numbers[offsetOf(weight.sizes, joined({index[1], channel}, tap))]);
                }
            });
    });
    Expected output = emptyOutput(dtype, sizes);
    std::size_t at = 0;
    forEachIndex(sizes, [&](const Sizes& index) {
        if (hasBias) {
            sums[at].add(bias.numbers[static_cast<std::size_t>(index[1])]);
        }
        set(output, at, sums[at].in(dtype));
        ++at;
    });
    return {{input, weight, hasBias ? Argument(bias) : Argument(std::monostate{}), windows.stride,
             windows.padding, windows.dilation, true, added, groups},
            {std::move(output)}};
}

constexpr std::array rules{
    Rule{"aten::mm.out", &product},
    Rule{"aten::bmm.out", &batchedProduct},
    Rule{"aten::addmm.out", &addedProduct},
    Rule{"aten::linear.out", &linear},
    Rule{"aten::convolution.out", &convolution},
    Rule{"aten::convolution.out", &transposedConvolution},
};

}  // namespace dense
}  // namespace

std::span<const Rule> denseRules() {
    return dense::rules;
}

}  // namespace et::test::operators
