#pragma once

#include "runtime/kernels/elementwise/operation.h"

#include <cstddef>

// Float loops with explicit SIMD for the CPU's instruction set. Each computes the same as the lambda it
// replaces; transcendental ones within 4 ULP (gelu: of the larger of its terms).
namespace et::kernels::fast {

#define ET_FLOAT_LOOP(name) \
    void name(const float* const* inputs, float* out, std::size_t count, const Numbers<float>& numbers)

ET_FLOAT_LOOP(add);
ET_FLOAT_LOOP(subtract);
ET_FLOAT_LOOP(multiply);
ET_FLOAT_LOOP(divide);
ET_FLOAT_LOOP(maximum);    ///< NaN if either is
ET_FLOAT_LOOP(minimum);    ///< NaN if either is
ET_FLOAT_LOOP(relu);       ///< NaN stays
ET_FLOAT_LOOP(clamp);      ///< to [numbers[0], numbers[1]]; NaN propagates
ET_FLOAT_LOOP(leakyRelu);  ///< slope: numbers[0]
ET_FLOAT_LOOP(floor);
ET_FLOAT_LOOP(ceil);
ET_FLOAT_LOOP(trunc);
ET_FLOAT_LOOP(round);  ///< ties to even
ET_FLOAT_LOOP(sqrt);
ET_FLOAT_LOOP(rsqrt);
ET_FLOAT_LOOP(logarithm);
ET_FLOAT_LOOP(exponential);
ET_FLOAT_LOOP(sigmoid);
ET_FLOAT_LOOP(tanh);
ET_FLOAT_LOOP(gelu);
ET_FLOAT_LOOP(geluTanh);  ///< the tanh approximation

#undef ET_FLOAT_LOOP

}  // namespace et::kernels::fast
