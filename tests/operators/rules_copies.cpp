#include "tests/operators/families.h"
#include "tests/operators/layout.h"

#include <array>
#include <cmath>
#include <cstdint>
#include <utility>
#include <vector>

namespace et::test::operators {
namespace {
namespace copies {

using namespace layout;

Case withFormat(Random& random) {
    const Array input = anyArray(random);
    return {{input, random.flip() ? Argument(std::monostate{}) : Argument(std::int64_t{0})}, {{input}}};
}

/// Converts to another dtype; the fraction is truncated for integers.
Expected converted(Random& random, const Array& input) {
    Array made = input;
    made.dtype = random.pick(realTypes);
    Expected to{std::move(made)};
    for (Number& number : to.array.numbers) {
        if (!core::isFloating(to.array.dtype) && to.array.dtype != ScalarType::Bool) {
            number = std::trunc(number);
        }
        // float64 is converted via float32.
        const bool roundsTwice = input.dtype == ScalarType::Double && core::isReducedFloat(to.array.dtype);
        to.allowed.push_back(roundsTwice ? roundings(to.array.dtype, 1, number) : 0);
    }
    return to;
}

Array convertible(Random& random) {
    return random.array(random.pick(realTypes), random.sizes(), Values::Positive);
}

Case toCopy(Random& random) {
    const Array input = convertible(random);
    return {{input, false, random.flip() ? Argument(std::monostate{}) : Argument(std::int64_t{0})},
            {converted(random, input)}};
}

Case toDimOrderCopy(Random& random) {
    const Array input = convertible(random);
    return {{input, false, std::monostate{}}, {converted(random, input)}};
}

Case cloneDimOrder(Random& random) {
    const Array input = anyArray(random);
    return {{input, false, std::monostate{}}, {{input}}};
}

Expected broadcastTo(Random& random, const Array& source, const Sizes& sizes) {
    return converted(random, taken(source, sizes, [&](const Sizes& index) {
                         return static_cast<std::int64_t>(broadcastOffset(source, index));
                     }));
}

Case copiedInto(Random& random) {
    const Sizes sizes = random.sizes();
    const Array source = random.array(random.pick(realTypes), random.broadcastable(sizes), Values::Positive);
    Expected to = broadcastTo(random, source, sizes);
    return {{random.array(to.array.dtype, sizes), source, false}, {std::move(to)}};
}

Case copiedInPlace(Random& random) {
    Case made = copiedInto(random);
    made.changes = {{0, std::move(made.outputs[0])}};
    made.outputs.clear();
    return made;
}

Case copyOf(Random& random) {
    const Array input = anyArray(random);
    return {{input}, {{input}}};
}

Case conjugated(Random& random) {
    const Array input = anyArray(random);
    Array made = input;
    for (Number& number : made.imaginary) {
        number = -number;
    }
    return {{input}, {{std::move(made)}}};
}

constexpr std::array rules{
    Rule{"aten::_conj_physical.out", &conjugated},
    Rule{"aten::clone.out", &withFormat},
    Rule{"aten::_to_copy.out", &toCopy},
    Rule{"dim_order_ops::_to_dim_order_copy.out", &toDimOrderCopy},
    Rule{"dim_order_ops::_clone_dim_order.out", &cloneDimOrder},
    Rule{"aten::copy.out", &copiedInto},
    Rule{"aten::copy_", &copiedInPlace},
    Rule{"et_copy::_h2d_copy.out", &copyOf},
    Rule{"et_copy::_d2h_copy.out", &copyOf},
};

}  // namespace copies
}  // namespace

std::span<const Rule> copyRules() {
    return copies::rules;
}

}  // namespace et::test::operators
