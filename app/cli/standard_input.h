#pragma once

#include "runtime/core/result.h"

#include <filesystem>
#include <string>

namespace et::app {

/// Reads stdin whole and returns a path to what it had, which this process and those it starts may open as
/// often as they like. Errors: InvalidArgument (a second time), Limit (more than
/// core::MappedFile::maxStreamedBytes), Io.
[[nodiscard]] core::Result<std::filesystem::path> standardInput();

/// `text` with that path called "stdin", for messages.
[[nodiscard]] std::string namingStandardInput(std::string text);

}  // namespace et::app
