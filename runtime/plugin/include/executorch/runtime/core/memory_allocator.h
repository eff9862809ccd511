#pragma once

#include <c10/util/safe_numerics.h>
#include <executorch/runtime/core/error.h>
#include <executorch/runtime/platform/assert.h>
#include <executorch/runtime/platform/profiler.h>

#include <cinttypes>
#include <cstddef>
#include <cstdint>

namespace executorch::runtime {

/// Hands out pieces of a block. The allocators of a context override allocate().
class MemoryAllocator {
  public:
    static constexpr size_t kDefaultAlignment = alignof(void*);

    MemoryAllocator(uint32_t size, uint8_t* base_address) : first(base_address), bytes(size) {}
    virtual ~MemoryAllocator() = default;

    /// Null if there is not enough memory.
    virtual void* allocate(size_t size, size_t alignment = kDefaultAlignment) {
        if (first == nullptr || !isPowerOf2(alignment)) {
            ET_LOG(Error, "cannot allocate %zu bytes with alignment %zu", size, alignment);
            return nullptr;
        }
        uint8_t* const start = alignPointer(first + used, alignment);
        const auto before = static_cast<size_t>(start - first);
        if (before > bytes || size > bytes - before) {
            ET_LOG(Error, "cannot allocate %zu bytes: %zu of %" PRIu32 " are in use", size, used, bytes);
            return nullptr;
        }
        used = before + size;
        return start;
    }
    template <typename T>
    T* allocateInstance(size_t alignment = alignof(T)) {
        return static_cast<T*>(allocate(sizeof(T), alignment));
    }
    template <typename T>
    T* allocateList(size_t count, size_t alignment = alignof(T)) {
        size_t total = 0;
        if (c10::mul_overflows(count, sizeof(T), &total)) {
            ET_LOG(Error, "cannot allocate %zu elements of %zu bytes", count, sizeof(T));
            return nullptr;
        }
        return static_cast<T*>(allocate(total, alignment));
    }

    virtual uint8_t* base_address() const { return first; }
    virtual uint32_t size() const { return bytes; }
    virtual size_t used_size() const { return used; }
    virtual size_t free_size() const { return bytes - used; }
    virtual void reset() { used = 0; }
    void enable_profiling(const char* /*name*/) {}

  protected:
    int32_t prof_id() const { return -1; }
    static constexpr bool isPowerOf2(size_t number) { return number != 0 && (number & (number - 1)) == 0; }
    static uint8_t* alignPointer(void* pointer, size_t alignment) {
        const auto address = reinterpret_cast<uintptr_t>(pointer);
        return reinterpret_cast<uint8_t*>((address + alignment - 1) & ~static_cast<uintptr_t>(alignment - 1));
    }

  private:
    uint8_t* const first;
    uint32_t const bytes;
    size_t used = 0;
};

}  // namespace executorch::runtime

namespace torch::executor {
using ::executorch::runtime::MemoryAllocator;
}
