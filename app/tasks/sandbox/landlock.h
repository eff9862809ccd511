#pragma once

#include "runtime/core/result.h"

#include <filesystem>
#include <span>

// Linux's Landlock (landlock(7)): what a process gives up it never gets back.
namespace et::app {

/// The version of Landlock that this kernel has; 0: none, or it is switched off.
[[nodiscard]] int landlockVersion();

/// Takes from this process, its later threads and children: writing, making and removing files but in
/// `writable` (folders; those that do not exist are left out) and below, running programs, and, as far as
/// `version` knows them, TCP and signals to other processes. Call it while there is one thread. Errors: Io.
[[nodiscard]] core::Result<> enterLandlock(int version, std::span<const std::filesystem::path> writable);

}  // namespace et::app
