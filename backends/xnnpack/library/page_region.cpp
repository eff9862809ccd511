#include "backends/xnnpack/library/page_region.h"

#include <sys/mman.h>
#include <unistd.h>

#include <array>
#include <mutex>
#include <utility>

namespace et::backends::xnnpack {
namespace {

constexpr std::size_t largePage = std::size_t{2} << 20U;
constexpr std::size_t usualSize = 4 * largePage;

/// Unused regions of the default size.
class Spares {
  public:
    static Spares& instance() {
        static Spares only;
        return only;
    }

    /// Returns a null `start` if there is none.
    PageRegion take() {
        const std::scoped_lock lock(mutex);
        return count == 0 ? PageRegion{} : all[--count];
    }

    bool keep(PageRegion region) {
        // Without MADV_FREE the pages would stay allocated.
        if (region.size != usualSize || ::madvise(region.start, region.size, MADV_FREE) != 0) {
            return false;
        }
        const std::scoped_lock lock(mutex);
        if (count == all.size()) {
            return false;
        }
        all[count++] = region;
        return true;
    }

  private:
    std::mutex mutex;
    std::array<PageRegion, 2> all{};
    std::size_t count = 0;
};

/// Maps a region that starts at a multiple of the large page size. The kernel uses small pages after its last
/// complete large page.
PageRegion mapRegion(std::size_t size) {
    void* mapped = ::mmap(nullptr, size + largePage, PROT_READ | PROT_WRITE,
                          MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    if (mapped == MAP_FAILED) {
        return {};
    }
    auto* start = static_cast<std::byte*>(mapped);
    const auto address = reinterpret_cast<std::uintptr_t>(start);
    const std::size_t before = roundedUp(address, largePage) - address;
    if (before != 0) {
        ::munmap(start, before);
    }
    if (before != largePage) {
        ::munmap(start + before + size, largePage - before);
    }
    // Failure without large pages is harmless.
    (void)::madvise(start + before, size, MADV_HUGEPAGE);
    return {.start = start + before, .size = size};
}

}  // namespace

PageRegion allocatePageRegion(std::size_t size) {
    if (size > usualSize / 2) {
        // Nothing else may fit behind it, and an unused part of a large page takes memory.
        return mapRegion(roundedUp(size, static_cast<std::size_t>(::sysconf(_SC_PAGESIZE))));
    }
    const PageRegion spare = Spares::instance().take();
    return spare.start != nullptr ? spare : mapRegion(usualSize);
}

void releasePageRegion(PageRegion region) {
    if (!Spares::instance().keep(region)) {
        ::munmap(region.start, region.size);
    }
}

}  // namespace et::backends::xnnpack
