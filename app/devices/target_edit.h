#pragma once

#include "app/devices/target.h"
#include "runtime/core/result.h"

#include <filesystem>
#include <string_view>

namespace et::devices {

/// Returns `settings` with a name and an address, and absolute paths. Errors: InvalidArgument (an invalid
/// name or address; commands without a run command).
[[nodiscard]] core::Result<Target> namedTarget(std::string_view name, std::string_view address,
                                               const Target& settings);

/// Adds a target to the file, or replaces the one with its name. Errors: those of changeTargets();
/// InvalidArgument (it exists, and `replace` is false).
[[nodiscard]] core::Result<> addTarget(const std::filesystem::path& path, const Target& target, bool replace);

/// Errors: those of changeTargets(); NotFound.
[[nodiscard]] core::Result<> removeTarget(const std::filesystem::path& path, std::string_view name);

}  // namespace et::devices
