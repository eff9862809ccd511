#include "runtime/core/memory_pages.h"

#include <sys/mman.h>
#include <sys/prctl.h>
#include <unistd.h>

#include <cstdint>

namespace et::core {
namespace {

/// Applies advice to the pages that are completely inside the memory. Harmless if the system does not support
/// it.
void advise(void* memory, std::size_t bytes, int advice) {
    const auto page = static_cast<std::uintptr_t>(::sysconf(_SC_PAGESIZE));
    const auto begin = reinterpret_cast<std::uintptr_t>(memory);
    const std::uintptr_t first = (begin + page - 1) / page * page;
    const std::uintptr_t end = (begin + bytes) / page * page;
    if (first < end) {
        static_cast<void>(::madvise(static_cast<std::byte*>(memory) + (first - begin), end - first, advice));
    }
}

}  // namespace

void takePages(std::span<std::byte> memory) {
#ifdef MADV_POPULATE_WRITE
    constexpr std::size_t least = std::size_t{1} << 16U;  // the system call takes as long as a few page
                                                          // faults
    if (memory.size() >= least) {
        advise(memory.data(), memory.size(), MADV_POPULATE_WRITE);
    }
#else
    static_cast<void>(memory);
#endif
}

void avoidHugePages() {
    static_cast<void>(::prctl(PR_SET_THP_DISABLE, 1, 0, 0, 0));
}

void preferHugePages(void* memory, std::size_t bytes) {
    constexpr std::size_t hugePage = std::size_t{2} << 20U;
    constexpr std::size_t least = 2 * hugePage;
    if (bytes >= least) {
        advise(memory, bytes, MADV_HUGEPAGE);
    }
}

}  // namespace et::core
