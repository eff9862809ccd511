#include "app/tasks/machine/detail/vector_loops.h"
#include "app/tasks/machine/machine_kernel.h"

#include <arm_neon.h>
#include <asm/hwcap.h>
#include <sys/auxv.h>

namespace et::app::detail {
namespace {

constexpr std::size_t sums = 24;  ///< of 32 registers

bool hasDotProduct() {
    return (::getauxval(AT_HWCAP) & HWCAP_ASIMDDP) != 0;
}

/// Four products of bytes to each sum of 32 bits.
void dotBytes(std::size_t passes) {
    int8x16_t first = vdupq_n_s8(1);
    int8x16_t second = vdupq_n_s8(1);
    int32x4_t sum[sums];
#pragma GCC unroll 24
    for (int32x4_t& each : sum) {
        each = vdupq_n_s32(0);
    }
    hide(first);
    hide(second);
    for (std::size_t pass = 0; pass < passes; ++pass) {
#pragma GCC unroll 24
        for (int32x4_t& each : sum) {
            each = vdotq_s32(each, first, second);
        }
    }
    hideAll(sum);
}

constexpr ArithmeticKernel arithmeticOfDotProduct[] = {
    {2, "NEON dot product", 2.0 * sums * sizeof(int8x16_t), hasDotProduct, dotBytes}};

}  // namespace

KernelList neonDotKernels() {
    return {arithmeticOfDotProduct, 1, nullptr};
}

}  // namespace et::app::detail
