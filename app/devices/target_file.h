#pragma once

#include "app/devices/target.h"
#include "runtime/core/result.h"

#include <filesystem>
#include <functional>
#include <string_view>
#include <vector>

namespace et::devices {

/// Where the user's targets are: $XDG_CONFIG_HOME/et-inspect/targets.toml. Errors: NotFound (neither that
/// variable nor HOME is set).
[[nodiscard]] core::Result<std::filesystem::path> targetFile();

/// The targets of a file, by name; none where there is no file. A table each:
///
///     [pi]
///     address = "ssh://pi@raspberrypi.local"
///     folder = "/tmp/et"          # of the agent, on the device
///     ssh_config = "/path"        # in place of ~/.ssh/config
///     agent = "/path"             # in place of the installed one
///     push = "…"  run = "…"  pull = "…"    # of address "command:"
///
/// Errors: Io; Format (says line and column); InvalidArgument (an address, a key that is none).
[[nodiscard]] core::Result<std::vector<Target>> readTargets(const std::filesystem::path& path);
/// The same of a text; `name` stands for the path in errors.
[[nodiscard]] core::Result<std::vector<Target>> parseTargets(std::string_view text, std::string_view name);

/// Reads the file, changes the targets and replaces it, while others wait. Comments are not kept. Errors:
/// those of readTargets(), of `change`; Io.
[[nodiscard]] core::Result<> changeTargets(const std::filesystem::path& path,
                                           const std::function<core::Result<>(std::vector<Target>&)>& change);

/// Of a name of the user's targets, or an address. Errors: those of readTargets(); NotFound (neither).
[[nodiscard]] core::Result<Target> findTarget(std::string_view text);

/// Whether a text can be the name of a target: letters, digits, '.', '_' and '-'.
[[nodiscard]] bool isTargetName(std::string_view text);

}  // namespace et::devices
