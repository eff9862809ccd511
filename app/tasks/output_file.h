#pragma once

#include "app/tasks/descriptor_stream.h"
#include "runtime/core/result.h"

#include <filesystem>
#include <vector>

namespace et::app {

/// Puts a text in the file, whole or not at all: it is written beside the file and renamed over it, so that
/// a full disk, an error or an interruption leaves what was there. Devices and pipes are written directly. A
/// link is followed; the mode of a file that exists is kept. Errors: Io, the producer's.
[[nodiscard]] core::Result<> writeFile(const std::filesystem::path& path, const Producer& producer);

/// Errors: InvalidArgument when `path` is one of `inputs`.
[[nodiscard]] core::Result<> refuseToReplace(const std::filesystem::path& path,
                                             const std::vector<std::filesystem::path>& inputs);

/// Makes a folder and those above it, where they are missing. Errors: Io.
[[nodiscard]] core::Result<> makeFolder(const std::filesystem::path& folder);

}  // namespace et::app
