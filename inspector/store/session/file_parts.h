#pragma once

#include "inspector/session/session.h"
#include "inspector/store/database/database.h"
#include "inspector/store/session/row_writer.h"
#include "runtime/core/mapped_file.h"

#include <array>
#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <functional>
#include <string>
#include <string_view>

// File contents split into parts: SQLite values are limited to 64 MiB here, and parts avoid a second copy in
// memory.
namespace et::inspector::store {

/// A kind of file in a session and the members that contain its path.
struct FileKindInfo {
    std::string_view name;                        ///< stable: used in `files.kind`
    std::filesystem::path SessionFiles::* path;   ///< null: derived from the name of its trace
    std::filesystem::path TraceFiles::* ofTrace;  ///< for files of a further trace; null: not available
    bool ofEachTrace;                             ///< whether each trace may have one
};
/// Counters recorded with a trace (InstructionCounts).
inline constexpr std::string_view countersKind = "counters";
inline constexpr std::array fileKinds{
    FileKindInfo{"trace", &SessionFiles::trace, &TraceFiles::trace, true},
    FileKindInfo{"record", &SessionFiles::record, nullptr, false},
    FileKindInfo{"debug_buffer", &SessionFiles::debugBuffer, &TraceFiles::debugBuffer, true},
    FileKindInfo{countersKind, nullptr, nullptr, true},
    FileKindInfo{"program", &SessionFiles::program, nullptr, false},
    FileKindInfo{"bundle", &SessionFiles::bundle, nullptr, false},
    FileKindInfo{"package", &SessionFiles::package, nullptr, false},
    FileKindInfo{"tensor_data", &SessionFiles::tensorData, nullptr, false},
};

/// Size of all parts of a file except the last.
inline constexpr std::size_t filePartBytes = std::size_t{1} << 20;
/// Maximum compression ratio of a part, so that a small file cannot expand to a huge one; parts that compress
/// better are stored uncompressed.
inline constexpr std::uint64_t maxExpansion = 100;

/// Computes the SHA-256 of a file, and releases its pages: a large file need not be in memory at once.
[[nodiscard]] std::string checksumOf(const core::MappedFile& content);

/// Adds the parts of a file, compressed if that saves space, and releases its pages; `part` is the number of
/// the next part.
[[nodiscard]] core::Result<> addFileParts(RowWriter& rows, std::int64_t file, const core::MappedFile& content,
                                          std::int64_t& part);

/// Receives the contents of a file, part by part.
using TakePart = std::function<core::Result<>(core::Bytes part)>;
/// Passes the parts of a file of `bytes` on. Errors: Format (parts that are too large, damaged, or do not add
/// up to the size), those of the database and of `take`.
[[nodiscard]] core::Result<> readFileParts(Database& database, std::int64_t file, std::uint64_t bytes,
                                           const TakePart& take);

}  // namespace et::inspector::store
