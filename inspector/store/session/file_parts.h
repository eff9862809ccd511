#pragma once

#include "inspector/store/database/database.h"
#include "inspector/store/session/row_writer.h"
#include "runtime/core/mapped_file.h"

#include <cstddef>
#include <cstdint>
#include <vector>

// File contents split into parts: SQLite values are limited to 64 MiB here, and parts avoid a second copy in
// memory.
namespace et::inspector::store {

/// Size of all parts of a file except the last.
inline constexpr std::size_t filePartBytes = std::size_t{1} << 20;
/// Maximum compression ratio of a part, so that a small file cannot expand to a huge one; parts that compress
/// better are stored uncompressed.
inline constexpr std::uint64_t maxExpansion = 100;

/// Adds the parts of a file, compressed if that saves space; `part` is the number of the next part.
[[nodiscard]] core::Result<> addFileParts(RowWriter& rows, std::int64_t file, core::Bytes bytes,
                                          std::int64_t& part);

/// Reassembles a file of `bytes`. Errors: Format (parts that are too large, damaged, or do not add up to the
/// size), those of the database.
[[nodiscard]] core::Result<std::vector<std::byte>> readFileParts(Database& database, std::int64_t file,
                                                                 std::uint64_t bytes);

}  // namespace et::inspector::store
