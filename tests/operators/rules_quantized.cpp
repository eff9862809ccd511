#include "tests/operators/families.h"
#include "tests/operators/windows.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdint>
#include <utility>
#include <vector>

namespace et::test::operators {
namespace {
namespace quantized {

using namespace windowed;

struct Range {
    ScalarType dtype;
    std::int64_t low;
    std::int64_t high;
};
Range anyRange(Random& random) {
    const ScalarType dtype =
        random.pick({ScalarType::Byte, ScalarType::Char, ScalarType::Short, ScalarType::Int});
    const auto lowestOf = static_cast<std::int64_t>(lowest(dtype));
    const auto highestOf = static_cast<std::int64_t>(highest(dtype));
    if (random.flip() && (dtype == ScalarType::Byte || dtype == ScalarType::Char)) {
        return {dtype, lowestOf, highestOf};
    }
    return {dtype, std::max<std::int64_t>(lowestOf, -random.between(1, 100)),
            std::min<std::int64_t>(highestOf, random.between(1, 100))};
}

Argument typeOf(ScalarType dtype) {
    return static_cast<std::int64_t>(dtype);
}

Array scales(Random& random, const Sizes& sizes) {
    Array made = zeros(ScalarType::Float, sizes);
    for (Number& number : made.numbers) {
        number = random.flip() ? 0.0625L : rounded(ScalarType::Float, random.real(0.01, 0.5));
    }
    return made;
}
Array zeroPoints(Random& random, const Sizes& sizes, const Range& range) {
    Array made = zeros(ScalarType::Long, sizes);
    for (Number& number : made.numbers) {
        number = static_cast<Number>(
            random.between(std::max<std::int64_t>(range.low, -50), std::min<std::int64_t>(range.high, 50)));
    }
    return made;
}

/// Per-token quantization adds the zero point before rounding. A number may round to either step if the
/// quotient is close to the middle.
Answer toSteps(Number number, Number scale, Number zeroPoint, const Range& range, bool roundsLast) {
    const Number steps = number / scale;
    const Number middle = std::abs(std::abs(steps - std::trunc(steps)) - 0.5L);
    const bool isExact = scale == 0.0625L;  // its inverse is exact, too
    const Number whole = roundsLast ? std::nearbyint(steps + zeroPoint) : std::nearbyint(steps) + zeroPoint;
    const Number rest = std::clamp(whole, static_cast<Number>(range.low), static_cast<Number>(range.high));
    return {rest, !isExact && middle < 1e-4L ? Number{1} : Number{0}};
}
Answer fromSteps(Number steps, Number scale, Number zeroPoint) {
    const Number number = (steps - zeroPoint) * scale;
    return {number, roundings(ScalarType::Float, 3, number)};
}

/// Granularity of scale and zero point.
enum class Per : std::uint8_t { Tensor, Channel, Token };

/// A float or quantized tensor with its scales and zero points.
struct Quantity {
    Array input;
    Range range;
    Array scale;
    Array zeroPoint;
    std::size_t axis = 0;
    Per per = Per::Tensor;

