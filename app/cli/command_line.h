#pragma once

#include "app/cli/command.h"

#include <memory>
#include <string>
#include <string_view>
#include <vector>

namespace et::cli {

/// Commands that answer one kind of question, in the order of help.
struct CommandGroup {
    std::string_view title;  ///< heading in help; empty for the command that runs if none is named
    std::vector<std::unique_ptr<Command>> commands;
};

/// The commands of et-inspect; the first runs if none is named.
[[nodiscard]] std::vector<CommandGroup> builtinCommands();

/// The program with its commands: selects a command, parses its options, runs it, and turns every failure
/// into one line on stderr and an exit code.
class CommandLine {
  public:
    /// The first command of the first group is the program itself.
    explicit CommandLine(std::vector<CommandGroup> groups);
    ~CommandLine() = default;
    CommandLine(const CommandLine&) = delete;
    CommandLine& operator=(const CommandLine&) = delete;

    [[nodiscard]] tasks::ExitCode run(int argc, const char* const* argv, Console& console);

    /// Documentation of the program and its commands.
    [[nodiscard]] CommandDoc documentation() const;

  private:
    struct Entry {
        std::string_view group;
        std::unique_ptr<Command> command;
        OptionList options;
    };

    [[nodiscard]] core::Result<tasks::ExitCode> parseAndRun(int argc, const char* const* argv,
                                                            Console& console);
    [[nodiscard]] std::string help(const Entry& entry, const Console& console) const;

    bool detailed = false;       ///< --version --verbose
    std::vector<Entry> entries;  ///< the first is the program itself
};

}  // namespace et::cli
