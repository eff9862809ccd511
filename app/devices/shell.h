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

/// A command that runs on a target, with a pipe to its stdin and from its stdout.
struct Connection {
    core::Descriptor to;
    core::Descriptor from;
    core::Descriptor said;  ///< a file of what it writes to stderr
    core::ChildProcess process;

    /// The end of what it wrote to stderr, as it is.
    [[nodiscard]] std::string errorText(std::size_t maxBytes) const;
    /// The same in one line.
    [[nodiscard]] std::string lastWords() const;
};

/// What is started here to run a command line of a POSIX shell there. Of ssh, BatchMode and
/// StrictHostKeyChecking are on, whatever its configuration says: it asks nobody, and a host whose key is
/// not known is none.
[[nodiscard]] std::vector<std::string> shellArguments(const Target& target, std::string_view commandLine);

/// Errors: Io (the command does not start here).
[[nodiscard]] core::Result<Connection> connect(const Target& target, std::string_view commandLine);

}  // namespace et::devices
