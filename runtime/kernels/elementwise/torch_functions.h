#pragma once

#include "runtime/kernels/elementwise/operation.h"

#include <cstddef>

// Loops over float that round as PyTorch's do on a CPU with vectors (Arithmetic::Torch): it takes
// transcendental functions from SLEEF, in the accuracy that aten/src/ATen/cpu/vec/vec256/vec256_float.h
// chooses for each.
namespace et::kernels::torch {

#define ET_FLOAT_LOOP(name) \
    void name(const float* const* inputs, float* out, std::size_t count, const Numbers<float>& numbers)

ET_FLOAT_LOOP(acos);
ET_FLOAT_LOOP(asin);
ET_FLOAT_LOOP(atan);
ET_FLOAT_LOOP(cos);
ET_FLOAT_LOOP(cosh);
ET_FLOAT_LOOP(erf);
ET_FLOAT_LOOP(exponential);
ET_FLOAT_LOOP(expm1);
ET_FLOAT_LOOP(gelu);
ET_FLOAT_LOOP(geluTanh);  ///< the approximation by tanh
ET_FLOAT_LOOP(log10);
ET_FLOAT_LOOP(log1p);
ET_FLOAT_LOOP(log2);
ET_FLOAT_LOOP(logarithm);
ET_FLOAT_LOOP(sigmoid);
ET_FLOAT_LOOP(sin);
ET_FLOAT_LOOP(sinh);
ET_FLOAT_LOOP(tan);
ET_FLOAT_LOOP(tanh);

#undef ET_FLOAT_LOOP

/// exp() to 20 units in the last place, as attention takes it: 2^n times a polynomial of degree 5.
[[nodiscard]] float quickExponential(float x);

}  // namespace et::kernels::torch
