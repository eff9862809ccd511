#include "tests/operators/families.h"
#include "tests/operators/layout.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdint>
#include <vector>

namespace et::test::operators {
namespace {
namespace creation {

using namespace layout;

Array filled(ScalarType dtype, const Sizes& sizes, Number number) {
    Array made = zeros(dtype, sizes);
    std::ranges::fill(made.numbers, number);
    return made;
}

/// No memory format, or contiguous.
Argument memoryFormat(Random& random) {
    return random.flip() ? Argument(std::monostate{}) : Argument(std::int64_t{0});
}

template <int number>
Case constantOf(Random& random) {
    const Sizes sizes = random.sizes();
    return {{Dims(sizes)}, {{filled(random.pick(realTypes), sizes, number)}}};
}

template <int number>
Case constantLike(Random& random) {
    const Array input = random.array(random.pick(realTypes), random.sizes());
    return {{input, memoryFormat(random)}, {{filled(input.dtype, input.sizes, number)}}};
}

template <int number>
Case newConstant(Random& random) {
    const Array input = random.array(random.pick(realTypes), random.sizes());
    const Sizes sizes = random.sizes();
    return {{input, Dims(sizes)}, {{filled(input.dtype, sizes, number)}}};
}

Case fullLike(Random& random) {
    const Array input = random.array(random.pick(numbersOf), random.sizes());
    const std::int64_t value = random.between(0, 100);
    return {{input, value, memoryFormat(random)},
            {{filled(input.dtype, input.sizes, static_cast<Number>(value))}}};
}

Case newFull(Random& random) {
    const Array input = random.array(random.pick(numbersOf), random.sizes());
    const Sizes sizes = random.sizes();
    const std::int64_t value = random.between(0, 100);
    return {{input, Dims(sizes), value}, {{filled(input.dtype, sizes, static_cast<Number>(value))}}};
}

Case scalarTensor(Random& random) {
    const std::int64_t value = random.between(0, 100);
    return {{value}, {{filled(random.pick(numbersOf), {}, static_cast<Number>(value))}}};
}

Case fillScalar(Random& random) {
    const Array input = random.array(random.pick(numbersOf), random.sizes());
    const std::int64_t value = random.between(0, 100);
    return {{input, value}, {{filled(input.dtype, input.sizes, static_cast<Number>(value))}}};
}

Case fillTensor(Random& random) {
    const Array input = random.array(random.pick(numbersOf), random.sizes());
    const Array value = random.array(random.pick(integers), {}, Values::Positive);
    return {{input, value}, {{filled(input.dtype, input.sizes, value.numbers[0])}}};
}

/// A range in steps of eighths: every number is exact until rounded to the dtype.
struct Range {
    double start = 0;
    double end = 0;
    double step = 1;
    bool isWhole = true;
    ScalarType dtype = ScalarType::Long;

