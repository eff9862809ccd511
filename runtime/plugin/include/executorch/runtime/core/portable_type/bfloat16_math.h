#pragma once

#include <executorch/runtime/core/portable_type/bfloat16.h>
#include <executorch/runtime/core/portable_type/half.h>

#include <cmath>

// Functions of <cmath> for the small float types, computed in float.
namespace std {

#define ET_INTERNAL_SMALL_FLOAT_FUNCTION(name)                                                     \
    inline executorch::runtime::etensor::BFloat16 name(executorch::runtime::etensor::BFloat16 x) { \
        return std::name(static_cast<float>(x));                                                   \
    }                                                                                              \
    inline executorch::runtime::etensor::Half name(executorch::runtime::etensor::Half x) {         \
        return std::name(static_cast<float>(x));                                                   \
    }
ET_INTERNAL_SMALL_FLOAT_FUNCTION(abs)
ET_INTERNAL_SMALL_FLOAT_FUNCTION(acos)
ET_INTERNAL_SMALL_FLOAT_FUNCTION(asin)
ET_INTERNAL_SMALL_FLOAT_FUNCTION(atan)
ET_INTERNAL_SMALL_FLOAT_FUNCTION(ceil)
ET_INTERNAL_SMALL_FLOAT_FUNCTION(cos)
ET_INTERNAL_SMALL_FLOAT_FUNCTION(erf)
ET_INTERNAL_SMALL_FLOAT_FUNCTION(exp)
ET_INTERNAL_SMALL_FLOAT_FUNCTION(expm1)
ET_INTERNAL_SMALL_FLOAT_FUNCTION(floor)
ET_INTERNAL_SMALL_FLOAT_FUNCTION(log)
ET_INTERNAL_SMALL_FLOAT_FUNCTION(log10)
ET_INTERNAL_SMALL_FLOAT_FUNCTION(log1p)
ET_INTERNAL_SMALL_FLOAT_FUNCTION(log2)
ET_INTERNAL_SMALL_FLOAT_FUNCTION(nearbyint)
ET_INTERNAL_SMALL_FLOAT_FUNCTION(round)
ET_INTERNAL_SMALL_FLOAT_FUNCTION(sin)
ET_INTERNAL_SMALL_FLOAT_FUNCTION(sqrt)
ET_INTERNAL_SMALL_FLOAT_FUNCTION(tan)
ET_INTERNAL_SMALL_FLOAT_FUNCTION(tanh)
ET_INTERNAL_SMALL_FLOAT_FUNCTION(trunc)
#undef ET_INTERNAL_SMALL_FLOAT_FUNCTION

}  // namespace std
