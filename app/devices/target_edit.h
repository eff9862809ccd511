#pragma once

#include "app/devices/target.h"
#include "runtime/core/result.h"

#include <filesystem>
#include <string_view>

namespace et::devices {

/// `settings` with a name and an address. Its paths become absolute. Errors: InvalidArgument (a name or an
/// address that is none; commands without one that runs).
[[nodiscard]] core::Result<Target> namedTarget(std::string_view name, std::string_view address,
                                               const Target& settings);

/// Adds a target to the file, or takes it in place of the one of that name. Errors: those of changeTargets();
/// InvalidArgument (there is one, and it is not to be replaced).
[[nodiscard]] core::Result<> addTarget(const std::filesystem::path& path, const Target& target, bool replace);

/// Errors: those of changeTargets(); NotFound.
[[nodiscard]] core::Result<> removeTarget(const std::filesystem::path& path, std::string_view name);

}  // namespace et::devices
