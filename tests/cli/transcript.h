#pragma once

#include "tests/cli/process.h"

#include <filesystem>
#include <string>
#include <vector>

namespace et::test {

/// A line of a transcript that is kept unchanged, or a command and its output.
struct Step {
    std::string comment;             ///< a line that is not a command; otherwise empty
    std::string command;             ///< empty for a comment
    std::vector<std::string> setup;  ///< the "@" lines above the command: "@ terminal 60", "@ env NO_COLOR=1"
    Outcome expected;
};

/// A text file of commands and their output:
///   @ terminal 60       stdout of the next command is a terminal of 60 columns
///   @ env NAME=VALUE    the next command has this in its environment
///   $ command           run by sh
///   > line              of stdout; ">!" marks a last line without line break
///   ! line              of stderr
///   = 2                 exit code; default 0
/// All other lines are comments.
struct Transcript {
    std::vector<Step> steps;

    [[nodiscard]] static Transcript parse(const std::string& text);
    [[nodiscard]] std::string format() const;
};

/// Runs the command of `step` with its setup in `folder`.
[[nodiscard]] Outcome replay(const Step& step, const std::filesystem::path& folder);

}  // namespace et::test
