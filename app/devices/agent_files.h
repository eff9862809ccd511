#pragma once

#include "app/devices/target.h"
#include "runtime/core/mapped_file.h"
#include "runtime/core/result.h"

#include <filesystem>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

namespace et::devices {

/// An agent executable for one kind of processor.
struct AgentFile {
    std::string machine;  ///< as printed by `uname -m`: "x86_64", "aarch64"
    std::string hash;     ///< of the file's content
    std::shared_ptr<const core::MappedFile> file;
};

/// Returns the agents that can be uploaded to a target: the one that it names, else those of this
/// installation. Errors: Io; Format (not a program for a known processor); NotFound (no agent available).
[[nodiscard]] core::Result<std::vector<AgentFile>> agentFiles(const Target& target);

/// Returns the command line that starts the agent of a session if the device already has it. Otherwise it
/// prints "et-agent missing MACHINE BYTES", with the number of bytes left by an interrupted upload, or
/// "et-agent none MACHINE" if no agent supports the processor.
[[nodiscard]] std::string startLine(const Target& target, const std::vector<AgentFile>& agents,
                                    std::string_view session);
/// Returns the command line that appends its stdin to an upload, and prints "et-agent stored" when the upload
/// is complete.
[[nodiscard]] std::string uploadLine(const Target& target, const AgentFile& agent, std::string_view session);

}  // namespace et::devices
