#include "app/tasks/sanitize/guarded_heap.h"

#include "app/tasks/sanitize/fault_signals.h"

#include <fmt/format.h>
#include <sys/mman.h>

#include <algorithm>
#include <bit>
#include <cstring>
#include <utility>

namespace et::tasks {
namespace {

using Access = GuardedRegion::Access;

/// A multiple of all page sizes of x86-64, and the smallest of arm64.
constexpr std::size_t pageSize = 4096;
constexpr std::size_t smallestGuard = std::size_t{64} << 10U;
constexpr std::size_t largestGuard = std::size_t{16} << 20U;
constexpr std::size_t chunkBytes = std::size_t{64} << 20U;
/// Each region needs two memory mappings, of which Linux allows 65,530 per process.
constexpr std::size_t maxRegions = 30'000;

constexpr std::size_t roundedUp(std::size_t bytes) {
    return (bytes + pageSize - 1) / pageSize * pageSize;
}

int protectionOf(Access access) {
    switch (access) {
        case Access::None:
            return PROT_NONE;
        case Access::Read:
            return PROT_READ;
        case Access::Write:
            break;
    }
    return PROT_READ | PROT_WRITE;
}

/// Keeps the handler's records consistent if several threads fault at once.
class SpinLock {
  public:
    explicit SpinLock(std::atomic_flag& flag) : held(flag) {
        while (held.test_and_set(std::memory_order_acquire)) {
        }
    }
    ~SpinLock() { held.clear(std::memory_order_release); }
    SpinLock(const SpinLock&) = delete;
    SpinLock& operator=(const SpinLock&) = delete;

