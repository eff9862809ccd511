#include "app/tasks/machine/detail/vector_loops.h"
#include "app/tasks/machine/machine_kernel.h"

#include <immintrin.h>

namespace et::tasks::machine::detail {
namespace {

constexpr std::size_t vectorBytes = 32;
constexpr std::size_t sums = 12;

bool hasAvxVnni() {
    return __builtin_cpu_supports("avxvnni") && __builtin_cpu_supports("avx2");
}

struct Dot {
    using Sum = __m256i;
    static Sum ones() { return _mm256_set1_epi8(1); }
    static Sum plus(Sum sum, Sum first, Sum second) { return _mm256_dpbusd_avx_epi32(sum, first, second); }
};

constexpr ArithmeticKernel arithmeticOfAvxVnni[] = {
    {2, "AVX-VNNI dot product", 2.0 * sums* vectorBytes, hasAvxVnni, sumProducts<Dot, sums>}};

}  // namespace

KernelList avxVnniKernels() {
    return {arithmeticOfAvxVnni, 1, nullptr};
}

}  // namespace et::tasks::machine::detail
