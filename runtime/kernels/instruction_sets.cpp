// Which instruction sets this processor has, for Highway's dispatch, on x86. Highway's own library is not
// linked there: when a process starts, it measures for 5 ms how precise the processor's clock is, which is
// half of what `et-inspect info` takes. Its headers ask that library for nothing else than what is here.

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

/// What a test holds dispatch to; 0: nothing.
std::atomic<std::int64_t>& heldTo() {
    static std::atomic<std::int64_t> targets = 0;
    return targets;
}

/// The groups of instructions are those that Highway compiles a target for. Asking the compiler's library
/// includes whether the system saves the registers.
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

/// What checks in its headers end in, which builds without optimization keep.
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