    [[nodiscard]] Argument argument(double number) const {
        return isWhole ? Argument(static_cast<std::int64_t>(number)) : Argument(number);
    }
    [[nodiscard]] Array made() const {
        const auto length = static_cast<std::int64_t>(std::ceil((end - start) / step));
        Array array = zeros(dtype, {length});
        for (std::int64_t at = 0; at < length; ++at) {
            array.numbers[static_cast<std::size_t>(at)] = start + static_cast<double>(at) * step;
        }
        return array;
    }
};

Range anyRange(Random& random) {
    Range range{.isWhole = random.flip()};
    range.dtype = range.isWhole ? random.pick({ScalarType::Float, ScalarType::Long, ScalarType::Int,
                                               ScalarType::Short, ScalarType::Half, ScalarType::Double})
                                : random.pick(floats);
    const double unit = range.isWhole ? 1 : 0.125;
    range.step = unit * static_cast<double>(random.between(1, 9) * (random.flip() ? 1 : -1));
    range.start = unit * static_cast<double>(random.between(-40, 40));
    range.end = range.start + range.step * static_cast<double>(random.between(0, 8 * 20)) / 8;
    if (range.isWhole) {
        range.end = std::trunc(range.end);
    }
    return range;
}

Case arange(Random& random) {
    Range range = anyRange(random);
    range.start = 0;
    range.step = 1;
    range.end = std::abs(range.end);
    return {{range.argument(range.end)}, {{range.made()}}};
}

Case arangeFrom(Random& random) {
    const Range range = anyRange(random);
    return {{range.argument(range.start), range.argument(range.end), range.argument(range.step)},
            {{range.made()}}};
}

Expected anything(ScalarType dtype, const Sizes& sizes) {
    return {zeros(dtype, sizes), {}, false};
}

Case empty(Random& random) {
    const Sizes sizes = random.sizes();
    return {{Dims(sizes), memoryFormat(random)}, {anything(random.pick(everyType), sizes)}};
}

Case emptyDimOrder(Random& random) {
    const Sizes sizes = random.sizes();
    return {{Dims(sizes), std::monostate{}}, {anything(random.pick(everyType), sizes)}};
}

Case emptyPermuted(Random& random) {
    const Sizes sizes = random.sizes();
    return {{Dims(sizes), random.order(static_cast<std::int64_t>(sizes.size()))},
            {anything(random.pick(everyType), sizes)}};
}

Case emptyLike(Random& random) {
    const Array input = anyArray(random);
    return {{input, memoryFormat(random)}, {anything(input.dtype, input.sizes)}};
}

Case newEmpty(Random& random) {
    const Array input = anyArray(random);
    const Sizes sizes = random.sizes();
    return {{input, Dims(sizes)}, {anything(input.dtype, sizes)}};
}

Case randomReals(Random& random) {
    const Sizes sizes = random.sizes();
    return {{Dims(sizes)}, {anything(random.pick(floats), sizes)}};
}

Case randomRealsLike(Random& random) {
    const Array input = random.array(random.pick(floats), random.sizes());
    return {{input, memoryFormat(random)}, {anything(input.dtype, input.sizes)}};
}

/// The range contains one integer, so the result is known.
template <bool hasLow, bool isLike>
Case randomIntegers(Random& random) {
    const Array input = random.array(random.pick(numbersOf), random.sizes());
    const std::int64_t low = hasLow ? random.between(0, 20) : 0;
    const std::int64_t count = random.flip() ? 1 : random.between(2, 50);
    Case made;
    if (isLike) {
        made.arguments.emplace_back(input);
    }
    if (hasLow) {
        made.arguments.emplace_back(low);
    }
    made.arguments.emplace_back(low + count);
    made.arguments.emplace_back(isLike ? memoryFormat(random) : Argument(Dims(input.sizes)));
    made.outputs = {{filled(input.dtype, input.sizes, static_cast<Number>(low)), {}, count == 1}};
    return made;
}

constexpr std::array rules{
    Rule{"aten::zeros.out", &constantOf<0>},
    Rule{"aten::ones.out", &constantOf<1>},
    Rule{"aten::zeros_like.out", &constantLike<0>},
    Rule{"aten::ones_like.out", &constantLike<1>},
    Rule{"aten::new_zeros.out", &newConstant<0>},
    Rule{"aten::new_ones.out", &newConstant<1>},
    Rule{"aten::full_like.out", &fullLike},
    Rule{"aten::new_full.out", &newFull},
    Rule{"aten::scalar_tensor.out", &scalarTensor},
    Rule{"aten::fill.Scalar_out", &fillScalar},
    Rule{"aten::fill.Tensor_out", &fillTensor},
    Rule{"aten::arange.out", &arange},
    Rule{"aten::arange.start_out", &arangeFrom},
    Rule{"aten::empty.out", &empty},
    Rule{"aten::empty_like.out", &emptyLike},
    Rule{"aten::empty_permuted.out", &emptyPermuted},
    Rule{"aten::new_empty.out", &newEmpty},
    Rule{"dim_order_ops::_empty_dim_order.out", &emptyDimOrder},
    Rule{"aten::rand.out", &randomReals},
    Rule{"aten::rand_like.out", &randomRealsLike},
    Rule{"aten::randn.out", &randomReals},
    Rule{"aten::randn_like.out", &randomRealsLike},
    Rule{"aten::randint.out", &randomIntegers<false, false>},
    Rule{"aten::randint.low_out", &randomIntegers<true, false>},
    Rule{"aten::randint_like.out", &randomIntegers<false, true>},
    Rule{"aten::randint_like.low_dtype_out", &randomIntegers<true, true>},
};

}  // namespace creation
}  // namespace

std::span<const Rule> creationRules() {
    return creation::rules;
}

}  // namespace et::test::operators
