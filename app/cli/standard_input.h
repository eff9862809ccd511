#pragma once

#include "app/tasks/base/descriptor_stream.h"
#include "runtime/core/mapped_file.h"
#include "runtime/core/result.h"

#include <filesystem>
#include <functional>
#include <string>

namespace et::cli {

/// Reads all of stdin and returns a path to its content, which this process and its children can open any
/// number of times. Errors: InvalidArgument (called twice), Limit (more than
/// core::MappedFile::maxStreamedBytes), Io.
[[nodiscard]] core::Result<std::filesystem::path> standardInput();

/// Appends to a file.
using AppendBytes = std::function<core::Result<>(core::Bytes bytes)>;
/// Returns a path to a file in memory that `write` fills and that this process and its children can open any
/// number of times; namingStandardInput() replaces it by `shown`. Errors: Io, those of `write`.
[[nodiscard]] core::Result<std::filesystem::path> heldFile(
    const std::function<core::Result<>(const AppendBytes& append)>& write, std::string shown);

/// Writes the output of `producer` with these paths replaced.
[[nodiscard]] tasks::Producer namingStandardInput(tasks::Producer producer);
/// Replaces these paths in `text` by "stdin" and the names of held files, for messages.
[[nodiscard]] std::string namingStandardInput(std::string text);

}  // namespace et::cli
