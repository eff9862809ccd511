#include "app/tasks/machine/detail/vector_loops.h"
#include "app/tasks/machine/machine_kernel.h"

#include <asm/hwcap.h>
#include <sys/auxv.h>

namespace et::tasks::machine::detail {
namespace {

constexpr std::size_t vectorBytes = 16;
using Halves = _Float16 __attribute__((vector_size(vectorBytes)));
constexpr std::size_t sums = 24;  ///< of 32 registers

bool hasHalves() {
    return (::getauxval(AT_HWCAP) & HWCAP_ASIMDHP) != 0;
}

constexpr ArithmeticKernel arithmeticOfNeonFp16[] = {
    {1, "NEON FP16 FMA", 2.0 * sums* vectorBytes / 2, hasHalves, multiplyAdd<Halves, sums>}};

}  // namespace

KernelList neonFp16Kernels() {
    return {arithmeticOfNeonFp16, 1, nullptr};
}

}  // namespace et::tasks::machine::detail
