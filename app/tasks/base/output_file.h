#pragma once

#include "app/tasks/base/descriptor_stream.h"
#include "runtime/core/result.h"

#include <filesystem>
#include <vector>

namespace et::tasks {

/// Writes a file atomically: writes a temporary file next to it and renames it, so that a full disk, an error
/// or an interruption leaves the old content. Devices and pipes are written directly. Follows links; keeps
/// the mode of an existing file. Errors: Io, the producer's.
[[nodiscard]] core::Result<> writeFile(const std::filesystem::path& path, const Producer& producer);

/// Errors: InvalidArgument if `path` is one of `inputs`.
[[nodiscard]] core::Result<> refuseToReplace(const std::filesystem::path& path,
                                             const std::vector<std::filesystem::path>& inputs);

/// Creates a folder and its missing parents. Errors: Io.
[[nodiscard]] core::Result<> makeFolder(const std::filesystem::path& folder);

}  // namespace et::tasks
