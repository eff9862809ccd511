#pragma once

#include "app/cli/verb.h"

#include <memory>
#include <span>
#include <vector>

namespace CLI {
class App;
class ParseError;
}  // namespace CLI

namespace et::cli {

/// The verbs of et-inspect; the first runs when none is named.
[[nodiscard]] std::vector<std::unique_ptr<Verb>> builtinVerbs();

/// The parser over a list of verbs: finds the verb, fills its options, runs it, and turns every failure into
/// one line on stderr and an exit code.
class CommandLine {
  public:
    explicit CommandLine(std::vector<std::unique_ptr<Verb>> verbs);
    ~CommandLine();
    CommandLine(const CommandLine&) = delete;
    CommandLine& operator=(const CommandLine&) = delete;

    [[nodiscard]] ExitCode run(int argc, const char* const* argv, Console& console);

    /// The program and its verbs as people see them.
    [[nodiscard]] CommandDoc documentation() const;

  private:
    /// A verb and the part of the parser that holds its options.
    struct Command {
        std::unique_ptr<Verb> verb;
        CLI::App* parser = nullptr;
    };

    [[nodiscard]] core::Result<> parse(int argc, const char* const* argv);
    [[nodiscard]] core::Result<> checkArguments(const Command& chosen) const;
    [[nodiscard]] ExitCode runVerb(const Command& chosen, Console& console) const;
    [[nodiscard]] Command& chosenCommand();
    [[nodiscard]] CommandDoc describeCommand(const Command& command) const;

    std::unique_ptr<CLI::App> root;
    std::vector<Command> commands;
};

}  // namespace et::cli
