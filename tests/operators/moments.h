#pragma once

#include "tests/operators/reduction.h"

#include <cmath>
#include <vector>

// Means and squared distances from them, and what may be off of them: variances and norms are made of them.
namespace et::test::operators::reduction {

struct Moments {
    Number mean = 0;
    Number squares = 0;  ///< sum of squared distances from the mean
    Number count = 0;
    Number meanAllowed = 0;
    Number squaresAllowed = 0;
};

/// Computed in floats of `dtype`, or the type that stands in for it.
inline Moments momentsOf(ScalarType dtype, const std::vector<Number>& numbers) {
    const ScalarType compute = computeType(dtype);
    const Answer sum = sumOf(compute, numbers);
    Moments made;
    made.count = static_cast<Number>(numbers.size());
    made.mean = sum.number / made.count;
    made.meanAllowed = sum.allowed / made.count + roundings(compute, 2, made.mean);
    for (const Number number : numbers) {
        made.squares += (number - made.mean) * (number - made.mean);
    }
    // From a center that is off by so much, the squares are larger by the square of that each. A mean that
    // is corrected number by number is rounded as often, and each distance is off by as much.
    made.squaresAllowed = roundings(compute, 4 + stepsOf(numbers.size()), made.squares) +
                          4 * made.count * made.meanAllowed * made.meanAllowed +
                          roundings(compute, 4, made.mean) * std::sqrt(made.squares * made.count);
    return made;
}

}  // namespace et::test::operators::reduction
