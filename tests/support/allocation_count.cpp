#include "tests/support/allocation_count.h"

#include <algorithm>
#include <array>
#include <atomic>
#include <cerrno>
#include <cstddef>

namespace {

std::atomic<bool> isCounting = false;
std::atomic<std::uint64_t> taken = 0;

/// Static, because it is used inside the allocator.
std::array<std::atomic<std::uint64_t>, 4096> alignedSizes{};
std::atomic<std::size_t> alignedCount = 0;

void noteAligned(std::size_t size) {
    if (isCounting.load(std::memory_order_relaxed)) {
        const std::size_t at = alignedCount.fetch_add(1, std::memory_order_relaxed);
        if (at < alignedSizes.size()) {
            alignedSizes[at].store(size, std::memory_order_relaxed);
        }
    }
}

void note() {
    if (isCounting.load(std::memory_order_relaxed)) {
        taken.fetch_add(1, std::memory_order_relaxed);
    }
}

}  // namespace

// The C library's own functions, under the names it provides for replacements.
extern "C" {
// NOLINTBEGIN: its names
void* __libc_malloc(std::size_t size);
void* __libc_calloc(std::size_t count, std::size_t size);
void* __libc_realloc(void* memory, std::size_t size);
void* __libc_memalign(std::size_t alignment, std::size_t size);
// NOLINTEND

void* malloc(std::size_t size) noexcept {
    note();
    return __libc_malloc(size);
}
void* calloc(std::size_t count, std::size_t size) noexcept {
    note();
    return __libc_calloc(count, size);
}
void* realloc(void* memory, std::size_t size) noexcept {
    note();
    return __libc_realloc(memory, size);
}
void* memalign(std::size_t alignment, std::size_t size) noexcept {
    note();
    return __libc_memalign(alignment, size);
}
void* aligned_alloc(std::size_t alignment, std::size_t size) noexcept {
    note();
    return __libc_memalign(alignment, size);
}
int posix_memalign(void** memory, std::size_t alignment, std::size_t size) noexcept {
    note();
    noteAligned(size);
    *memory = __libc_memalign(alignment, size);
    return *memory == nullptr ? ENOMEM : 0;
}
}

namespace et::test {

AllocationCount::AllocationCount() {
    taken = 0;
    alignedCount = 0;
    isCounting = true;
}

AllocationCount::~AllocationCount() {
    isCounting = false;
}

std::uint64_t AllocationCount::count() const {
    return taken;
}

std::uint64_t AllocationCount::alignedOf(std::uint64_t bytes) const {
    const std::size_t known = std::min(alignedCount.load(), alignedSizes.size());
    return static_cast<std::uint64_t>(std::count(alignedSizes.begin(), alignedSizes.begin() + known, bytes));
}

std::uint64_t AllocationCount::alignedBytes() const {
    const std::size_t known = std::min(alignedCount.load(), alignedSizes.size());
    std::uint64_t sum = 0;
    for (std::size_t i = 0; i < known; ++i) {
        sum += alignedSizes[i];
    }
    return sum;
}

}  // namespace et::test
