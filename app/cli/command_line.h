#pragma once

#include "app/cli/verb.h"

#include <memory>
#include <string>
#include <vector>

namespace et::app {

/// The commands of et-inspect; the first runs if none is named.
[[nodiscard]] std::vector<std::unique_ptr<Verb>> builtinVerbs();

/// The program with a list of commands: selects the command, parses its options, runs it, and turns every
/// failure into one line on stderr and an exit code.
class CommandLine {
  public:
    explicit CommandLine(std::vector<std::unique_ptr<Verb>> verbs);
    ~CommandLine() = default;
    CommandLine(const CommandLine&) = delete;
    CommandLine& operator=(const CommandLine&) = delete;

    [[nodiscard]] ExitCode run(int argc, const char* const* argv, Console& console);

    /// Documentation of the program and its commands.
    [[nodiscard]] CommandDoc documentation() const;

  private:
    struct Command {
        std::unique_ptr<Verb> verb;
        OptionList options;
    };

    [[nodiscard]] core::Result<ExitCode> parseAndRun(int argc, const char* const* argv, Console& console);
    [[nodiscard]] std::string help(const Command& command, const Console& console) const;

    std::vector<Command> commands;  ///< the first is the program itself
};

}  // namespace et::app
