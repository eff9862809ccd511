#include "app/tasks/machine/detail/vector_loops.h"
#include "app/tasks/machine/machine_kernel.h"

#include <arm_neon.h>
#include <asm/hwcap.h>
#include <sys/auxv.h>

namespace et::app::detail {
namespace {

constexpr std::size_t sums = 24;  ///< of 32 registers
constexpr double productsOfOne = 32;

bool hasMatrixProduct() {
    return (::getauxval(AT_HWCAP2) & HWCAP2_I8MM) != 0;
}

/// 2 x 8 bytes by 8 x 2: four sums of eight products.
void multiplyMatrices(std::size_t passes) {
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
            each = vmmlaq_s32(each, first, second);
        }
    }
    hideAll(sum);
}

constexpr ArithmeticKernel arithmeticOfMatrixProduct[] = {
    {2, "NEON matrix product", 2.0 * sums* productsOfOne, hasMatrixProduct, multiplyMatrices}};

}  // namespace

KernelList neonMatrixKernels() {
    return {arithmeticOfMatrixProduct, 1, nullptr};
}

}  // namespace et::app::detail
