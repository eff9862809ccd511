#pragma once

#include "runtime/core/mapped_file.h"

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace et::test {

/// One entry of a zip written byte by byte, so that its headers can be wrong.
struct ZipEntry {
    std::string name;
    std::string content{};  ///< as stored (for method 8: deflate data)
    std::uint16_t method = 0;
    std::uint16_t flags = 0;
    std::optional<std::uint32_t> claimedBytes{};  ///< uncompressed size; by default that of the content
    std::optional<std::uint32_t>
        claimedCrc{};  ///< of the uncompressed content; by default that of the content
};

[[nodiscard]] std::string buildZip(const std::vector<ZipEntry>& entries);

/// Returns `text` as deflate data in stored blocks.
[[nodiscard]] std::string deflateStored(std::string_view text);

[[nodiscard]] std::uint32_t crc32(std::string_view text);

[[nodiscard]] std::shared_ptr<const core::MappedFile> inMemory(std::string_view content,
                                                               std::string name = "test.zip");

}  // namespace et::test
