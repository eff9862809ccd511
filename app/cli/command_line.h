#pragma once

#include "app/cli/verb.h"

#include <memory>
#include <string>
#include <vector>

namespace et::app {

/// The verbs of et-inspect; the first runs when none is named.
[[nodiscard]] std::vector<std::unique_ptr<Verb>> builtinVerbs();

/// The program over a list of verbs: finds the verb, fills its options, runs it, and turns every failure into
/// one line on stderr and an exit code.
class CommandLine {
  public:
    explicit CommandLine(std::vector<std::unique_ptr<Verb>> verbs);
    ~CommandLine() = default;
    CommandLine(const CommandLine&) = delete;
    CommandLine& operator=(const CommandLine&) = delete;

    [[nodiscard]] ExitCode run(int argc, const char* const* argv, Console& console);

    /// The program and its verbs as people see them.
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
