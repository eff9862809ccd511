#pragma once

#include "app/devices/device.h"

#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace et::devices {

/// A replacement text for each {name}. Other names are left unchanged.
using Replacements = std::vector<std::pair<std::string_view, std::string>>;

/// Fills a command's placeholders, each quoted as one shell word. "{inputs}" may be a list: its words are
/// separated by commas, as ExecuTorch's executor_runner expects them.
[[nodiscard]] std::string filledIn(std::string_view command, const Replacements& texts);

/// Runs models by the commands of a target, one execution per command. Events and values come from the ETDump
/// and the debug buffer; without {etdump} in the command, the time comes from the log of ExecuTorch's runner
/// (RunnerLog). Outputs are the files {outputs}-0.bin and so on, else the values marked as outputs in the
/// debug buffer. Errors: NotFound (no run command), Unsupported (no outputs).
[[nodiscard]] core::Result<std::shared_ptr<Device>> openCommandDevice(const Target& target,
                                                                      const DeviceOptions& options);

}  // namespace et::devices
