// Highway's targets here (simd_targets.h) do not include AVX-512 VBMI, which makes a table of 256 bytes
// faster than XNNPACK's.
#include "runtime/kernels/quantized/byte_arithmetic.h"

#if defined(__x86_64__)
#include <immintrin.h>
#endif

namespace et::kernels::quantized {
namespace {

void lookUpEach(const std::uint8_t* table, const std::uint8_t* from, std::size_t count, std::uint8_t* to) {
    for (std::size_t i = 0; i < count; ++i) {
        to[i] = table[from[i]];
    }
}

#if defined(__x86_64__)
constexpr std::size_t lanes = sizeof(__m512i);

/// Four registers hold the table. An instruction reads two of them, selected by the highest bit.
__attribute__((target("avx512f,avx512bw,avx512vbmi"))) void lookUpInRegisters(const std::uint8_t* table,
                                                                              const std::uint8_t* from,
                                                                              std::size_t count,
                                                                              std::uint8_t* to) {
    const __m512i first = _mm512_loadu_si512(table);
    const __m512i second = _mm512_loadu_si512(table + lanes);
    const __m512i third = _mm512_loadu_si512(table + 2 * lanes);
    const __m512i fourth = _mm512_loadu_si512(table + 3 * lanes);
    for (std::size_t i = 0; i < count; i += lanes) {
        const __mmask64 inside = count - i >= lanes ? ~__mmask64{0} : (__mmask64{1} << (count - i)) - 1;
        const __m512i index = _mm512_maskz_loadu_epi8(inside, from + i);
        const __m512i lower = _mm512_permutex2var_epi8(first, index, second);
        const __m512i upper = _mm512_permutex2var_epi8(third, index, fourth);
        const __m512i found = _mm512_mask_blend_epi8(_mm512_movepi8_mask(index), lower, upper);
        _mm512_mask_storeu_epi8(to + i, inside, found);
    }
}
#endif

}  // namespace

bool hasFastByteTable() {
#if defined(__x86_64__)
    static const bool has = __builtin_cpu_supports("avx512vbmi") && __builtin_cpu_supports("avx512bw");
    return has;
#else
    return false;
#endif
}

void lookUpBytes(const std::uint8_t* table, const std::uint8_t* from, std::size_t count, std::uint8_t* to) {
#if defined(__x86_64__)
    if (hasFastByteTable()) {
        lookUpInRegisters(table, from, count, to);
        return;
    }
#endif
    lookUpEach(table, from, count, to);
}

}  // namespace et::kernels::quantized
