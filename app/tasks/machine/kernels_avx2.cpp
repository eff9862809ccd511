#include "app/tasks/machine/detail/vector_loops.h"
#include "app/tasks/machine/machine_kernel.h"

#include <immintrin.h>

namespace et::app::detail {
namespace {

constexpr std::size_t vectorBytes = 32;
using Floats = float __attribute__((vector_size(vectorBytes)));
using Words = unsigned __attribute__((vector_size(vectorBytes)));
constexpr std::size_t sums = 12;  ///< with the factor and the addend, 14 of 16 registers

bool hasAvx2() {
    return __builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma");
}

constexpr std::size_t firsts = 3;
constexpr std::size_t seconds = 2;  ///< with their six sums and the ones, 12 of 16 registers

/// Products of bytes without instructions that sum up four: pairs to 16 bits, pairs of these to 32.
void multiplyBytes(std::size_t passes) {
    __m256i first[firsts];
    __m256i second[seconds];
    __m256i ones = _mm256_set1_epi16(1);
#pragma GCC unroll 3
    for (__m256i& each : first) {
        each = _mm256_set1_epi8(1);
    }
#pragma GCC unroll 3
    for (__m256i& each : second) {
        each = _mm256_set1_epi8(1);
    }
    __m256i sum[firsts * seconds] = {};
    hide(ones);
    for (std::size_t pass = 0; pass < passes; ++pass) {
#pragma GCC unroll 3
        for (std::size_t i = 0; i < firsts; ++i) {
            hide(first[i]);
#pragma GCC unroll 3
            for (std::size_t j = 0; j < seconds; ++j) {
                hide(second[j]);
                const __m256i pairs = _mm256_maddubs_epi16(first[i], second[j]);
                __m256i& to = sum[i * seconds + j];
                to = _mm256_add_epi32(to, _mm256_madd_epi16(pairs, ones));
            }
        }
    }
    hideAll(sum);
}

constexpr ArithmeticKernel arithmeticOfAvx2[] = {
    {0, "AVX2 FMA", 2.0 * sums * sizeof(Floats) / sizeof(float), hasAvx2, multiplyAdd<Floats, sums>},
    {2, "AVX2, no dot product", 2.0 * firsts* seconds* vectorBytes, hasAvx2, multiplyBytes},
};
constexpr StreamKernel streamOfAvx2{"AVX2", hasAvx2, Streams<Words>::read, Streams<Words>::copy,
                                    Streams<Words>::add};

}  // namespace

KernelList avx2Kernels() {
    return {arithmeticOfAvx2, sizeof(arithmeticOfAvx2) / sizeof(arithmeticOfAvx2[0]), &streamOfAvx2};
}

}  // namespace et::app::detail
