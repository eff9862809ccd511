#pragma once

#include "inspector/store/database.h"
#include "inspector/store/row_writer.h"
#include "runtime/core/mapped_file.h"

#include <cstddef>
#include <cstdint>
#include <vector>

// The content of files in pieces: SQLite holds no value of more than 64 MiB here, and nothing has to be in
// memory twice.
namespace et::inspector::store {

/// Size of all pieces of a file but its last.
inline constexpr std::size_t filePartBytes = std::size_t{1} << 20;
/// Pieces hold this much more than they take in the file at most, so that a small file cannot stand for a
/// huge one; what compresses better is stored as it is.
inline constexpr std::uint64_t maxExpansion = 100;

/// Adds the pieces of a file, compressed where that saves anything; `part` is the number of the next piece.
[[nodiscard]] core::Result<> addFileParts(RowWriter& rows, std::int64_t file, core::Bytes bytes,
                                          std::int64_t& part);

/// Puts a file of `bytes` together again. Errors: Format (pieces that are too large or damaged, or too few or
/// many for the size), those of the database.
[[nodiscard]] core::Result<std::vector<std::byte>> readFileParts(Database& database, std::int64_t file,
                                                                 std::uint64_t bytes);

}  // namespace et::inspector::store
