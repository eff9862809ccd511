#include "app/tasks/machine/detail/vector_loops.h"
#include "app/tasks/machine/machine_kernel.h"

#include <immintrin.h>

namespace et::tasks::machine::detail {
namespace {

constexpr std::size_t vectorBytes = 64;
using Floats = float __attribute__((vector_size(vectorBytes)));
using Words = unsigned __attribute__((vector_size(vectorBytes)));
constexpr std::size_t sums = 24;  ///< of 32 registers

bool hasAvx512() {
    return __builtin_cpu_supports("avx512f") && __builtin_cpu_supports("avx512bw");
}

struct Bytes {
    using Vector = __m512i;
    static Vector bytes(char value) { return _mm512_set1_epi8(value); }
    static Vector words(short value) { return _mm512_set1_epi16(value); }
    static Vector pairsOfBytes(Vector a, Vector b) { return _mm512_maddubs_epi16(a, b); }
    static Vector pairsOfWords(Vector a, Vector b) { return _mm512_madd_epi16(a, b); }
    static Vector plus(Vector a, Vector b) { return _mm512_add_epi32(a, b); }
};
constexpr std::size_t firsts = 4;
constexpr std::size_t seconds = 4;

constexpr ArithmeticKernel arithmeticOfAvx512[] = {
    {0, "AVX-512 FMA", 2.0 * sums * sizeof(Floats) / sizeof(float), hasAvx512, multiplyAdd<Floats, sums>},
    {2, "AVX-512, no dot product", 2.0 * firsts* seconds* vectorBytes, hasAvx512,
     multiplyBytes<Bytes, firsts, seconds>},
};
constexpr StreamKernel streamOfAvx512{"AVX-512", hasAvx512, Streams<Words>::read, Streams<Words>::copy,
                                      Streams<Words>::add};

}  // namespace

KernelList avx512Kernels() {
    return {arithmeticOfAvx512, sizeof(arithmeticOfAvx512) / sizeof(arithmeticOfAvx512[0]), &streamOfAvx512};
}

}  // namespace et::tasks::machine::detail
