#pragma once

#include "runtime/core/result.h"

#include <cstddef>
#include <optional>
#include <span>
#include <string>

// Protection against truncation of mapped files by other processes. Reading past the end of a mapped file
// raises SIGBUS, which by default terminates the process and loses unsaved output.
namespace et::core {

/// Installs a handler that makes pages of a MappedFile read as zeros once the file no longer contains them.
/// Data read and verified before are unaffected; file watchers report the change. Applies to all threads;
/// call once per process. Any other SIGBUS is forwarded to the previous handler. `onCutOff` is called from
/// the signal handler, to stop computations on the file. Returns false on an error, which is not expected.
bool guardMappedFiles(void (*onCutOff)() = nullptr);

/// The first file of the process that was truncated while mapped; results computed from it since then are
/// invalid.
[[nodiscard]] std::optional<std::string> firstCutOffFile();
/// The error to report for a truncated file: Io.
[[nodiscard]] Error cutOffWhileRead(const std::string& file);
/// Whether a truncated file is still mapped.
[[nodiscard]] bool isCutOffFileOpen();

/// For MappedFile: registers its pages. Ranges beyond a few thousand are not guarded. `name` must live as
/// long as the range.
void addMappedRange(const void* start, std::size_t size, const char* name);
void removeMappedRange(const void* start);

/// MappedFile::release() for bytes whose file is not at hand; no-op for memory that is not of a MappedFile.
void releaseMappedPages(std::span<const std::byte> bytes);

}  // namespace et::core
