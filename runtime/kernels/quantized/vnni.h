#pragma once

// Highway's targets here (simd_targets.h) do not include AVX-512 VNNI, which multiplies and adds four bytes
// at once. Functions that use it are marked individually and require hasFastByteConvolution().
#if defined(__x86_64__)
#include <immintrin.h>

#define ET_VNNI __attribute__((target("avx512f,avx512bw,avx512vl,avx512dq,avx512vnni")))
#define ET_VNNI_INLINE \
    __attribute__((target("avx512f,avx512bw,avx512vl,avx512dq,avx512vnni"), always_inline)) inline
#endif
