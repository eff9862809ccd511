#pragma once

#include "runtime/core/result.h"

#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <string_view>

namespace et::devices {

enum class Reach : std::uint8_t {
    Local,    ///< a process on this machine
    Ssh,      ///< ssh://user@host[:port], by the system's ssh
    Adb,      ///< adb:SERIAL, by the system's adb
    Command,  ///< commands of the profile
};

/// The commands of Reach::Command, run by /bin/sh on this machine; placeholders in braces are replaced by
/// quoted values.
struct CommandTemplate {
    std::string push;  ///< {from} {to}: copies a file to the device
    std::string run;   ///< {model} {inputs} {etdump} {debug} {outputs}: runs the model once on the device
    std::string pull;  ///< {from} {to}: copies a file from the device
    bool operator==(const CommandTemplate&) const = default;
};

/// A device that models run on.
struct Target {
    std::string name;     ///< name in the profiles; empty if only an address was given
    std::string address;  ///< as given
    Reach reach = Reach::Local;
    std::string host;  ///< Ssh: "user@host" or "host". Adb: the serial number
    std::optional<std::uint16_t> port{};
    std::filesystem::path sshConfig;  ///< replaces the user's own configuration, unless empty
    std::string folder;               ///< the agent's folder on the device; empty: chosen by the agent
    std::filesystem::path agent;      ///< agent executable to upload; empty: that of this installation
    CommandTemplate commands{};
    bool operator==(const Target&) const = default;
};

/// Errors: InvalidArgument (no address, or one that ssh or adb would parse as an option).
[[nodiscard]] core::Result<Target> targetOf(std::string_view address);

/// The name shown to users: the target's name, else its address.
[[nodiscard]] const std::string& titleOf(const Target& target);

/// Quotes `text` as one word of a POSIX shell.
[[nodiscard]] std::string shellWord(std::string_view text);

}  // namespace et::devices
