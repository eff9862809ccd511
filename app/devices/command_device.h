#pragma once

#include "app/devices/device.h"

#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace et::devices {

/// A text for each {name}. What is not among the names stays as it is.
using Replacements = std::vector<std::pair<std::string_view, std::string>>;

/// A command with the texts in their places, each as one word of a shell. "{inputs}" may be a list: its
/// words are separated by commas, as ExecuTorch's executor_runner takes them.
[[nodiscard]] std::string filledIn(std::string_view command, const Replacements& texts);

/// Runs models by the commands of a target, one execution a command. What a run tells is what its ETDump
/// and debug buffer have; without {etdump} in the command, its time is what ExecuTorch's runner says
/// (RunnerLog). Its outputs are the files {outputs}-0.bin and so on, else the values that the debug buffer
/// marks as outputs. Errors: NotFound (no command to run), Unsupported (outputs nowhere).
[[nodiscard]] core::Result<std::shared_ptr<Device>> openCommandDevice(const Target& target,
                                                                      const DeviceOptions& options);

}  // namespace et::devices
