#pragma once

#include "runtime/core/result.h"

#include <filesystem>
#include <span>

// Linux Landlock (landlock(7)): rights that a process gives up are never restored.
namespace et::tasks {

/// Landlock version of this kernel; 0: none, or disabled.
[[nodiscard]] int landlockVersion();

/// Removes rights from this process, its later threads and children: writing, creating and removing files
/// except below `writable` (folders; missing ones are skipped), running programs, and, as far as `version`
/// supports it, TCP and signals to other processes. Call while there is one thread. Errors: Io.
[[nodiscard]] core::Result<> enterLandlock(int version, std::span<const std::filesystem::path> writable);

}  // namespace et::tasks
