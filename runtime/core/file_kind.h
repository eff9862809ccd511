#pragma once

#include "runtime/core/mapped_file.h"
#include "runtime/core/result.h"

#include <cstdint>
#include <filesystem>
#include <memory>
#include <string>
#include <string_view>

namespace et::core {

/// Kinds of files that this suite reads.
enum class FileKind : std::uint8_t {
    Program,
    TensorData,
    Trace,
    Record,
    BundledProgram,
    Package,   ///< of the ExecuTorch Native format
    Database,  ///< an SQLite database: a session, or another
    Profile,   ///< of a vendor's tool; recognized by inspector/profiles
    Unknown,
};

/// Display name: "program (.pte)".
[[nodiscard]] std::string_view fileKindName(FileKind kind);

/// Detects the kind of a file from its content, never from its name (a raw debug buffer has no signature:
/// Unknown).
[[nodiscard]] FileKind detectFileKind(Bytes bytes);

/// Describes a file of the wrong kind: "this is a program (.pte); expected an ETRecord". Names what stores or
/// replaces a file as well (see wrapperText()). Empty if the content is of no known kind.
[[nodiscard]] std::string wrongKindText(Bytes bytes, std::string_view expected);

/// Maximum number of bytes read from a pipe whose start is that of no known kind.
inline constexpr std::uint64_t maxUnknownBytes = std::uint64_t{1} << 28;

/// Checks a stream of which `size` bytes were read, starting with `start`. Errors: Limit (more than
/// maxUnknownBytes of no known kind: an endless stream).
[[nodiscard]] Result<> checkStream(Bytes start, std::uint64_t size, const std::string& file);

/// Opens a file of a binary format. Errors: as openUnwrapped(); Format (a file of another known kind).
[[nodiscard]] Result<std::shared_ptr<const MappedFile>> openOfKind(const std::filesystem::path& path,
                                                                   FileKind expected);

}  // namespace et::core
