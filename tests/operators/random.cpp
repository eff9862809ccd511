#include "tests/operators/random.h"

#include <algorithm>
#include <limits>
#include <numeric>

namespace et::test::operators {

Sizes Random::filledSizes(std::int64_t fewest, std::int64_t most) {
    const std::int64_t limit = chance(3) ? 5000 : 200;
    Sizes sizes(static_cast<std::size_t>(between(fewest, most)));
    std::int64_t left = limit;
    for (std::int64_t& size : sizes) {
        size = std::min(left, chance(15) ? 1 : between(1, limit > 200 ? 40 : chance(20) ? 35 : 7));
        left /= std::max<std::int64_t>(size, 1);
        left = std::max<std::int64_t>(left, 1);
    }
    std::ranges::shuffle(sizes, engine);
    return sizes;
}

Sizes Random::sizes(std::int64_t fewest, std::int64_t most) {
    Sizes made = filledSizes(fewest, most);
    if (!made.empty() && chance(7)) {
        made[static_cast<std::size_t>(below(static_cast<std::int64_t>(made.size())))] = 0;
    }
    return made;
}

Sizes Random::broadcastable(const Sizes& sizes) {
    if (chance(50)) {
        return sizes;
    }
    Sizes made(sizes.begin() + below(static_cast<std::int64_t>(sizes.size()) + 1), sizes.end());
    for (std::int64_t& size : made) {
        size = chance(30) ? 1 : size;
    }
    return made;
}

std::vector<std::int64_t> Random::order(std::int64_t count) {
    std::vector<std::int64_t> made(static_cast<std::size_t>(count));
    std::iota(made.begin(), made.end(), 0);
    std::ranges::shuffle(made, engine);
    return made;
}

Number Random::number(ScalarType dtype, Values values) {
    if (dtype == ScalarType::Bool) {
        return flip() ? 1 : 0;
    }
    if (core::isIntegral(dtype)) {
        if (values == Values::Positive) {
            return between(1, 20);
        }
        return core::scalarKind(dtype) == core::ScalarKind::Unsigned ? between(0, 20) : between(-20, 20);
    }
    if (values == Values::Positive) {
        return rounded(dtype, real(0.1, 4));
    }
    return rounded(dtype, values == Values::Unit ? real(-1, 1) : real(-4, 4));
}

Number Random::edge(ScalarType dtype) {
    if (!core::isFloating(dtype) && !core::isComplex(dtype)) {
        return pick<Number>({lowest(dtype), highest(dtype), 0, 1});
    }
    const Number infinite = std::numeric_limits<Number>::infinity();
    const Number some =
        pick<Number>({infinite, std::numeric_limits<Number>::quiet_NaN(), highest(dtype), 0,
                      smallestNormal(dtype), smallestNormal(dtype) / 4, 1, 0.5L, 2.5L, 100, 1000.5L});
    return rounded(dtype, flip() ? some : -some);
}

Array Random::array(ScalarType dtype, const Sizes& sizes, Values values) {
    Array made = zeros(dtype, sizes);
    const int edges = values == Values::Any && chance(25) ? static_cast<int>(between(5, 60)) : 0;
    const bool whole = core::isFloating(dtype) && chance(15);  // ties, and exact results
    for (std::vector<Number>* part : {&made.numbers, &made.imaginary}) {
        for (Number& number : *part) {
            number = edges > 0 && chance(edges) ? edge(dtype) : this->number(dtype, values);
            if (whole && values == Values::Plain) {
                number = std::nearbyint(number);
            }
        }
    }
    return made;
}

Array Random::indices(ScalarType dtype, const Sizes& sizes, std::int64_t count) {
    Array made = zeros(dtype, sizes);
    for (Number& number : made.numbers) {
        number = below(count);
    }
    return made;
}

}  // namespace et::test::operators
