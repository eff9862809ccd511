#include "runtime/kernels/quantized/byte_depthwise_vectors.h"

#include "runtime/kernels/quantized/sign_flipped_row.h"

#include <algorithm>
#include <array>
#include <utility>

#if defined(__x86_64__)
#include <immintrin.h>
#endif

namespace et::kernels::quantized {

std::size_t depthwiseWidth(std::size_t channels) {
    constexpr std::size_t half = maxDepthwiseWidth / 2;
    // Two narrow vectors are slower than one partially filled wide one.
    return channels > half ? maxDepthwiseWidth : channels > half / 2 ? half : half / 2;
}

#if defined(__x86_64__)
namespace {

#define ET_TARGET "avx512f,avx512bw,avx512vl,avx512dq,avx512vnni"
#define ET_INLINE __attribute__((target(ET_TARGET), always_inline)) static inline

struct Channels64 {
    using Vector = __m512i;
    using Floats = __m512;
    static constexpr std::size_t width = 64;
    ET_INLINE Vector load(const void* at) { return _mm512_loadu_si512(at); }
    ET_INLINE Floats loadFloats(const float* at) { return _mm512_loadu_ps(at); }
    ET_INLINE Vector bytesLow(Vector a, Vector b) { return _mm512_unpacklo_epi8(a, b); }
    ET_INLINE Vector bytesHigh(Vector a, Vector b) { return _mm512_unpackhi_epi8(a, b); }
    ET_INLINE Vector wordsLow(Vector a, Vector b) { return _mm512_unpacklo_epi16(a, b); }
    ET_INLINE Vector wordsHigh(Vector a, Vector b) { return _mm512_unpackhi_epi16(a, b); }
    ET_INLINE Vector add(Vector sum, Vector a, Vector b) { return _mm512_dpbusd_epi32(sum, a, b); }
    ET_INLINE Floats all(float number) { return _mm512_set1_ps(number); }
    ET_INLINE Vector allWords(std::int16_t number) { return _mm512_set1_epi16(number); }
    ET_INLINE Vector allBytes(std::int8_t number) { return _mm512_set1_epi8(number); }
    ET_INLINE Vector rounded(Vector sum, Floats scale, Floats high) {
        return _mm512_cvtps_epi32(_mm512_min_ps(_mm512_mul_ps(_mm512_cvtepi32_ps(sum), scale), high));
    }
    ET_INLINE Vector packWords(Vector a, Vector b, Vector zero) {
        return _mm512_adds_epi16(_mm512_packs_epi32(a, b), zero);
    }
    ET_INLINE Vector packBytes(Vector a, Vector b, Vector low) {
        return _mm512_max_epi8(_mm512_packs_epi16(a, b), low);
    }
    ET_INLINE void store(std::int8_t* at, std::size_t count, Vector bytes) {
        _mm512_mask_storeu_epi8(at, count == width ? ~__mmask64{0} : (__mmask64{1} << count) - 1, bytes);
    }
};

struct Channels32 {
    using Vector = __m256i;
    using Floats = __m256;
    static constexpr std::size_t width = 32;
    ET_INLINE Vector load(const void* at) { return _mm256_loadu_si256(static_cast<const Vector*>(at)); }
    ET_INLINE Floats loadFloats(const float* at) { return _mm256_loadu_ps(at); }
    ET_INLINE Vector bytesLow(Vector a, Vector b) { return _mm256_unpacklo_epi8(a, b); }
    ET_INLINE Vector bytesHigh(Vector a, Vector b) { return _mm256_unpackhi_epi8(a, b); }
    ET_INLINE Vector wordsLow(Vector a, Vector b) { return _mm256_unpacklo_epi16(a, b); }
    ET_INLINE Vector wordsHigh(Vector a, Vector b) { return _mm256_unpackhi_epi16(a, b); }
    ET_INLINE Vector add(Vector sum, Vector a, Vector b) { return _mm256_dpbusd_epi32(sum, a, b); }
    ET_INLINE Floats all(float number) { return _mm256_set1_ps(number); }
    ET_INLINE Vector allWords(std::int16_t number) { return _mm256_set1_epi16(number); }
    ET_INLINE Vector allBytes(std::int8_t number) { return _mm256_set1_epi8(number); }
    ET_INLINE Vector rounded(Vector sum, Floats scale, Floats high) {
        return _mm256_cvtps_epi32(_mm256_min_ps(_mm256_mul_ps(_mm256_cvtepi32_ps(sum), scale), high));
    }
    ET_INLINE Vector packWords(Vector a, Vector b, Vector zero) {
        return _mm256_adds_epi16(_mm256_packs_epi32(a, b), zero);
    }
    ET_INLINE Vector packBytes(Vector a, Vector b, Vector low) {
        return _mm256_max_epi8(_mm256_packs_epi16(a, b), low);
    }
    ET_INLINE void store(std::int8_t* at, std::size_t count, Vector bytes) {
        _mm256_mask_storeu_epi8(at, count == width ? ~__mmask32{0} : (__mmask32{1} << count) - 1, bytes);
    }
};

struct Channels16 {
    using Vector = __m128i;
    using Floats = __m128;
    static constexpr std::size_t width = 16;
    ET_INLINE Vector load(const void* at) { return _mm_loadu_si128(static_cast<const Vector*>(at)); }
    ET_INLINE Floats loadFloats(const float* at) { return _mm_loadu_ps(at); }
    ET_INLINE Vector bytesLow(Vector a, Vector b) { return _mm_unpacklo_epi8(a, b); }
    ET_INLINE Vector bytesHigh(Vector a, Vector b) { return _mm_unpackhi_epi8(a, b); }
    ET_INLINE Vector wordsLow(Vector a, Vector b) { return _mm_unpacklo_epi16(a, b); }
    ET_INLINE Vector wordsHigh(Vector a, Vector b) { return _mm_unpackhi_epi16(a, b); }
    ET_INLINE Vector add(Vector sum, Vector a, Vector b) { return _mm_dpbusd_epi32(sum, a, b); }
    ET_INLINE Floats all(float number) { return _mm_set1_ps(number); }
    ET_INLINE Vector allWords(std::int16_t number) { return _mm_set1_epi16(number); }
    ET_INLINE Vector allBytes(std::int8_t number) { return _mm_set1_epi8(number); }
    ET_INLINE Vector rounded(Vector sum, Floats scale, Floats high) {
        return _mm_cvtps_epi32(_mm_min_ps(_mm_mul_ps(_mm_cvtepi32_ps(sum), scale), high));
    }
    ET_INLINE Vector packWords(Vector a, Vector b, Vector zero) {
        return _mm_adds_epi16(_mm_packs_epi32(a, b), zero);
    }
    ET_INLINE Vector packBytes(Vector a, Vector b, Vector low) {
        return _mm_max_epi8(_mm_packs_epi16(a, b), low);
    }
    ET_INLINE void store(std::int8_t* at, std::size_t count, Vector bytes) {
        _mm_mask_storeu_epi8(at, static_cast<__mmask16>((std::uint32_t{1} << count) - 1), bytes);
    }
};

/// The bytes of four pixels, four bytes per channel, in as many vectors.
template <class C>
struct Quad {
    typename C::Vector first;
    typename C::Vector second;
    typename C::Vector third;
    typename C::Vector fourth;
};

template <class C>
__attribute__((target(ET_TARGET), always_inline)) inline Quad<C> quadAt(const std::uint8_t* at,
                                                                        std::size_t step) {
    const auto a = C::load(at);
    const auto b = C::load(at + step);
    const auto c = C::load(at + 2 * step);
    const auto d = C::load(at + 3 * step);
    const auto lowLeft = C::bytesLow(a, b);
    const auto lowRight = C::bytesLow(c, d);
    const auto highLeft = C::bytesHigh(a, b);
    const auto highRight = C::bytesHigh(c, d);
    return {C::wordsLow(lowLeft, lowRight), C::wordsHigh(lowLeft, lowRight), C::wordsLow(highLeft, highRight),
            C::wordsHigh(highLeft, highRight)};
}

/// Sums of one output pixel.
template <class C>
struct Sums {
    typename C::Vector first;
    typename C::Vector second;
    typename C::Vector third;
    typename C::Vector fourth;

