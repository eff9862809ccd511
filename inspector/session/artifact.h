#pragma once

#include "runtime/core/mapped_file.h"
#include "runtime/core/result.h"

#include <cstdint>
#include <filesystem>
#include <memory>
#include <span>
#include <string_view>
#include <vector>

namespace et::inspector {

/// Kinds of files that this suite reads.
enum class ArtifactKind : std::uint8_t {
    Program,
    TensorData,
    Trace,
    Record,
    BundledProgram,
    Database,  ///< an SQLite database: a session, or another
    Unknown,
};

/// Display name: "program (.pte)".
[[nodiscard]] std::string_view artifactName(ArtifactKind kind);

/// Detects the kind of a file from its content, never from its name (a raw debug buffer has no signature:
/// Unknown).
[[nodiscard]] ArtifactKind detectArtifact(core::Bytes bytes);

/// A file that was opened to detect its kind. Readers parse `file`, so that each file is opened once (a pipe
/// can be read only once).
struct RecognizedFile {
    std::filesystem::path path;
    std::shared_ptr<const core::MappedFile> file;  ///< never null
    ArtifactKind kind = ArtifactKind::Unknown;

    /// Errors: those of core::openUnwrapped(), which accepts ZIP archives here.
    [[nodiscard]] static core::Result<RecognizedFile> open(const std::filesystem::path& path);
    /// A file in memory; `path` is its name.
    [[nodiscard]] static RecognizedFile of(std::shared_ptr<const core::MappedFile> file);
};

/// Errors: those of RecognizedFile::open(), of the first file that has one.
[[nodiscard]] core::Result<std::vector<RecognizedFile>> recognizeFiles(
    std::span<const std::filesystem::path> paths);

}  // namespace et::inspector
