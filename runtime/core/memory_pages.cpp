#include "runtime/core/memory_pages.h"

#include <sys/mman.h>
#include <unistd.h>

#include <cstdint>

namespace et::core {

void takePages(std::span<std::byte> memory) {
#ifdef MADV_POPULATE_WRITE
    const auto page = static_cast<std::uintptr_t>(::sysconf(_SC_PAGESIZE));
    const auto begin = reinterpret_cast<std::uintptr_t>(memory.data());
    const std::uintptr_t first = (begin + page - 1) / page * page;
    const std::uintptr_t end = (begin + memory.size()) / page * page;
    if (first < end) {
        static_cast<void>(::madvise(memory.data() + (first - begin), end - first, MADV_POPULATE_WRITE));
    }
#else
    static_cast<void>(memory);
#endif
}

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