    __attribute__((target(ET_TARGET), always_inline)) void add(const Quad<C>& pixels,
                                                               const std::int8_t* weights) {
        first = C::add(first, pixels.first, C::load(weights));
        second = C::add(second, pixels.second, C::load(weights + C::width));
        third = C::add(third, pixels.third, C::load(weights + 2 * C::width));
        fourth = C::add(fourth, pixels.fourth, C::load(weights + 3 * C::width));
    }
};

template <class C>
__attribute__((target(ET_TARGET), always_inline)) inline void write(const Sums<C>& sums,
                                                                    const DepthwiseRow& row,
                                                                    std::int8_t* to) {
    constexpr std::size_t quarter = C::width / 4;
    const auto high = C::all(static_cast<float>(row.high - row.outputZero));
    const auto zero = C::allWords(static_cast<std::int16_t>(row.outputZero));
    const auto first = C::rounded(sums.first, C::loadFloats(row.scales), high);
    const auto second = C::rounded(sums.second, C::loadFloats(row.scales + quarter), high);
    const auto third = C::rounded(sums.third, C::loadFloats(row.scales + 2 * quarter), high);
    const auto fourth = C::rounded(sums.fourth, C::loadFloats(row.scales + 3 * quarter), high);
    C::store(to, row.count,
             C::packBytes(C::packWords(first, second, zero), C::packWords(third, fourth, zero),
                          C::allBytes(row.low)));
}

/// Computes `together` outputs starting at pixel `x`; those beyond the row are not written.
template <class C, std::size_t together, std::size_t quads>
__attribute__((target(ET_TARGET), always_inline)) inline void makeOutputs(const DepthwiseRow& row,
                                                                          std::size_t x) {
    constexpr std::size_t quarter = C::width / 4;
    std::array<Sums<C>, together> sums;
    for (Sums<C>& each : sums) {
        each = {C::load(row.biases), C::load(row.biases + quarter), C::load(row.biases + 2 * quarter),
                C::load(row.biases + 3 * quarter)};
    }
    const std::int8_t* weights = row.weights;
    for (std::size_t i = 0; i < row.rows; ++i) {
        const std::uint8_t* const start = row.inputs[i] + x * row.stride * row.pixelStep + row.first;
        for (std::size_t at = 0; at < quads; ++at) {
            const Quad<C> pixels = quadAt<C>(start + at * quad * row.pixelStep, row.pixelStep);
            for (std::size_t output = 0; output < together; ++output) {
                sums[output].add(pixels, weights + (output * quads + at) * quad * C::width);
            }
        }
        weights += together * quads * quad * C::width;
    }
    const std::size_t end = std::min(together, row.pixels - x);
    for (std::size_t output = 0; output < together; ++output) {
        if (output < end) {
            write(sums[output], row, row.output + (x + output) * row.pixelStep);
        }
    }
}

template <class C, std::size_t together, std::size_t quads>
__attribute__((target(ET_TARGET))) void makeRow(const DepthwiseRow& row) {
    for (std::size_t x = 0; x < row.pixels; x += together) {
        makeOutputs<C, together, quads>(row, x);
    }
}

/// `together` is determined by the kernel's width and the stride.
template <class C>
void computeDepthwiseRow(const DepthwiseRow& row) {
    switch (row.quads * 8 + row.together) {
        case 8 + 4:
            return makeRow<C, 4, 1>(row);
        case 8 + 3:
            return makeRow<C, 3, 1>(row);
        case 8 + 2:
            return makeRow<C, 2, 1>(row);
        case 8 + 1:
            return makeRow<C, 1, 1>(row);
        case 16 + 4:
            return makeRow<C, 4, 2>(row);
        case 16 + 3:
            return makeRow<C, 3, 2>(row);
        case 16 + 2:
            return makeRow<C, 2, 2>(row);
        case 16 + 1:
            return makeRow<C, 1, 2>(row);
        default:
            std::unreachable();
    }
}

#undef ET_INLINE
#undef ET_TARGET

}  // namespace

void depthwiseRow(const DepthwiseRow& row) {
    switch (row.width) {
        case Channels64::width:
            return computeDepthwiseRow<Channels64>(row);
        case Channels32::width:
            return computeDepthwiseRow<Channels32>(row);
        default:
            return computeDepthwiseRow<Channels16>(row);
    }
}
#else
void depthwiseRow(const DepthwiseRow&) {
}
#endif

}  // namespace et::kernels::quantized
