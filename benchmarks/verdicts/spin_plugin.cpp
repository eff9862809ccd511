// A slower aten::mean.out in processes that run a program with ".slow." in its file name: a change of a known
// size, for verdict_rates.

#include "runtime/executor/plugin.h"
#include "runtime/kernels/builtin.h"

#include <algorithm>
#include <cstdint>
#include <cstdlib>
#include <fstream>
#include <string>

namespace {

using et::kernels::KernelEntry;

const KernelEntry& usual() {
    static const KernelEntry& entry =
        *std::ranges::find(et::kernels::reductionKernels(), "aten::mean.out", &KernelEntry::name);
    return entry;
}

/// Returns ET_SPIN_LOOPS if this process has such a program open, else 0.
std::uint64_t loops() {
    std::ifstream maps("/proc/self/maps");
    for (std::string line; std::getline(maps, line);) {
        if (line.contains(".slow.")) {
            const char* const asked = std::getenv("ET_SPIN_LOOPS");
            return asked == nullptr ? 0 : std::strtoull(asked, nullptr, 10);
        }
    }
    return 0;
}

et::core::Result<> meanAndSpin(et::kernels::KernelContext& context, et::kernels::Arguments arguments) {
    static const std::uint64_t count = loops();
    ET_TRY(usual().kernel.call(context, arguments));
    // Each step depends on the previous one, so neither the compiler nor a wide processor can shorten the
    // loop.
    volatile std::uint64_t kept = 1;
    std::uint64_t value = kept;
    for (std::uint64_t i = 0; i < count; ++i) {
        value = value * 6364136223846793005U + 1442695040888963407U;
    }
    kept = value;
    return {};
}

const KernelEntry entry{
    "aten::mean.out",
    {.call = &meanAndSpin, .written = usual().kernel.written, .arguments = usual().kernel.arguments},
    usual().prepare,
    usual().older};

}  // namespace

ET_PLUGIN(.kernels = &entry, .kernelCount = 1)
