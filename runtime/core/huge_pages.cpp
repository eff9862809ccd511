#include "runtime/core/huge_pages.h"

#include <sys/mman.h>

#include <cstdint>

namespace et::core {

void preferHugePages(void* memory, std::size_t bytes) {
    constexpr std::size_t hugePage = std::size_t{2} << 20U;
    constexpr std::size_t least = 2 * hugePage;
    constexpr std::size_t smallPage = 4096;
    if (bytes < least) {
        return;
    }
    const auto address = reinterpret_cast<std::uintptr_t>(memory);
    const std::uintptr_t first = (address + smallPage - 1) / smallPage * smallPage;
    const std::uintptr_t last = (address + bytes) / smallPage * smallPage;
    // Refused where there are none, which does no harm.
    // NOLINTNEXTLINE(performance-no-int-to-ptr): whole pages of an address
    (void)::madvise(reinterpret_cast<void*>(first), last - first, MADV_HUGEPAGE);
}

}  // namespace et::core
