#include "app/tasks/machine/detail/vector_loops.h"
#include "app/tasks/machine/machine_kernel.h"

namespace et::tasks::machine::detail {
namespace {

constexpr std::size_t vectorBytes = 16;
using Floats = float __attribute__((vector_size(vectorBytes)));
using Integers = int __attribute__((vector_size(vectorBytes)));
using Words = unsigned __attribute__((vector_size(vectorBytes)));
#if defined(__aarch64__)
constexpr std::size_t sums = 24;  ///< of 32 registers
#else
constexpr std::size_t sums = 10;
#endif

bool always() {
    return true;
}

// Bytes are widened first, since there are no byte product instructions.
constexpr ArithmeticKernel arithmeticOfAll[] = {
    {0, "128-bit vectors", 2.0 * sums * sizeof(Floats) / sizeof(float), always, multiplyAdd<Floats, sums>},
    {2, "128-bit vectors, widened", 2.0 * sums * sizeof(Integers) / sizeof(int), always,
     multiplyAdd<Integers, sums>},
};
constexpr StreamKernel streamOfAll{"128-bit vectors", always, Streams<Words>::read, Streams<Words>::copy,
                                   Streams<Words>::add};

}  // namespace

KernelList portableKernels() {
    return {arithmeticOfAll, sizeof(arithmeticOfAll) / sizeof(arithmeticOfAll[0]), &streamOfAll};
}

}  // namespace et::tasks::machine::detail
