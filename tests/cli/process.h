#pragma once

#include <filesystem>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace et::test {

/// Exit status and output of a process.
struct Outcome {
    int code = -1;  ///< exit code; 128 + signal if it was killed
    std::string out;
    std::string err;
};

/// Working directory, environment and terminal of a process.
struct ProcessEnvironment {
    std::filesystem::path folder;  ///< working directory
    std::vector<std::pair<std::string, std::string>> environment;
    std::optional<unsigned short> terminalColumns;  ///< width of the terminal at stdout; empty: a file
};

/// Runs `sh -c command` to completion. et-inspect of this build comes first in PATH; otherwise the
/// environment is that of the test, without variables that change et-inspect's output.
[[nodiscard]] Outcome runShell(const std::string& command, const ProcessEnvironment& surroundings);

}  // namespace et::test
