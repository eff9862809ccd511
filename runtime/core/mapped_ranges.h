#pragma once

#include "runtime/core/result.h"

#include <cstddef>
#include <optional>
#include <string>

// What another process may cut off while it is mapped here. Reading behind the end of a mapped file raises
// SIGBUS, which ends a process, with all that it was about to write.
namespace et::core {

/// From now on a page of a MappedFile that its file no longer has reads as zeros. What was read and verified
/// before stays what it is; what watches files says that this one has changed. For all threads, once for
/// the process; any other SIGBUS goes where it went before. `onCutOff` is called from the signal handler, to
/// end what computes from the file. Errors are not to be expected: false.
bool guardMappedFiles(void (*onCutOff)() = nullptr);

/// The first file of the process that was cut off while it was mapped: what was computed from it since is of
/// no worth.
[[nodiscard]] std::optional<std::string> firstCutOffFile();
/// What to say of it: Io.
[[nodiscard]] Error cutOffWhileRead(const std::string& file);
/// Whether one that was cut off is still mapped.
[[nodiscard]] bool isCutOffFileOpen();

/// MappedFile's own: where its pages are. Beyond a few thousand at a time they are not guarded. `name` must
/// live as long as the range.
void addMappedRange(const void* start, std::size_t size, const char* name);
void removeMappedRange(const void* start);

}  // namespace et::core
