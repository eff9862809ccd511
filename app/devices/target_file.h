#pragma once

#include "app/devices/target.h"
#include "runtime/core/result.h"

#include <filesystem>
#include <functional>
#include <string_view>
#include <vector>

namespace et::devices {

/// Path of the user's targets: $XDG_CONFIG_HOME/et-inspect/targets.toml. Errors: NotFound (neither that
/// variable nor HOME is set).
[[nodiscard]] core::Result<std::filesystem::path> targetFile();

/// Reads the targets of a file by name; none if the file does not exist. Each has a table:
///
///     [pi]
///     address = "ssh://pi@raspberrypi.local"
///     folder = "/tmp/et"          # of the agent, on the device
///     ssh_config = "/path"        # instead of ~/.ssh/config
///     agent = "/path"             # instead of the installed one
///     push = "…"  run = "…"  pull = "…"    # of address "command:"
///
/// Errors: Io; Format (with line and column); InvalidArgument (an invalid address or unknown key).
[[nodiscard]] core::Result<std::vector<Target>> readTargets(const std::filesystem::path& path);
/// Reads targets from a text; `name` replaces the path in errors.
[[nodiscard]] core::Result<std::vector<Target>> parseTargets(std::string_view text, std::string_view name);

/// Reads the file, changes the targets and replaces it, under a lock. Comments are not kept. Errors: those of
/// readTargets() and `change`; Io.
[[nodiscard]] core::Result<> changeTargets(const std::filesystem::path& path,
                                           const std::function<core::Result<>(std::vector<Target>&)>& change);

/// Finds one of the user's targets by name, or parses an address. Errors: those of readTargets(); NotFound
/// (neither).
[[nodiscard]] core::Result<Target> findTarget(std::string_view text);

/// True if a text is a valid name of a target: letters, digits, '.', '_' and '-'.
[[nodiscard]] bool isTargetName(std::string_view text);

}  // namespace et::devices
