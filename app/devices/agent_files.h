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

/// The agent for one kind of processor.
struct AgentFile {
    std::string machine;  ///< as `uname -m` has it: "x86_64", "aarch64"
    std::string hash;     ///< of its content
    std::shared_ptr<const core::MappedFile> file;
};

/// The agents that can be brought to a target: the one that it names, else those of this installation.
/// Errors: Io; Format (no program for a processor that is known); NotFound (there is none).
[[nodiscard]] core::Result<std::vector<AgentFile>> agentFiles(const Target& target);

/// The command line that becomes the agent of a session where the device has it already. Where it has not,
/// it says "et-agent missing MACHINE BYTES", with the bytes that an upload that broke off has left, or
/// "et-agent none MACHINE" where no agent runs there.
[[nodiscard]] std::string startLine(const Target& target, const std::vector<AgentFile>& agents,
                                    std::string_view session);
/// The one that appends its stdin to an upload, and says "et-agent stored" when that is all.
[[nodiscard]] std::string uploadLine(const Target& target, const AgentFile& agent, std::string_view session);

}  // namespace et::devices
