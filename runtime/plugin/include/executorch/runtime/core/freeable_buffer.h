#pragma once

#include <executorch/runtime/core/error.h>
#include <executorch/runtime/core/result.h>
#include <executorch/runtime/platform/assert.h>

#include <cstddef>
#include <cstdint>

namespace executorch::runtime {

/// Memory, or a number that stands for it, with a function that frees it.
class FreeableBuffer final {
  public:
    using FreeFn = void (*)(void* context, void* data, size_t size);
    using FreeUInt64Fn = void (*)(void* context, uint64_t data, size_t size);

    FreeableBuffer() = default;
    FreeableBuffer(const void* data, size_t size, FreeFn free, void* context = nullptr)
        : pointer(data), free_pointer(free), free_context(context), bytes(size) {}
    explicit FreeableBuffer(uint64_t data, size_t size, FreeUInt64Fn free, void* context = nullptr)
        : number(data), is_number(true), free_number(free), free_context(context), bytes(size) {}
    FreeableBuffer(FreeableBuffer&& other) noexcept
        : pointer(other.pointer),
          number(other.number),
          is_number(other.is_number),
          free_pointer(other.free_pointer),
          free_number(other.free_number),
          free_context(other.free_context),
          bytes(other.bytes) {
        other.forget();
    }
    FreeableBuffer(const FreeableBuffer&) = delete;
    FreeableBuffer& operator=(FreeableBuffer&&) = delete;
    FreeableBuffer& operator=(const FreeableBuffer&) = delete;
    ~FreeableBuffer() { Free(); }

    void Free() {
        if (is_number) {
            if (number != 0 && free_number != nullptr) {
                free_number(free_context, number, bytes);
            }
        } else if (pointer != nullptr && free_pointer != nullptr) {
            free_pointer(free_context, const_cast<void*>(pointer), bytes);
        }
        forget();
    }

    size_t size() const { return bytes; }
    const void* data() const {
        ET_CHECK_MSG(!is_number, "the buffer holds a number; use data_uint64_type()");
        return pointer;
    }
    Result<const void*> data_safe() const {
        ET_CHECK_OR_RETURN_ERROR(!is_number, InvalidType,
                                 "the buffer holds a number; use data_uint64_type()");
        return pointer;
    }
    Result<uint64_t> data_uint64_type() const {
        ET_CHECK_OR_RETURN_ERROR(is_number, InvalidType, "the buffer holds a pointer; use data()");
        return number;
    }

  private:
    void forget() {
        pointer = nullptr;
        number = 0;
        bytes = 0;
    }

    const void* pointer = nullptr;
    uint64_t number = 0;
    bool is_number = false;
    FreeFn free_pointer = nullptr;
    FreeUInt64Fn free_number = nullptr;
    void* free_context = nullptr;
    size_t bytes = 0;
};

}  // namespace executorch::runtime

namespace torch::executor {
using ::executorch::runtime::FreeableBuffer;
}
