#include "app/tasks/machine/detail/vector_loops.h"
#include "app/tasks/machine/machine_kernel.h"

namespace et::tasks::machine::detail {
namespace {

constexpr std::size_t vectorBytes = 64;
using Halves = _Float16 __attribute__((vector_size(vectorBytes)));
constexpr std::size_t sums = 24;

bool hasAvx512Fp16() {
    return __builtin_cpu_supports("avx512fp16");
}

constexpr ArithmeticKernel arithmeticOfAvx512Fp16[] = {
    {1, "AVX-512 FP16 FMA", 2.0 * sums* vectorBytes / 2, hasAvx512Fp16, multiplyAdd<Halves, sums>}};

}  // namespace

KernelList avx512Fp16Kernels() {
    return {arithmeticOfAvx512Fp16, 1, nullptr};
}

}  // namespace et::tasks::machine::detail
