#include "app/tasks/machine/machine_kernel.h"

#include <immintrin.h>

namespace et::app::detail {
namespace {

constexpr std::size_t sums = 24;

bool hasAvx512Vnni() {
    return __builtin_cpu_supports("avx512vnni");
}

void dotBytes512(std::size_t passes) {
    __m512i first = _mm512_set1_epi8(1);
    __m512i second = _mm512_set1_epi8(1);
    __m512i sum[sums];
    for (__m512i& each : sum) {
        each = _mm512_setzero_si512();
    }
    asm volatile("" : "+v"(first), "+v"(second));
    for (std::size_t pass = 0; pass < passes; ++pass) {
#pragma GCC unroll 24
        for (__m512i& each : sum) {
            each = _mm512_dpbusd_epi32(each, first, second);
        }
    }
    for (__m512i& each : sum) {
        asm volatile("" : "+v"(each));
    }
}

constexpr ArithmeticKernel arithmeticOfAvx512Vnni[] = {
    {2, "AVX-512 VNNI dot product", 2.0 * sums * sizeof(__m512i), hasAvx512Vnni, dotBytes512}};

}  // namespace

KernelList avx512VnniKernels() {
    return {arithmeticOfAvx512Vnni, 1, nullptr};
}

}  // namespace et::app::detail
