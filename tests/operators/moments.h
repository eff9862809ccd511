#pragma once

#include "tests/operators/reduction.h"

#include <cmath>
#include <vector>

// Means and sums of squared deviations with their error bounds; the basis of variances and norms.
namespace et::test::operators::reduction {

struct Moments {
    Number mean = 0;
    Number squares = 0;  ///< sum of squared deviations from the mean
    Number count = 0;
    Number meanAllowed = 0;
    Number squaresAllowed = 0;
};

/// Computed in `dtype` if it is floating, otherwise in its compute type.
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
    // An error in the center increases each square by the square of that error. A mean that is corrected
    // element by element is rounded as often, and each deviation has the same error.
    made.squaresAllowed = roundings(compute, 4 + stepsOf(numbers.size()), made.squares) +
                          4 * made.count * made.meanAllowed * made.meanAllowed +
                          roundings(compute, 4, made.mean) * std::sqrt(made.squares * made.count);
    return made;
}

}  // namespace et::test::operators::reduction
