#pragma once

#include <cstddef>

// Loops that reach a processor's peak rates. Each instruction set has its own file compiled for it, so this
// header must not include anything else.
namespace et::tasks::machine::detail {

/// Multiplies and adds in registers, repeated `passes` times.
struct ArithmeticKernel {
    int arithmetic;  ///< inspector::Arithmetic
    const char* how;
    double operationsPerPass;
    bool (*available)();
    void (*run)(std::size_t passes);
};

/// Streams `passes` times through arrays of `bytes` bytes each; a multiple of 1024, aligned to 64.
struct StreamKernel {
    const char* how;
    bool (*available)();
    void (*read)(const char* from, std::size_t bytes, std::size_t passes);
    void (*copy)(char* to, const char* from, std::size_t bytes, std::size_t passes);
    void (*add)(char* to, const char* first, const char* second, std::size_t bytes, std::size_t passes);
};

struct KernelList {
    const ArithmeticKernel* arithmetic;
    std::size_t arithmeticCount;
    const StreamKernel* stream;  ///< null: none
};

/// Kernels for every architecture.
[[nodiscard]] KernelList portableKernels();
#if defined(__x86_64__)
[[nodiscard]] KernelList avx2Kernels();
[[nodiscard]] KernelList avxVnniKernels();
[[nodiscard]] KernelList avx512Kernels();
[[nodiscard]] KernelList avx512VnniKernels();
[[nodiscard]] KernelList avx512Fp16Kernels();
[[nodiscard]] KernelList amxKernels();
#elif defined(__aarch64__)
[[nodiscard]] KernelList neonDotKernels();
[[nodiscard]] KernelList neonMatrixKernels();
[[nodiscard]] KernelList neonFp16Kernels();
#endif

}  // namespace et::tasks::machine::detail
