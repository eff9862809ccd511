#pragma once

#include "app/devices/target.h"
#include "runtime/core/child_process.h"
#include "runtime/core/descriptor.h"
#include "runtime/core/result.h"

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

namespace et::devices {

/// A command running on a target, with pipes to its stdin and from its stdout.
struct Connection {
    core::Descriptor to;
    core::Descriptor from;
    core::Descriptor said;  ///< file with the command's stderr
    core::ChildProcess process;

    /// Returns the end of its stderr, unmodified.
    [[nodiscard]] std::string errorText(std::size_t maxBytes) const;
    /// Returns the end of its stderr in one line.
    [[nodiscard]] std::string lastErrorLine() const;
};

/// Returns the local command that runs a command line in a POSIX shell on the target. For ssh, BatchMode and
/// StrictHostKeyChecking are on, whatever its configuration: it never prompts, and rejects hosts with unknown
/// keys.
[[nodiscard]] std::vector<std::string> shellArguments(const Target& target, std::string_view commandLine);

/// Errors: Io (the local command does not start).
[[nodiscard]] core::Result<Connection> connect(const Target& target, std::string_view commandLine);

}  // namespace et::devices