    [[nodiscard]] std::size_t parameter(const Sizes& index) const {
        switch (per) {
            case Per::Tensor:
                return 0;
            case Per::Channel:
                return static_cast<std::size_t>(index[axis]);
            case Per::Token:
                return broadcastOffset(scale, index);
        }
        return 0;
    }
    [[nodiscard]] Argument scaleNumber() const { return static_cast<double>(scale.numbers[0]); }
    [[nodiscard]] Argument zeroNumber() const { return static_cast<std::int64_t>(zeroPoint.numbers[0]); }
};
Quantity quantity(Random& random, Per per, bool isFloat) {
    Quantity made{.input = {}, .range = anyRange(random), .scale = {}, .zeroPoint = {}, .per = per};
    const Sizes sizes = per == Per::Tensor ? random.sizes() : random.filledSizes(1);
    made.input = random.array(isFloat ? ScalarType::Float : made.range.dtype, sizes, Values::Plain);
    if (!isFloat) {
        for (Number& number : made.input.numbers) {
            number =
                std::clamp(number, static_cast<Number>(made.range.low), static_cast<Number>(made.range.high));
        }
    }
    Sizes parameters;
    if (per == Per::Channel) {
        made.axis = static_cast<std::size_t>(random.below(made.input.dim()));
        parameters = {sizes[made.axis]};
    } else if (per == Per::Token) {
        parameters = sizes;
        parameters.back() = 1;
    } else if (random.flip()) {
        parameters = {1};
    }
    made.scale = scales(random, parameters);
    made.zeroPoint = zeroPoints(random, parameters, made.range);
    return made;
}

Expected converted(const Quantity& of, bool quantizes) {
    Expected output = emptyOutput(quantizes ? of.range.dtype : ScalarType::Float, of.input.sizes);
    std::size_t at = 0;
    forEachIndex(of.input.sizes, [&](const Sizes& index) {
        const std::size_t parameter = of.parameter(index);
        const Number scale = of.scale.numbers[parameter];
        const Number zero = of.zeroPoint.numbers[parameter];
        set(output, at,
            quantizes ? toSteps(of.input.numbers[at], scale, zero, of.range, of.per == Per::Token)
                      : fromSteps(of.input.numbers[at], scale, zero));
        ++at;
    });
    return output;
}

Array one(std::int64_t number) {
    Array made = zeros(ScalarType::Long, {1});
    made.numbers[0] = static_cast<Number>(number);
    return made;
}

/// Whether scale and zero point (and the range) are passed as numbers or tensors.
enum class As : std::uint8_t { Numbers, Tensors, AllTensors };

template <As as, bool quantizes>
Case perTensor(Random& random) {
    const Quantity of = quantity(random, Per::Tensor, quantizes);
    Case made{{of.input}, {converted(of, quantizes)}};
    if (as == As::Numbers) {
        made.arguments.insert(made.arguments.end(), {of.scaleNumber(), of.zeroNumber()});
    } else {
        made.arguments.insert(made.arguments.end(), {of.scale, of.zeroPoint});
    }
    if (as == As::AllTensors) {
        made.arguments.insert(made.arguments.end(), {one(of.range.low), one(of.range.high)});
    } else {
        made.arguments.insert(made.arguments.end(), {of.range.low, of.range.high});
    }
    made.arguments.push_back(typeOf(of.range.dtype));
    if (!quantizes) {
        made.arguments.emplace_back(random.flip() ? Argument(std::monostate{}) : typeOf(ScalarType::Float));
    }
    return made;
}

template <bool quantizes>
Case perChannel(Random& random) {
    Quantity of = quantity(random, Per::Channel, quantizes);
    const bool hasZeros = quantizes || random.flip();
    if (!hasZeros) {
        std::ranges::fill(of.zeroPoint.numbers, 0);
    }
    Case made{{of.input, of.scale, hasZeros ? Argument(of.zeroPoint) : Argument(std::monostate{}),
               random.either(static_cast<std::int64_t>(of.axis), of.input.dim()), of.range.low, of.range.high,
               typeOf(of.range.dtype)},
              {converted(of, quantizes)}};
    if (!quantizes) {
        made.arguments.emplace_back(random.flip() ? Argument(std::monostate{}) : typeOf(ScalarType::Float));
    }
    return made;
}

template <bool quantizes>
Case perToken(Random& random) {
    const Quantity of = quantity(random, Per::Token, quantizes);
    Case made{{of.input, of.scale, of.zeroPoint, of.range.low, of.range.high, typeOf(of.range.dtype)},
              {converted(of, quantizes)}};
    if (!quantizes) {
        made.arguments.push_back(typeOf(ScalarType::Float));
    }
    return made;
}

Case sum(Random& random) {
    Quantity left = quantity(random, Per::Tensor, false);
    const Array right = random.array(left.range.dtype, left.input.sizes, Values::Plain);
    const Array scale = scales(random, {3});
    const Array zero = zeroPoints(random, {3}, left.range);
    const auto lowestOf = static_cast<std::int64_t>(lowest(left.range.dtype));
    const auto highestOf = static_cast<std::int64_t>(highest(left.range.dtype));
    Case made;
    for (std::size_t side = 0; side < 3; ++side) {
        if (side < 2) {
            made.arguments.emplace_back(side == 0 ? left.input : right);
        }
        const bool isOut = side == 2;
        made.arguments.insert(
            made.arguments.end(),
            {static_cast<double>(scale.numbers[side]), static_cast<std::int64_t>(zero.numbers[side]),
             isOut ? left.range.low : lowestOf, isOut ? left.range.high : highestOf});
    }
    Expected output = emptyOutput(left.range.dtype, left.input.sizes);
    for (std::size_t at = 0; at < right.count(); ++at) {
        const Number number = fromSteps(left.input.numbers[at], scale.numbers[0], zero.numbers[0]).number +
                              fromSteps(right.numbers[at], scale.numbers[1], zero.numbers[1]).number;
        set(output, at, toSteps(number, scale.numbers[2], zero.numbers[2], left.range, false));
    }
    made.outputs = {std::move(output)};
    return made;
}

/// Rows of a weight, with one scale per row or per group of elements.
struct Rows {
    std::vector<Number> steps;
    std::int64_t width = 0;
    Array scale;
    Array zeroPoint;
    bool hasZeros = false;

