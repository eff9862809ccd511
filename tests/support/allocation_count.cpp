#include "tests/support/allocation_count.h"

#include <atomic>
#include <cerrno>
#include <cstddef>

namespace {

std::atomic<bool> isCounting = false;
std::atomic<std::uint64_t> taken = 0;

void note() {
    if (isCounting.load(std::memory_order_relaxed)) {
        taken.fetch_add(1, std::memory_order_relaxed);
    }
}

}  // namespace

// The C library's own, under the names that it has for those who take the usual ones.
extern "C" {
void* __libc_malloc(std::size_t size);
void* __libc_calloc(std::size_t count, std::size_t size);
void* __libc_realloc(void* memory, std::size_t size);
void* __libc_memalign(std::size_t alignment, std::size_t size);

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
    *memory = __libc_memalign(alignment, size);
    return *memory == nullptr ? ENOMEM : 0;
}
}

namespace et::test {

AllocationCount::AllocationCount() {
    taken = 0;
    isCounting = true;
}

AllocationCount::~AllocationCount() {
    isCounting = false;
}

std::uint64_t AllocationCount::count() const {
    return taken;
}

}  // namespace et::test
