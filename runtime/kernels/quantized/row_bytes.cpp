#include "runtime/kernels/quantized/row_bytes.h"

#include "runtime/kernels/quantized/vnni.h"

namespace et::kernels::quantized {

#if defined(__x86_64__)
namespace {

constexpr std::size_t rowLanes = 16;

}  // namespace

ET_VNNI NumberRange rangeOfRow(const float* row, std::size_t count) {
    __m512 min = _mm512_setzero_ps();
    __m512 max = min;
    __m512 otherMin = min;
    __m512 otherMax = min;
    for (std::size_t i = 0; i < count; i += 2 * rowLanes) {
        const __m512 first = _mm512_loadu_ps(row + i);
        const __m512 second = _mm512_loadu_ps(row + i + rowLanes);
        // If either operand is NaN, the second one is returned.
        min = _mm512_min_ps(first, min);
        max = _mm512_max_ps(first, max);
        otherMin = _mm512_min_ps(second, otherMin);
        otherMax = _mm512_max_ps(second, otherMax);
    }
    return {.min = _mm512_reduce_min_ps(_mm512_min_ps(min, otherMin)),
            .max = _mm512_reduce_max_ps(_mm512_max_ps(max, otherMax))};
}

ET_VNNI void quantizeRow(const float* row, std::size_t count, float inverseScale, float zeroPoint,
                         std::uint8_t* to) {
    constexpr float highest = 127;
    constexpr int turned = 128;
    const __m512 inverse = _mm512_set1_ps(inverseScale);
    const __m512 most = _mm512_set1_ps(highest - zeroPoint);
    const __m512i zero = _mm512_set1_epi32(static_cast<int>(zeroPoint) + turned);
    const __m128i evenFirst = _mm_setr_epi8(0, 2, 4, 6, 1, 3, 5, 7, 8, 10, 12, 14, 9, 11, 13, 15);
    for (std::size_t i = 0; i < count; i += rowLanes) {
        const __m512 steps = _mm512_min_ps(_mm512_mul_ps(_mm512_loadu_ps(row + i), inverse), most);
        const __m512i sum = _mm512_add_epi32(_mm512_cvtps_epi32(steps), zero);
        const __m128i bytes = _mm512_cvtusepi32_epi8(_mm512_max_epi32(sum, _mm512_setzero_si512()));
        _mm_storeu_si128(reinterpret_cast<__m128i*>(to + i), _mm_shuffle_epi8(bytes, evenFirst));
    }
}
#else
NumberRange rangeOfRow(const float*, std::size_t) {
    return {};
}

void quantizeRow(const float*, std::size_t, float, float, std::uint8_t*) {
}
#endif

}  // namespace et::kernels::quantized
