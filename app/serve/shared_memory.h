#pragma once

#include "runtime/core/descriptor.h"
#include "runtime/core/result.h"

#include <cstddef>
#include <memory>
#include <span>
#include <utility>

namespace et::serve {

/// Longer bytes are passed in shared memory instead of in the message.
inline constexpr std::size_t maxInlineBytes = std::size_t{64} << 10U;

/// Size of `bytes` with padding, for several arrays in one memory.
[[nodiscard]] constexpr std::size_t paddedSize(std::size_t bytes) {
    return (bytes + 63) / 64 * 64;
}

/// Memory that another process can map through its descriptor.
class SharedMemory {
  public:
    /// Creates zeroed memory. Errors: Io (the system has none).
    [[nodiscard]] static core::Result<std::shared_ptr<SharedMemory>> make(std::size_t size);
    /// Maps the memory of another process. Errors: InvalidArgument (its size can change, so accesses might
    /// fail), Io.
    [[nodiscard]] static core::Result<std::shared_ptr<SharedMemory>> map(core::Descriptor descriptor);

    SharedMemory(const SharedMemory&) = delete;
    SharedMemory& operator=(const SharedMemory&) = delete;
    ~SharedMemory();

    [[nodiscard]] std::span<std::byte> bytes() const { return mapped; }
    [[nodiscard]] int descriptor() const { return file.get(); }

  private:
    explicit SharedMemory(core::Descriptor descriptor) : file(std::move(descriptor)) {}
    core::Result<> mapAll(std::size_t size);

    core::Descriptor file;
    std::span<std::byte> mapped;
};

}  // namespace et::serve
