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
    Command,  ///< the commands of the profile
};

/// The commands of Reach::Command. They are run by /bin/sh on this machine; what stands in braces is put in
/// their place, quoted.
struct CommandTemplate {
    std::string push;  ///< {from} {to}: copies a file to the device
    std::string run;   ///< {model} {inputs} {etdump} {debug} {outputs}: runs the model once, there
    std::string pull;  ///< {from} {to}: copies a file from the device
    bool operator==(const CommandTemplate&) const = default;
};

/// A device that models run on.
struct Target {
    std::string name;     ///< in the profiles; empty: only an address was given
    std::string address;  ///< as given
    Reach reach = Reach::Local;
    std::string host;  ///< Ssh: "user@host" or "host". Adb: the serial number
    std::optional<std::uint16_t> port{};
    std::filesystem::path sshConfig;  ///< in place of the user's own; empty: that one
    std::string folder;               ///< of the agent, on the device; empty: it chooses
    std::filesystem::path agent;      ///< the file to start there; empty: the one of this installation
    CommandTemplate commands{};
    bool operator==(const Target&) const = default;
};

/// Errors: InvalidArgument (no address, or one that ssh or adb would take for an option).
[[nodiscard]] core::Result<Target> targetOf(std::string_view address);

/// What people and messages call it: its name, else its address.
[[nodiscard]] const std::string& titleOf(const Target& target);

/// `text` as one word of a POSIX shell.
[[nodiscard]] std::string shellWord(std::string_view text);

}  // namespace et::devices
