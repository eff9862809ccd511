#pragma once

#include "app/tasks/base/descriptor_stream.h"
#include "runtime/core/file_content.h"
#include "runtime/core/file_replacement.h"
#include "runtime/core/mapped_file.h"
#include "runtime/core/result.h"

#include <filesystem>
#include <functional>
#include <memory>
#include <vector>

namespace et::tasks {

/// Writes a file atomically: writes a temporary file next to it and renames it, so that a full disk, an error
/// or an interruption leaves the old content. Devices and pipes are written directly. Follows links; keeps
/// the mode of an existing file. Errors: Io, the producer's.
[[nodiscard]] core::Result<> writeFile(const std::filesystem::path& path, const Producer& producer,
                                       core::FileReplacement::Sync sync = core::FileReplacement::Sync::Now);

[[nodiscard]] core::Result<> writeFile(const std::filesystem::path& path, const core::FileContent& content);

/// Checks a file that is about to be written, and may keep it.
using FileCheck = std::function<core::Result<>(std::shared_ptr<const core::MappedFile> written)>;

/// Writes a file as above, unless `check` returns an error. It reads the file from the disk; without a path,
/// and for devices and pipes, it gets the bytes in memory. Errors: Io, those of `check`.
[[nodiscard]] core::Result<> writeChecked(const std::filesystem::path& path, const core::FileContent& content,
                                          const FileCheck& check);

/// Errors: InvalidArgument if `path` is one of `inputs`.
[[nodiscard]] core::Result<> refuseToReplace(const std::filesystem::path& path,
                                             const std::vector<std::filesystem::path>& inputs);

/// For work that takes long, before it begins. "-" and empty paths are no files. Errors: Io if the folder of
/// one of these output files does not exist.
[[nodiscard]] core::Result<> checkFoldersOf(const std::vector<std::filesystem::path>& outputs);

/// Creates a folder and its missing parents. Errors: Io.
[[nodiscard]] core::Result<> makeFolder(const std::filesystem::path& folder);

}  // namespace et::tasks
