#pragma once

#include "runtime/core/result.h"

#include <cstddef>
#include <memory>
#include <span>

namespace et::serve {

/// Memory that another process can map through its descriptor.
class SharedMemory {
  public:
    /// Creates zeroed memory. Errors: Io (the system has none).
    [[nodiscard]] static core::Result<std::shared_ptr<SharedMemory>> make(std::size_t size);
    /// Maps the memory of another process, and takes ownership of the descriptor. Errors: InvalidArgument
    /// (its size can change, so accesses might fail), Io.
    [[nodiscard]] static core::Result<std::shared_ptr<SharedMemory>> map(int descriptor);

    SharedMemory(const SharedMemory&) = delete;
    SharedMemory& operator=(const SharedMemory&) = delete;
    ~SharedMemory();

    [[nodiscard]] std::span<std::byte> bytes() const { return mapped; }
    [[nodiscard]] int descriptor() const { return file; }

  private:
    explicit SharedMemory(int descriptor) : file(descriptor) {}
    core::Result<> mapAll(std::size_t size);

    int file;
    std::span<std::byte> mapped;
};

}  // namespace et::serve
