#pragma once

// Highway's targets here (simd_targets.h) do not include AVX-512 VNNI, which multiplies and adds four bytes
// at once. Functions that use it are marked individually and require hasFastByteConvolution().
#if defined(__x86_64__)
#include <immintrin.h>

#include <cstdint>
#include <cstring>

#define ET_VNNI __attribute__((target("avx512f,avx512bw,avx512vl,avx512dq,avx512vnni")))
#define ET_VNNI_INLINE \
    __attribute__((target("avx512f,avx512bw,avx512vl,avx512dq,avx512vnni"), always_inline)) inline

namespace et::kernels::quantized {

/// Four bytes in every lane.
ET_VNNI_INLINE __m512i fourBytes(const std::uint8_t* at) {
    std::int32_t bytes = 0;
    std::memcpy(&bytes, at, sizeof(bytes));
    return _mm512_set1_epi32(bytes);
}

}  // namespace et::kernels::quantized
#endif
