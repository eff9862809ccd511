#pragma once

#include "runtime/core/result.h"

#include <filesystem>
#include <string>

namespace et::cli {

/// Reads all of stdin and returns a path to its content, which this process and its children can open any
/// number of times. Errors: InvalidArgument (called twice), Limit (more than
/// core::MappedFile::maxStreamedBytes), Io.
[[nodiscard]] core::Result<std::filesystem::path> standardInput();

/// Replaces that path in `text` by "stdin", for messages.
[[nodiscard]] std::string namingStandardInput(std::string text);

}  // namespace et::cli
