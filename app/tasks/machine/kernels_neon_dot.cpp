#include "app/tasks/machine/detail/vector_loops.h"
#include "app/tasks/machine/machine_kernel.h"

#include <arm_neon.h>
#include <asm/hwcap.h>
#include <sys/auxv.h>

namespace et::tasks::machine::detail {
namespace {

constexpr std::size_t sums = 24;  ///< of 32 registers

bool hasDotProduct() {
    return (::getauxval(AT_HWCAP) & HWCAP_ASIMDDP) != 0;
}

/// Adds four byte products to each 32-bit sum.
struct Dot {
    using Sum = int32x4_t;
    static int8x16_t ones() { return vdupq_n_s8(1); }
    static Sum plus(Sum sum, int8x16_t first, int8x16_t second) { return vdotq_s32(sum, first, second); }
};

constexpr ArithmeticKernel arithmeticOfDotProduct[] = {
    {2, "NEON dot product", 2.0 * sums * sizeof(int8x16_t), hasDotProduct, sumProducts<Dot, sums>}};

}  // namespace

KernelList neonDotKernels() {
    return {arithmeticOfDotProduct, 1, nullptr};
}

}  // namespace et::tasks::machine::detail
