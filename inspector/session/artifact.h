#pragma once

#include "runtime/core/file_kind.h"
#include "runtime/core/mapped_file.h"
#include "runtime/core/result.h"

#include <filesystem>
#include <memory>
#include <span>
#include <vector>

namespace et::inspector {

/// A file that was opened to detect its kind. Readers parse `file`, so that each file is opened once (a pipe
/// can be read only once).
struct RecognizedFile {
    std::filesystem::path path;
    std::shared_ptr<const core::MappedFile> file;  ///< never null
    core::FileKind kind = core::FileKind::Unknown;

    /// Errors: those of core::openUnwrapped(), which accepts ZIP archives here.
    [[nodiscard]] static core::Result<RecognizedFile> open(const std::filesystem::path& path);
    /// A file in memory; `path` is its name.
    [[nodiscard]] static RecognizedFile of(std::shared_ptr<const core::MappedFile> file);
};

/// Errors: those of RecognizedFile::open(), of the first file that has one.
[[nodiscard]] core::Result<std::vector<RecognizedFile>> recognizeFiles(
    std::span<const std::filesystem::path> paths);

}  // namespace et::inspector
