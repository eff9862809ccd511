#include "app/tasks/machine/detail/vector_loops.h"
#include "app/tasks/machine/machine_kernel.h"

#include <immintrin.h>

namespace et::app::detail {
namespace {

constexpr std::size_t vectorBytes = 32;
constexpr std::size_t sums = 12;

bool hasAvxVnni() {
    return __builtin_cpu_supports("avxvnni") && __builtin_cpu_supports("avx2");
}

void dotBytes256(std::size_t passes) {
    __m256i first = _mm256_set1_epi8(1);
    __m256i second = _mm256_set1_epi8(1);
    __m256i sum[sums] = {};
    hide(first);
    hide(second);
    for (std::size_t pass = 0; pass < passes; ++pass) {
#pragma GCC unroll 12
        for (__m256i& each : sum) {
            each = _mm256_dpbusd_avx_epi32(each, first, second);
        }
    }
    for (__m256i& each : sum) {
        hide(each);
    }
}

constexpr ArithmeticKernel arithmeticOfAvxVnni[] = {
    {2, "AVX-VNNI dot product", 2.0 * sums* vectorBytes, hasAvxVnni, dotBytes256}};

}  // namespace

KernelList avxVnniKernels() {
    return {arithmeticOfAvxVnni, 1, nullptr};
}

}  // namespace et::app::detail
