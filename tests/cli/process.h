#pragma once

#include <filesystem>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace et::test {

/// How a process ended and what it said.
struct Outcome {
    int code = -1;  ///< exit code; 128 + signal when it was killed
    std::string out;
    std::string err;
};

/// What a process finds around it.
struct Surroundings {
    std::filesystem::path folder;  ///< where it starts
    std::vector<std::pair<std::string, std::string>> environment;
    std::optional<unsigned short> terminalColumns;  ///< stdout is a terminal of this width; nothing: a file
};

/// Runs `sh -c command` to its end. et-inspect of this build is found first; the environment is otherwise
/// that of the test, without what changes et-inspect's output.
[[nodiscard]] Outcome runShell(const std::string& command, const Surroundings& surroundings);

}  // namespace et::test
