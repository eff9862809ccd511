#pragma once

#include "inspector/roofline/machine_profile.h"
#include "runtime/core/result.h"

#include <filesystem>
#include <optional>

namespace et::tasks {

/// $XDG_CACHE_HOME/et-inspect/machine.json, or ~/.cache/et-inspect/machine.json if that is not set. Errors:
/// NotFound (neither XDG_CACHE_HOME nor HOME is set).
[[nodiscard]] core::Result<std::filesystem::path> machineCachePath();

/// Reads the cached profile; nothing if there is none. Errors: those of readProfile().
[[nodiscard]] core::Result<std::optional<inspector::MachineProfile>> cachedProfile();

/// Writes the profile to the cache. Errors: Io.
[[nodiscard]] core::Result<> cacheProfile(const inspector::MachineProfile& profile);

}  // namespace et::tasks
