#pragma once

#include "inspector/limits/machine_profile.h"
#include "runtime/core/result.h"

#include <filesystem>
#include <optional>

namespace et::app {

/// $XDG_CACHE_HOME/et-inspect/machine.json, below ~/.cache where that is not set. Errors: NotFound (neither
/// it nor HOME is set).
[[nodiscard]] core::Result<std::filesystem::path> machineCachePath();

/// What is in the cache; nothing where it has none. Errors: those of readProfile().
[[nodiscard]] core::Result<std::optional<inspector::MachineProfile>> cachedProfile();

/// Puts it there. Errors: Io.
[[nodiscard]] core::Result<> cacheProfile(const inspector::MachineProfile& profile);

}  // namespace et::app