  private:
    std::atomic_flag& held;
};

}  // namespace

GuardedHeap::GuardedHeap() {
    void* const memory = ::mmap(nullptr, maxSaved * pageSize, PROT_READ | PROT_WRITE,
                                MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    saved = memory == MAP_FAILED ? nullptr : static_cast<std::byte*>(memory);
    addFaultHeap(*this);
}

GuardedHeap::~GuardedHeap() {
    removeFaultHeap(*this);
    for (const Chunk& chunk : chunks) {
        ::munmap(chunk.start, chunk.bytes);
    }
    if (saved != nullptr) {
        ::munmap(saved, maxSaved * pageSize);
    }
}

core::Result<std::byte*> GuardedHeap::reserve(std::size_t bytes) {
    closeRemoved();
    if (const auto free = unused.find(bytes); free != unused.end()) {
        std::byte* const start = free->second;
        unused.erase(free);
        return start;
    }
    if (regions.size() == maxRegions) {
        return core::fail(core::ErrorCode::Limit,
                          fmt::format("--sanitize supports at most {} values and buffers", maxRegions));
    }
    if (chunks.empty() || chunks.back().bytes - chunks.back().used < bytes) {
        const std::size_t wanted = std::max(bytes, chunkBytes);
        void* const memory =
            ::mmap(nullptr, wanted, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
        if (memory == MAP_FAILED) {
            return core::fail(core::ErrorCode::Limit,
                              fmt::format("cannot reserve {} bytes for --sanitize", wanted));
        }
        chunks.push_back({.start = static_cast<std::byte*>(memory), .bytes = wanted});
    }
    Chunk& chunk = chunks.back();
    return chunk.start + std::exchange(chunk.used, chunk.used + bytes);
}

core::Result<GuardedRegion*> GuardedHeap::make(std::size_t bytes, GuardedRegion::Flush flush,
                                               std::size_t alignment) {
    auto region = std::make_unique<GuardedRegion>();
    const std::size_t guard = std::clamp(roundedUp(bytes), smallestGuard, largestGuard);
    region->pageBytes = roundedUp(bytes);
    region->reservedBytes = region->pageBytes + 2 * guard;
    region->bytes = bytes;
    ET_ASSIGN(region->reserved, reserve(region->reservedBytes));
    region->pages = region->reserved + guard;
    // With this flag, the kernel does not merge the pages with the guards, so that changing the access is
    // fast.
    ::madvise(region->pages, region->pageBytes, MADV_DONTDUMP);
    const std::size_t room = region->pageBytes - bytes;
    region->begin = region->pages + (flush == GuardedRegion::Flush::End ? room / alignment * alignment : 0);
    GuardedRegion* const made = region.get();
    regions.emplace(made->reserved, std::move(region));
    return made;
}

void GuardedHeap::remove(GuardedRegion* region) {
    removed.push_back(region);
}

void GuardedHeap::closeRemoved() {
    for (GuardedRegion* const region : std::exchange(removed, {})) {
        setAccess(*region, Access::None);
        discard(*region);
        unused.emplace(region->reservedBytes, region->reserved);
        regions.erase(region->reserved);
    }
}

GuardedRegion* GuardedHeap::find(const void* address) {
    // NOLINTNEXTLINE(cppcoreguidelines-pro-type-const-cast): only compared
    const auto after = regions.upper_bound(const_cast<std::byte*>(static_cast<const std::byte*>(address)));
    if (after == regions.begin()) {
        return nullptr;
    }
    GuardedRegion* const region = std::prev(after)->second.get();
    return region->contains(address) ? region : nullptr;
}

void GuardedHeap::setAccess(GuardedRegion& region, Access access) {
    if (region.access == access || region.pageBytes == 0) {
        return;
    }
    if (::mprotect(region.pages, region.pageBytes, protectionOf(access)) != 0) {
        return;
    }
    if (region.access == Access::None) {
        region.openIndex = open.size();
        open.push_back(&region);
    } else if (access == Access::None) {
        open.back()->openIndex = region.openIndex;
        open[region.openIndex] = open.back();
        open.pop_back();
    }
    region.access = access;
    if (access == Access::Write && !std::exchange(region.isTouched, true)) {
        touched += region.pageBytes;
#ifdef MADV_POPULATE_WRITE
        ::madvise(region.pages, region.pageBytes, MADV_POPULATE_WRITE);  // faster than a fault for each page
#endif
    }
}

void GuardedHeap::openOnly(std::span<GuardedRegion* const> readable,
                           std::span<GuardedRegion* const> writable) {
    const std::vector<GuardedRegion*> before = open;
    for (GuardedRegion* const region : before) {
        if (!region->staysOpen && !std::ranges::contains(readable, region) &&
            !std::ranges::contains(writable, region)) {
            setAccess(*region, Access::None);
        }
    }
    for (GuardedRegion* const region : readable) {
        if (!std::ranges::contains(writable, region)) {
            setAccess(*region, Access::Read);
        }
    }
    for (GuardedRegion* const region : writable) {
        setAccess(*region, Access::Write);
    }
}

void GuardedHeap::discard(GuardedRegion& region) {
    if (std::exchange(region.isTouched, false)) {
        ::madvise(region.pages, region.pageBytes, MADV_DONTNEED);
        touched -= region.pageBytes;
    }
}

void GuardedHeap::beginCall() {
    faultCount = 0;
    recording.store(true, std::memory_order_release);
}

std::span<const MemoryFault> GuardedHeap::endCall() {
    recording.store(false, std::memory_order_release);
    for (std::size_t i = 0; i < openPageCount; ++i) {
        restore(openPages[i]);
    }
    openPageCount = 0;
    savedCount = 0;
    return std::span(faults).first(faultCount);
}

void GuardedHeap::restore(const OpenPage& opened) {
    if (opened.saved >= 0) {
        std::memcpy(opened.page, saved + static_cast<std::size_t>(opened.saved) * pageSize, pageSize);
    }
    const bool isInside = opened.region->hasPage(opened.page);
    if (!isInside) {
        ::madvise(opened.page, pageSize, MADV_DONTNEED);
    }
    ::mprotect(opened.page, pageSize, protectionOf(isInside ? opened.region->access : Access::None));
}

void GuardedHeap::note(const MemoryFault& fault) {
    const SpinLock lock(busy);
    if (faultCount < maxFaults) {
        faults[faultCount++] = fault;
    } else if (fault.region == nullptr) {
        faults.back() = fault;
    }
}

bool GuardedHeap::handle(const MemoryFault& fault) {
    GuardedRegion* const region = find(fault.address);
    if (region == nullptr) {
        return false;
    }
    if (!isRecording()) {
        if (!region->hasPage(fault.address)) {
            return false;
        }
        setAccess(*region, Access::Write);
        return region->access == Access::Write;
    }
    if (openPageCount == maxPages) {
        return false;
    }
    MemoryFault located = fault;
    located.region = region;
    note(located);
    const SpinLock lock(busy);
    auto* const page =
        std::bit_cast<std::byte*>(std::bit_cast<std::uintptr_t>(fault.address) / pageSize * pageSize);
    OpenPage opened{.page = page, .region = region};
    if (region->hasPage(page) && saved != nullptr && savedCount < maxSaved) {
        ::mprotect(page, pageSize, PROT_READ | PROT_WRITE);
        opened.saved = static_cast<std::int32_t>(savedCount++);
        std::memcpy(saved + static_cast<std::size_t>(opened.saved) * pageSize, page, pageSize);
    }
    ::mprotect(page, pageSize, PROT_READ | PROT_WRITE);
    openPages[openPageCount++] = opened;
    return true;
}

}  // namespace et::tasks
