#include "app/tasks/machine/detail/vector_loops.h"
#include "app/tasks/machine/machine_kernel.h"

#include <arm_neon.h>
#include <asm/hwcap.h>
#include <sys/auxv.h>

namespace et::tasks::machine::detail {
namespace {

constexpr std::size_t sums = 24;  ///< of 32 registers
constexpr double productsOfOne = 32;

bool hasMatrixProduct() {
    return (::getauxval(AT_HWCAP2) & HWCAP2_I8MM) != 0;
}

/// Multiplies 2 x 8 bytes by 8 x 2: four sums of eight products.
struct Matrices {
    using Sum = int32x4_t;
    static int8x16_t ones() { return vdupq_n_s8(1); }
    static Sum plus(Sum sum, int8x16_t first, int8x16_t second) { return vmmlaq_s32(sum, first, second); }
};

constexpr ArithmeticKernel arithmeticOfMatrixProduct[] = {
    {2, "NEON matrix product", 2.0 * sums* productsOfOne, hasMatrixProduct, sumProducts<Matrices, sums>}};

}  // namespace

KernelList neonMatrixKernels() {
    return {arithmeticOfMatrixProduct, 1, nullptr};
}

}  // namespace et::tasks::machine::detail
