#pragma once

#include <cstddef>

// What another process may cut off while it is mapped here. Reading behind the end of a mapped file raises
// SIGBUS, which ends a process: bearable for a command, not for a window full of somebody's work.
namespace et::core {

/// From now on a page of a MappedFile that its file no longer has reads as zeros. What was read and verified
/// before stays what it is; what watches files says that this one has changed. For all threads, once for
/// the process; any other SIGBUS goes where it went before. Errors are not to be expected: false.
bool guardMappedFiles();

/// MappedFile's own: where its pages are. Beyond a few thousand at a time they are not guarded.
void addMappedRange(const void* start, std::size_t size);
void removeMappedRange(const void* start);

}  // namespace et::core
