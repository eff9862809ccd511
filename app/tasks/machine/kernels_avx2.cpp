#include "app/tasks/machine/detail/vector_loops.h"
#include "app/tasks/machine/machine_kernel.h"

#include <immintrin.h>

namespace et::tasks::machine::detail {
namespace {

constexpr std::size_t vectorBytes = 32;
using Floats = float __attribute__((vector_size(vectorBytes)));
using Words = unsigned __attribute__((vector_size(vectorBytes)));
constexpr std::size_t sums = 12;  ///< 14 of 16 registers with the factor and the addend

bool hasAvx2() {
    return __builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma");
}

struct Bytes {
    using Vector = __m256i;
    static Vector bytes(char value) { return _mm256_set1_epi8(value); }
    static Vector words(short value) { return _mm256_set1_epi16(value); }
    static Vector pairsOfBytes(Vector a, Vector b) { return _mm256_maddubs_epi16(a, b); }
    static Vector pairsOfWords(Vector a, Vector b) { return _mm256_madd_epi16(a, b); }
    static Vector plus(Vector a, Vector b) { return _mm256_add_epi32(a, b); }
};
constexpr std::size_t firsts = 3;
constexpr std::size_t seconds = 2;

constexpr ArithmeticKernel arithmeticOfAvx2[] = {
    {0, "AVX2 FMA", 2.0 * sums * sizeof(Floats) / sizeof(float), hasAvx2, multiplyAdd<Floats, sums>},
    {2, "AVX2, no dot product", 2.0 * firsts* seconds* vectorBytes, hasAvx2,
     multiplyBytes<Bytes, firsts, seconds>},
};
constexpr StreamKernel streamOfAvx2{"AVX2", hasAvx2, Streams<Words>::read, Streams<Words>::copy,
                                    Streams<Words>::add};

}  // namespace

KernelList avx2Kernels() {
    return {arithmeticOfAvx2, sizeof(arithmeticOfAvx2) / sizeof(arithmeticOfAvx2[0]), &streamOfAvx2};
}

}  // namespace et::tasks::machine::detail
