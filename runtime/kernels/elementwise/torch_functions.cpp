#include "runtime/kernels/elementwise/torch_functions.h"

#include <sleef.h>

#include <algorithm>
#include <bit>
#include <cmath>
#include <numbers>

namespace et::kernels::torch {
namespace {

constexpr float half = 0.5F;

float sigmoidOf(float x) {
    return 1 / (1 + Sleef_expf_u10(-x));
}

/// Formula 7.1.26 of Abramowitz and Stegun's handbook, which PyTorch's vectors take in place of SLEEF's.
float erfOf(float x) {
    constexpr float p = 0.3275911F;
    const float t = 1 / std::fma(p, std::abs(x), 1.0F);
    float sum = 1.061405429F;
    for (const float term : {-1.453152027F, 1.421413741F, -0.284496736F, 0.254829592F}) {
        sum = std::fma(sum, t, term);
    }
    return std::copysign(std::fma(-Sleef_expf_u10(-(x * x)) * t, sum, 1.0F), x);
}

float geluTanhOf(float x) {
    constexpr auto factor = static_cast<float>(std::numbers::sqrt2 * 2 * std::numbers::inv_sqrtpi * half);
    constexpr float cubic = 0.044715F;
    const float inner = factor * (x + cubic * (x * x * x));
    return half * x * (1 + Sleef_tanhf_u10(inner));
}

}  // namespace

float quickExponential(float x) {
    constexpr auto log2OfE = std::bit_cast<float>(0x3fb8aa3bU);
    constexpr auto ln2 = std::bit_cast<float>(0x3f317218U);
    constexpr auto least = std::bit_cast<float>(0xc2aeac50U);
    constexpr auto largest = std::bit_cast<float>(0x42b17218U);
    if (x < least) {
        return 0;
    }
    const float clamped = std::min(x, largest);
    const float power = std::floor(std::fma(clamped, log2OfE, 0.5F));
    const float rest = std::fma(-power, ln2, clamped);
    float sum = 0.00828929059F;
    for (const float term : {0.0418978221F, 0.166676521F, 0.499991506F, 0.999999701F, 1.0F}) {
        sum = std::fma(rest, sum, term);
    }
    return std::ldexp(sum, static_cast<int>(power));
}

#define ET_FLOAT_LOOP(name, function)                                                             \
    void name(const float* const* inputs, float* out, std::size_t count, const Numbers<float>&) { \
        for (std::size_t i = 0; i < count; ++i) {                                                 \
            out[i] = function(inputs[0][i]);                                                      \
        }                                                                                         \
    }

ET_FLOAT_LOOP(acos, Sleef_acosf_u10)
ET_FLOAT_LOOP(asin, Sleef_asinf_u10)
ET_FLOAT_LOOP(atan, Sleef_atanf_u10)
ET_FLOAT_LOOP(cos, Sleef_cosf_u35)
ET_FLOAT_LOOP(cosh, Sleef_coshf_u10)
ET_FLOAT_LOOP(erf, erfOf)
ET_FLOAT_LOOP(exponential, Sleef_expf_u10)
ET_FLOAT_LOOP(expm1, Sleef_expm1f_u10)
ET_FLOAT_LOOP(geluTanh, geluTanhOf)
ET_FLOAT_LOOP(log10, Sleef_log10f_u10)
ET_FLOAT_LOOP(log1p, Sleef_log1pf_u10)
ET_FLOAT_LOOP(log2, Sleef_log2f_u10)
ET_FLOAT_LOOP(logarithm, Sleef_logf_u10)
ET_FLOAT_LOOP(sigmoid, sigmoidOf)
ET_FLOAT_LOOP(sin, Sleef_sinf_u35)
ET_FLOAT_LOOP(sinh, Sleef_sinhf_u10)
ET_FLOAT_LOOP(tan, Sleef_tanf_u10)
ET_FLOAT_LOOP(tanh, Sleef_tanhf_u10)

#undef ET_FLOAT_LOOP

}  // namespace et::kernels::torch
