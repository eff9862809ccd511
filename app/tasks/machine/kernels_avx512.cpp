#include "app/tasks/machine/detail/vector_loops.h"
#include "app/tasks/machine/machine_kernel.h"

#include <immintrin.h>

namespace et::app::detail {
namespace {

constexpr std::size_t vectorBytes = 64;
using Floats = float __attribute__((vector_size(vectorBytes)));
using Words = unsigned __attribute__((vector_size(vectorBytes)));
constexpr std::size_t sums = 24;  ///< of 32 registers

bool hasAvx512() {
    return __builtin_cpu_supports("avx512f") && __builtin_cpu_supports("avx512bw");
}

constexpr std::size_t firsts = 4;
constexpr std::size_t seconds = 4;

/// As with AVX2.
void multiplyBytes512(std::size_t passes) {
    __m512i first[firsts];
    __m512i second[seconds];
    __m512i ones = _mm512_set1_epi16(1);
#pragma GCC unroll 4
    for (__m512i& each : first) {
        each = _mm512_set1_epi8(1);
    }
#pragma GCC unroll 4
    for (__m512i& each : second) {
        each = _mm512_set1_epi8(1);
    }
    __m512i sum[firsts * seconds];
#pragma GCC unroll 16
    for (__m512i& each : sum) {
        each = _mm512_setzero_si512();
    }
    hide(ones);
    for (std::size_t pass = 0; pass < passes; ++pass) {
#pragma GCC unroll 4
        for (std::size_t i = 0; i < firsts; ++i) {
            hide(first[i]);
#pragma GCC unroll 4
            for (std::size_t j = 0; j < seconds; ++j) {
                hide(second[j]);
                const __m512i pairs = _mm512_maddubs_epi16(first[i], second[j]);
                __m512i& to = sum[i * seconds + j];
                to = _mm512_add_epi32(to, _mm512_madd_epi16(pairs, ones));
            }
        }
    }
    hideAll(sum);
}

constexpr ArithmeticKernel arithmeticOfAvx512[] = {
    {0, "AVX-512 FMA", 2.0 * sums * sizeof(Floats) / sizeof(float), hasAvx512, multiplyAdd<Floats, sums>},
    {2, "AVX-512, no dot product", 2.0 * firsts* seconds* vectorBytes, hasAvx512, multiplyBytes512},
};
constexpr StreamKernel streamOfAvx512{"AVX-512", hasAvx512, Streams<Words>::read, Streams<Words>::copy,
                                      Streams<Words>::add};

}  // namespace

KernelList avx512Kernels() {
    return {arithmeticOfAvx512, sizeof(arithmeticOfAvx512) / sizeof(arithmeticOfAvx512[0]), &streamOfAvx512};
}

}  // namespace et::app::detail
