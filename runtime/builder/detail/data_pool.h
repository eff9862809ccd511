#pragma once

#include "runtime/core/mapped_file.h"

#include <cstdint>
#include <string_view>
#include <unordered_map>
#include <vector>

namespace et::builder::detail {

[[nodiscard]] constexpr std::uint64_t alignedUp(std::uint64_t offset, std::uint64_t alignment) {
    return (offset + alignment - 1) / alignment * alignment;
}

/// Tensor data by index. Index 0 means "no data", and equal bytes are stored once, as exporters do. Borrows
/// the bytes.
class DataPool {
  public:
    /// Returns the index of these bytes, from 1; equal bytes have the same index.
    std::uint32_t add(core::Bytes bytes);

    /// All bytes in index order, from index 1.
    [[nodiscard]] const std::vector<core::Bytes>& blobs() const { return all; }
    /// Offset of each index in the concatenation of all bytes, where each entry is aligned to 16 bytes;
    /// entry 0 is 0.
    [[nodiscard]] const std::vector<std::uint64_t>& offsets() const { return starts; }
    /// Size of the concatenation.
    [[nodiscard]] std::uint64_t bytes() const { return size; }

  private:
    std::unordered_map<std::string_view, std::uint32_t> indices;
    std::vector<core::Bytes> all;
    std::vector<std::uint64_t> starts{0};
    std::uint64_t size = 0;
};

}  // namespace et::builder::detail