    [[nodiscard]] Answer number(std::int64_t row, std::int64_t column) const {
        const std::int64_t groups = scale.sizes.size() == 2 ? scale.sizes[1] : 1;
        const auto group = static_cast<std::size_t>(row * groups + column / (width / groups));
        return fromSteps(steps[static_cast<std::size_t>(row * width + column)], scale.numbers[group],
                         hasZeros ? zeroPoint.numbers[group] : 0);
    }
    [[nodiscard]] Argument zeros() const {
        return hasZeros ? Argument(zeroPoint) : Argument(std::monostate{});
    }
};
Rows rowsOf(Random& random, std::int64_t rows, std::int64_t groups, std::int64_t group) {
    Rows made;
    made.width = groups * group;
    made.hasZeros = random.flip();
    made.steps.resize(static_cast<std::size_t>(rows * made.width));
    const Sizes sizes = groups == 1 && random.flip() ? Sizes{rows} : Sizes{rows, groups};
    made.scale = scales(random, sizes);
    made.zeroPoint = zeroPoints(random, sizes, {ScalarType::Char, -8, 7});
    made.zeroPoint.dtype = ScalarType::Float;
    return made;
}

template <int bits, bool hasDtype>
Case embedding(Random& random) {
    const std::int64_t count = random.between(1, 9);
    Rows rows = rowsOf(random, count, random.between(1, 3), 4 * random.between(1, 5));
    constexpr std::int64_t perByte = 8 / bits;
    Array weight = zeros(bits == 8 && random.flip() ? ScalarType::Char : ScalarType::Byte,
                         {count, rows.width / perByte});
    for (std::size_t at = 0; at < rows.steps.size(); ++at) {
        const std::int64_t low = bits < 8 ? -(1 << (bits - 1)) : weight.dtype == ScalarType::Char ? -128 : 0;
        const std::int64_t raw = random.below(1 << bits);
        rows.steps[at] = static_cast<Number>(raw + low);
        const auto within = static_cast<std::int64_t>(at) % perByte;
        // 4 bits: high half first; 2 bits: low bits first.
        const std::int64_t shift = bits == 4 ? 4 - 4 * within : bits == 2 ? 2 * within : 0;
        weight.numbers[at / perByte] += static_cast<Number>((bits == 8 ? raw + low : raw) << shift);
    }
    const Array indices =
        random.indices(random.pick({ScalarType::Long, ScalarType::Int}), random.sizes(1, 2), count);
    Expected output = emptyOutput(ScalarType::Float, indices.sizes);
    output.array.sizes.push_back(rows.width);
    output.array.numbers.clear();
    output.allowed.clear();
    for (const Number index : indices.numbers) {
        for (std::int64_t column = 0; column < rows.width; ++column) {
            const Answer answer = rows.number(static_cast<std::int64_t>(index), column);
            output.array.numbers.push_back(answer.number);
            output.allowed.push_back(answer.allowed);
        }
    }
    Case made{{weight, rows.scale, rows.zeros(), std::int64_t{0}, std::int64_t{0}, indices},
              {std::move(output)}};
    if (hasDtype) {
        made.arguments.emplace_back(random.flip() ? Argument(std::monostate{}) : typeOf(ScalarType::Float));
    }
    return made;
}

/// Weight rows are output columns (linear) or the summed dimension (mm).
template <bool isLinear>
Case mixed(Random& random) {
    const std::int64_t inner = random.between(1, 4) * random.between(1, 5);
    const std::int64_t columns = random.between(1, 9);
    Rows rows = isLinear ? rowsOf(random, columns, 1, inner) : rowsOf(random, inner, 1, columns);
    Array weight = random.array(ScalarType::Char, isLinear ? Sizes{columns, inner} : Sizes{inner, columns});
    rows.steps = weight.numbers;
    const Array input = random.array(ScalarType::Float, {random.between(1, 9), inner}, Values::Plain);
    Expected output = emptyOutput(ScalarType::Float, {input.sizes[0], columns});
    forEachIndex(output.array.sizes, [&](const Sizes& index) {
        Sum sum;
        for (std::int64_t k = 0; k < inner; ++k) {
            sum.add(input.numbers[static_cast<std::size_t>(index[0] * inner + k)] *
                    (isLinear ? rows.number(index[1], k) : rows.number(k, index[1])).number);
        }
        set(output, offsetOf(output.array.sizes, index), sum.in(ScalarType::Float, 6));
    });
    Case made{{input, weight, rows.scale, rows.zeros()}, {std::move(output)}};
    if (isLinear) {
        made.arguments.emplace_back(std::monostate{});
    }
    return made;
}

constexpr std::array rules{
    Rule{"quantized_decomposed::quantize_per_tensor.out", &perTensor<As::Numbers, true>},
    Rule{"quantized_decomposed::quantize_per_tensor.Tensor_out", &perTensor<As::Tensors, true>},
    Rule{"quantized_decomposed::quantize_per_tensor.tensor_out", &perTensor<As::Tensors, true>},
    Rule{"quantized_decomposed::quantize_per_tensor.Tensor_args_out", &perTensor<As::AllTensors, true>},
    Rule{"quantized_decomposed::quantize_per_tensor.tensor2_out", &perTensor<As::AllTensors, true>},
    Rule{"quantized_decomposed::dequantize_per_tensor.out", &perTensor<As::Numbers, false>},
    Rule{"quantized_decomposed::dequantize_per_tensor.Tensor_out", &perTensor<As::Tensors, false>},
    Rule{"quantized_decomposed::dequantize_per_tensor.tensor_out", &perTensor<As::Tensors, false>},
    Rule{"quantized_decomposed::dequantize_per_tensor.tensor2_out", &perTensor<As::AllTensors, false>},
    Rule{"quantized_decomposed::dequantize_per_tensor.Tensor_args_out", &perTensor<As::AllTensors, false>},
    Rule{"quantized_decomposed::quantize_per_channel.out", &perChannel<true>},
    Rule{"quantized_decomposed::dequantize_per_channel.out", &perChannel<false>},
    Rule{"quantized_decomposed::quantize_per_token.out", &perToken<true>},
    Rule{"quantized_decomposed::dequantize_per_token.out", &perToken<false>},
    Rule{"quantized_decomposed::add.out", &sum},
    Rule{"quantized_decomposed::embedding_byte.out", &embedding<8, false>},
    Rule{"quantized_decomposed::embedding_byte.dtype_out", &embedding<8, true>},
    Rule{"quantized_decomposed::embedding_4bit.out", &embedding<4, false>},
    Rule{"quantized_decomposed::embedding_4bit.dtype_out", &embedding<4, true>},
    Rule{"quantized_decomposed::embedding_2bit.out", &embedding<2, false>},
    Rule{"quantized_decomposed::embedding_2bit.dtype_out", &embedding<2, true>},
    Rule{"quantized_decomposed::mixed_mm.out", &mixed<false>},
    Rule{"quantized_decomposed::mixed_linear.out", &mixed<true>},
};

}  // namespace quantized
}  // namespace

std::span<const Rule> quantizedRules() {
    return quantized::rules;
}

}  // namespace et::test::operators
