// Instruction set detection for Highway's dispatch on x86. Highway's own library is not linked there: at
// process start it spends 5 ms measuring the timer resolution, half the run time of `et-inspect info`. Its
// headers use nothing else from that library.

#include "runtime/kernels/simd_targets.h"

#include <hwy/detect_targets.h>
#include <hwy/targets.h>

#if HWY_ARCH_X86_64

#include <atomic>
#include <cstdarg>
#include <cstdint>
#include <cstdio>
#include <cstdlib>

namespace hwy {
namespace {

/// Dispatch override for tests; 0: none.
std::atomic<std::int64_t>& heldTo() {
    static std::atomic<std::int64_t> targets = 0;
    return targets;
}

/// The groups match the targets that Highway compiles. The compiler's runtime also checks that the OS saves
/// the registers.
std::int64_t detect() {
    std::int64_t targets = HWY_SSE2;
    const bool hasAvx2 = __builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma") &&
                         __builtin_cpu_supports("bmi") && __builtin_cpu_supports("bmi2") &&
                         __builtin_cpu_supports("lzcnt") && __builtin_cpu_supports("f16c") &&
                         __builtin_cpu_supports("pclmul") && __builtin_cpu_supports("aes");
    const bool hasAvx512 = __builtin_cpu_supports("avx512f") && __builtin_cpu_supports("avx512vl") &&
                           __builtin_cpu_supports("avx512dq") && __builtin_cpu_supports("avx512bw") &&
                           __builtin_cpu_supports("avx512cd");
    if (hasAvx2) {
        targets |= HWY_AVX2;
    }
    if (hasAvx2 && hasAvx512) {
        targets |= HWY_AVX3;
    }
    return targets;
}

}  // namespace

std::int64_t SupportedTargets() {
    static const std::int64_t here = detect();
    const std::int64_t held = heldTo().load(std::memory_order_relaxed);
    return held != 0 ? held : here;
}

void SetSupportedTargetsForTest(std::int64_t targets) {
    heldTo().store(targets, std::memory_order_relaxed);
    GetChosenTarget().DeInit();
}

/// Called by failed checks in Highway's headers, which builds without optimization keep.
HWY_NORETURN void Abort(const char* file, int line, const char* format, ...) {
    std::va_list arguments;
    va_start(arguments, format);
    std::fprintf(stderr, "%s:%d: ", file, line);
    std::vfprintf(stderr, format, arguments);
    std::fputc('\n', stderr);
    va_end(arguments);
    std::abort();
}

ChosenTarget& GetChosenTarget() {
    static ChosenTarget chosen;
    return chosen;
}

}  // namespace hwy

#endif
