#pragma once

// Instruction sets that vectorised kernels are compiled for: on x86 SSE2, AVX2 and AVX-512. The disabled ones
// compile to the same code here as the next older one; vectors without a fixed size (SVE, RISC-V) can neither
// be stored in arrays nor be captured by lambdas. Include before any Highway header.
#define HWY_DISABLED_TARGETS \
    (HWY_SSSE3 | HWY_SSE4 | HWY_AVX3_DL | HWY_AVX3_ZEN4 | HWY_AVX3_SPR | HWY_ALL_SVE | HWY_RVV)
