#include "tests/operators/families.h"
#include "tests/operators/moments.h"
#include "tests/operators/reduction.h"

#include <algorithm>
#include <cmath>
#include <optional>

namespace et::test::operators {
namespace {
namespace normalization_rules {

using namespace reduction;

/// One number per channel or group element, or none.
using Parameter = std::optional<Array>;

Parameter parameter(Random& random, ScalarType dtype, const Sizes& sizes) {
    return random.chance(70) ? Parameter(random.array(dtype, sizes, Values::Plain)) : std::nullopt;
}
Argument asArgument(const Parameter& parameter) {
    return parameter ? Argument(*parameter) : Argument(std::monostate{});
}
Number numberOf(const Parameter& parameter, std::size_t at, Number otherwise) {
    return parameter ? parameter->numbers[at] : otherwise;
}

/// The dtype of the other arguments: the input's dtype, or float32 for 16-bit inputs.
ScalarType besides(Random& random, ScalarType dtype) {
    return random.flip() ? dtype : computeType(dtype);
}

/// Mean and scale used to normalize a group.
struct Scale {
    Answer mean;
    Answer reciprocal;  ///< 1 / sqrt(variance + eps)
};

Answer reciprocalRoot(ScalarType dtype, const Answer& variance, Number eps) {
    const Number base = variance.number + eps;
    const Number answer = 1 / std::sqrt(base);
    const Number least = std::max(base - variance.allowed, base / 100);
    return {answer, 1 / std::sqrt(least) - answer + roundings(computeType(dtype), 4, answer)};
}

Scale scaleOf(ScalarType dtype, const std::vector<Number>& numbers, Number eps) {
    const Moments moments = momentsOf(dtype, numbers);
    return {{moments.mean, moments.meanAllowed},
            reciprocalRoot(dtype, {moments.squares / moments.count, moments.squaresAllowed / moments.count},
                           eps)};
}

/// (x - mean) * reciprocal * weight + bias
Answer normalized(ScalarType dtype, Number x, const Scale& scale, Number weight, Number bias) {
    const Number distance = x - scale.mean.number;
    const Number product = distance * scale.reciprocal.number * weight;
    const Number reciprocal = scale.reciprocal.number + scale.reciprocal.allowed;
    return {product + bias, std::abs(weight) * (scale.mean.allowed * reciprocal +
                                                std::abs(distance) * scale.reciprocal.allowed) +
                                roundings(computeType(dtype), 6, std::abs(product) + std::abs(bias))};
}

void put(Expected& output, std::size_t at, const Answer& answer) {
    output.array.numbers[at] = answer.number;
    output.allowed[at] = answer.allowed;
}
Expected room(ScalarType dtype, const Sizes& sizes) {
    return {zeros(dtype, sizes), std::vector<Number>(static_cast<std::size_t>(elementCount(sizes)))};
}

double epsilon(Random& random) {
    return random.pick({1e-5, 1e-3, 0.1});
}

Case layerNorm(Random& random) {
    const Sizes sizes = sizesForThreads(random, 1);
    const auto covered = static_cast<std::size_t>(random.between(1, static_cast<std::int64_t>(sizes.size())));
    const Sizes shape(sizes.end() - static_cast<std::ptrdiff_t>(covered), sizes.end());
    const Array input = random.array(random.pick(floats), sizes, Values::Plain);
    const ScalarType other = besides(random, input.dtype);
    const Parameter weight = parameter(random, other, shape);
    const Parameter bias = parameter(random, other, shape);
    const double eps = epsilon(random);
    std::vector<bool> reduced(sizes.size());
    std::fill(reduced.end() - static_cast<std::ptrdiff_t>(covered), reduced.end(), true);
    const Groups groups = groupsOf(sizes, reduced, true);
    Expected output = room(input.dtype, sizes);
    Expected mean = room(other, groups.sizes);
    Expected reciprocal = room(other, groups.sizes);
    for (std::size_t group = 0; group < groups.members.size(); ++group) {
        const auto& members = groups.members[group];
        const Scale scale = scaleOf(input.dtype, numbersOfGroup(input, members), eps);
        put(mean, group, scale.mean);
        put(reciprocal, group, scale.reciprocal);
        for (std::size_t at = 0; at < members.size(); ++at) {
            put(output, members[at],
                normalized(input.dtype, input.numbers[members[at]], scale, numberOf(weight, at, 1),
                           numberOf(bias, at, 0)));
        }
    }
    return {{input, shape, asArgument(weight), asArgument(bias), eps},
            {std::move(output), std::move(mean), std::move(reciprocal)}};
}

Case groupNorm(Random& random) {
    Sizes sizes = sizesForThreads(random, 2);
    const std::int64_t count = random.between(1, 3);
    const std::int64_t each = sizes[1] == 0 ? 0 : random.between(1, 3);
    sizes[1] = count * each;
    const Array input = random.array(random.pick(floats), sizes, Values::Plain);
    const ScalarType other = besides(random, input.dtype);
    const Parameter weight = parameter(random, other, {sizes[1]});
    const Parameter bias = parameter(random, other, {sizes[1]});
    const double eps = epsilon(random);
    const std::int64_t pixels = elementCount(Sizes(sizes.begin() + 2, sizes.end()));
    Expected output = room(input.dtype, sizes);
    Expected mean = room(other, {sizes[0], count});
    Expected reciprocal = room(other, {sizes[0], count});
    mean.hasNumbers = reciprocal.hasNumbers = pixels * each != 0;
    const auto length = static_cast<std::size_t>(each * pixels);
    for (std::size_t group = 0; group < mean.array.count(); ++group) {
        const auto first = input.numbers.begin() + static_cast<std::ptrdiff_t>(group * length);
        const std::vector<Number> numbers(first, first + static_cast<std::ptrdiff_t>(length));
        const Scale scale = scaleOf(input.dtype, numbers, eps);
        put(mean, group, scale.mean);
        put(reciprocal, group, scale.reciprocal);
        for (std::size_t at = 0; at < length; ++at) {
            const std::size_t channel =
                group % static_cast<std::size_t>(count) * static_cast<std::size_t>(each) +
                at / static_cast<std::size_t>(pixels);
            put(output, group * length + at,
                normalized(input.dtype, numbers[at], scale, numberOf(weight, channel, 1),
                           numberOf(bias, channel, 0)));
        }
    }
    return {{input, asArgument(weight), asArgument(bias), sizes[0], sizes[1], pixels, count, eps},
            {std::move(output), std::move(mean), std::move(reciprocal)}};
}

/// Input, weight, bias, and the elements of each channel.
struct Batch {
    Array input;
    ScalarType other;
    Parameter weight;
    Parameter bias;
    Groups channels;
    double momentum;
    double eps;
};

Batch batch(Random& random) {
    const Sizes sizes = sizesForThreads(random, 2);
    Batch made;
    made.input = random.array(random.pick(floats), sizes, Values::Plain);
    made.other = besides(random, made.input.dtype);
    made.weight = parameter(random, made.other, {sizes[1]});
    made.bias = parameter(random, made.other, {sizes[1]});
    std::vector<bool> reduced(sizes.size(), true);
    reduced[1] = false;
    made.channels = groupsOf(sizes, reduced, false);
    made.momentum = random.real(0, 1);
    made.eps = epsilon(random);
    return made;
}

Expected normalizedBatch(const Batch& made, const std::vector<Scale>& scales) {
    Expected output = room(made.input.dtype, made.input.sizes);
    for (std::size_t channel = 0; channel < scales.size(); ++channel) {
        for (const std::size_t at : made.channels.members[channel]) {
            put(output, at,
                normalized(made.input.dtype, made.input.numbers[at], scales[channel],
                           numberOf(made.weight, channel, 1), numberOf(made.bias, channel, 0)));
        }
    }
    return output;
}

struct Running {
    Array mean;
    Array variance;

