#pragma once

// The instruction sets that vectorised kernels are compiled for: on x86 SSE2, AVX2 and AVX-512. Those left
// out compile to the same code here as the next older one; vectors without a fixed size (SVE, RISC-V) can
// neither be in arrays nor be captured by lambdas. To be included before any header of Highway.
#define HWY_DISABLED_TARGETS \
    (HWY_SSSE3 | HWY_SSE4 | HWY_AVX3_DL | HWY_AVX3_ZEN4 | HWY_AVX3_SPR | HWY_ALL_SVE | HWY_RVV)
