#include "app/tasks/machine/core_clock.h"

#include <chrono>
#include <cstdint>

namespace et::tasks {
namespace {

constexpr std::uint64_t additionsOfStep = 64;  ///< as in the assembly below
constexpr std::uint64_t steps = 256;

/// Adds registers: some processors execute additions of constants in zero cycles.
[[maybe_unused]] void addOneByOne() {
    std::uint64_t sum = 0;
    [[maybe_unused]] const std::uint64_t one = 1;
    for (std::uint64_t step = 0; step < steps; ++step) {
#if defined(__x86_64__)
        asm volatile(".rept 64\n\tadd %1, %0\n\t.endr" : "+r"(sum) : "r"(one) : "cc");
#elif defined(__aarch64__)
        asm volatile(".rept 64\n\tadd %0, %0, %1\n\t.endr" : "+r"(sum) : "r"(one));
#endif
    }
}

}  // namespace

double coreClock() {
#if defined(__x86_64__) || defined(__aarch64__)
    using Clock = std::chrono::steady_clock;
    const Clock::time_point start = Clock::now();
    addOneByOne();
    const std::chrono::duration<double, std::nano> took = Clock::now() - start;
    return took.count() > 0 ? static_cast<double>(additionsOfStep * steps) / took.count() : 0;
#else
    return 0;
#endif
}

}  // namespace et::tasks