    [[nodiscard]] std::vector<Scale> scales(const Batch& made) const {
        std::vector<Scale> all;
        for (std::size_t channel = 0; channel < mean.count(); ++channel) {
            const Number center = mean.numbers[channel];
            all.push_back({{center, roundings(computeType(made.input.dtype), 1, center)},
                           reciprocalRoot(made.input.dtype, {variance.numbers[channel], 0}, made.eps)});
        }
        return all;
    }
};
Running running(Random& random, const Batch& made) {
    const Sizes sizes{made.input.sizes[1]};
    return {random.array(made.other, sizes, Values::Plain),
            random.array(made.other, sizes, Values::Positive)};
}

Case batchNormOfRunning(Random& random) {
    const Batch made = batch(random);
    const Running statistics = running(random, made);
    return {{made.input, asArgument(made.weight), asArgument(made.bias), statistics.mean, statistics.variance,
             made.momentum, made.eps},
            {normalizedBatch(made, statistics.scales(made)), room(made.other, {0}), room(made.other, {0})}};
}

/// Statistics of a batch and the results that depend on them.
struct Seen {
    std::vector<Scale> scales;
    std::vector<Answer> variances;
    Expected mean;
    Expected reciprocal;
};
Seen seenIn(const Batch& made) {
    Seen seen{{}, {}, room(made.other, made.channels.sizes), room(made.other, made.channels.sizes)};
    for (std::size_t channel = 0; channel < made.channels.members.size(); ++channel) {
        const auto numbers = numbersOfGroup(made.input, made.channels.members[channel]);
        const Moments moments = momentsOf(made.input.dtype, numbers);
        seen.variances.push_back({moments.squares / moments.count, moments.squaresAllowed / moments.count});
        seen.scales.push_back(scaleOf(made.input.dtype, numbers, made.eps));
        put(seen.mean, channel, seen.scales.back().mean);
        put(seen.reciprocal, channel, seen.scales.back().reciprocal);
        seen.mean.hasNumbers = seen.reciprocal.hasNumbers = !numbers.empty();
    }
    return seen;
}

Case batchNormOfBatch(Random& random) {
    const Batch made = batch(random);
    Seen seen = seenIn(made);
    return {
        {made.input, asArgument(made.weight), asArgument(made.bias), random.flip(), made.momentum, made.eps},
        {normalizedBatch(made, seen.scales), std::move(seen.mean), std::move(seen.reciprocal)}};
}

/// old * (1 - momentum) + seen * momentum
Answer updated(ScalarType dtype, Number old, const Answer& seen, Number momentum) {
    return {
        old * (1 - momentum) + seen.number * momentum,
        seen.allowed * momentum + roundings(computeType(dtype), 4, std::abs(old) + std::abs(seen.number))};
}

/// Computes the running statistics after a batch; the variance is the unbiased one (n - 1).
void train(const Batch& made, const Running& before, const Seen& seen, Expected& mean, Expected& variance) {
    mean = room(made.other, before.mean.sizes);
    variance = room(made.other, before.mean.sizes);
    for (std::size_t channel = 0; channel < seen.scales.size(); ++channel) {
        const auto count = static_cast<Number>(made.channels.members[channel].size());
        const Number factor = count / (count - 1);
        const Answer spread = seen.variances[channel];
        put(mean, channel,
            updated(made.other, before.mean.numbers[channel], seen.scales[channel].mean, made.momentum));
        put(variance, channel,
            updated(made.other, before.variance.numbers[channel],
                    {spread.number * factor, spread.allowed * factor}, made.momentum));
        mean.hasNumbers = count > 0;
        variance.hasNumbers = count > 1;
    }
}

Case batchNorm(Random& random) {
    const Batch made = batch(random);
    const Running before = running(random, made);
    const bool training = random.flip();
    Case result{{made.input, asArgument(made.weight), asArgument(made.bias), before.mean, before.variance,
                 training, made.momentum, made.eps}};
    Expected mean{before.mean};
    Expected variance{before.variance};
    if (training) {
        Seen seen = seenIn(made);
        train(made, before, seen, mean, variance);
        result.outputs = {normalizedBatch(made, seen.scales), std::move(seen.mean),
                          std::move(seen.reciprocal)};
    } else {
        result.outputs = {normalizedBatch(made, before.scales(made)), room(made.other, {0}),
                          room(made.other, {0})};
    }
    result.changes = {{3, std::move(mean)}, {4, std::move(variance)}};
    return result;
}

/// exp(x - largest) / sum, or its logarithm; infinite where x is.
struct Line {
    Number largest = -infinity;
    Number sum = 0;

