#include "app/tasks/machine/detail/vector_loops.h"
#include "app/tasks/machine/machine_kernel.h"

#include <immintrin.h>

namespace et::tasks::machine::detail {
namespace {

constexpr std::size_t sums = 24;

bool hasAvx512Vnni() {
    return __builtin_cpu_supports("avx512vnni");
}

struct Dot {
    using Sum = __m512i;
    static Sum ones() { return _mm512_set1_epi8(1); }
    static Sum plus(Sum sum, Sum first, Sum second) { return _mm512_dpbusd_epi32(sum, first, second); }
};

constexpr ArithmeticKernel arithmeticOfAvx512Vnni[] = {
    {2, "AVX-512 VNNI dot product", 2.0 * sums * sizeof(__m512i), hasAvx512Vnni, sumProducts<Dot, sums>}};

}  // namespace

KernelList avx512VnniKernels() {
    return {arithmeticOfAvx512Vnni, 1, nullptr};
}

}  // namespace et::tasks::machine::detail
