#pragma once

#include "runtime/core/mapped_file.h"

#include <cstdint>
#include <string_view>
#include <unordered_map>
#include <vector>

namespace et::builder::detail {

/// Tensor data by index. Index 0 means "no data", and equal bytes are stored once, as exporters do. Borrows
/// the bytes.
class DataPool {
  public:
    /// Returns the index of these bytes, from 1; equal bytes have the same index.
    std::uint32_t add(core::Bytes bytes);

    /// All bytes in index order, from index 1.
    [[nodiscard]] const std::vector<core::Bytes>& blobs() const { return all; }
    /// Offset of each index in joined(); entry 0 is 0.
    [[nodiscard]] const std::vector<std::uint64_t>& offsets() const { return starts; }
    [[nodiscard]] std::uint64_t bytes() const { return size; }

    /// Concatenation, with each entry aligned to 16 bytes.
    [[nodiscard]] std::vector<std::byte> joined() const;

  private:
    std::unordered_map<std::string_view, std::uint32_t> indices;
    std::vector<core::Bytes> all;
    std::vector<std::uint64_t> starts{0};
    std::uint64_t size = 0;
};

}  // namespace et::builder::detail