    explicit Line(const std::vector<Number>& numbers) {
        for (const Number number : numbers) {
            largest = number > largest || std::isnan(number) ? number : largest;
        }
        for (const Number number : numbers) {
            sum += std::exp(number - largest);
        }
    }
};

template <bool logarithm>
Answer softmaxOf(ScalarType dtype, const Line& line, std::size_t count, Number x) {
    const Number below = x - line.largest;
    const Number answer = logarithm ? below - std::log(line.sum) : std::exp(below) / line.sum;
    if (!std::isfinite(answer)) {
        return {answer, 0};
    }
    const ScalarType compute = computeType(dtype);
    if (logarithm) {
        return {answer, roundings(compute, stepsOf(count), 1 + std::abs(below) + std::log(line.sum))};
    }
    // A subnormal exponential may be 0.
    const Number exponential = std::exp(below);
    const Number lost = exponential < 2 * smallestNormal(compute) ? answer : 0;
    return {answer,
            lost + (below == -infinity ? 0 : roundings(compute, stepsOf(count) + std::abs(below), answer))};
}

/// PyTorch keeps the sum and its logarithm in float16 or bfloat16 if the lines run along the last dimension.
Number lostInSum(ScalarType dtype, const Line& line) {
    return core::isReducedFloat(dtype) ? roundings(dtype, 2, 1 + std::log(line.sum)) : 0;
}

template <bool logarithm>
Case softmax(Random& random) {
    const Sizes sizes = sizesForThreads(random);
    const Array input = random.array(random.pick(floats), sizes);
    const Dims dims = oneDim(random, sizes);
    const bool toFloat = input.dtype == ScalarType::Half && random.chance(20);
    const bool isLast = sizes.empty() || dims.reduced.back();
    Expected output = room(toFloat ? ScalarType::Float : input.dtype, sizes);
    for (const auto& members : groupsOf(sizes, dims.reduced, true).members) {
        const Line line(numbersOfGroup(input, members));
        for (const std::size_t at : members) {
            Answer answer = softmaxOf<logarithm>(input.dtype, line, members.size(), input.numbers[at]);
            if (logarithm && isLast && !toFloat && std::isfinite(answer.number)) {
                answer.allowed += lostInSum(input.dtype, line);
            }
            put(output, at, answer);
        }
    }
    return {{input, dims.argument, toFloat}, {std::move(output)}};
}

constexpr Rule rules[] = {
    Rule{"aten::_softmax.out", &softmax<false>},
    Rule{"aten::_log_softmax.out", &softmax<true>},
    Rule{"aten::native_layer_norm.out", &layerNorm},
    Rule{"aten::native_group_norm.out", &groupNorm},
    Rule{"aten::_native_batch_norm_legit_no_training.out", &batchNormOfRunning},
    Rule{"aten::_native_batch_norm_legit.no_stats_out", &batchNormOfBatch},
    Rule{"aten::_native_batch_norm_legit.out", &batchNorm},
};

}  // namespace normalization_rules
}  // namespace

std::span<const Rule> normalizationRules() {
    return normalization_rules::rules;
}

}  // namespace et::test::operators
