#include "app/cli/commands/commands.h"
#include "app/cli/help_text.h"
#include "app/tasks/base/suggestion.h"

#include <fmt/format.h>

#include <algorithm>
#include <string>
#include <vector>

namespace et::cli {
namespace {

/// Prints the same text as --help.
class HelpCommand final : public Command {
  public:
    HelpCommand() : Command("help", "Print the help of et-inspect or of a command") {}

    void addOptions(OptionList& options) override {
        options.text("COMMAND", command, "Command to describe; without one, all are listed");
    }

    [[nodiscard]] std::vector<Example> examples() const override {
        return {{"et-inspect help quantize", "Same as et-inspect quantize --help"}};
    }

    [[nodiscard]] core::Result<tasks::ExitCode> run(const Invocation& invocation) override {
        const CommandDoc program = invocation.documentation();
        const auto width = invocation.console.width();
        if (command.empty()) {
            return fineAfter(invocation.console.out(helpText(program, "", width)));
        }
        const auto found = std::ranges::find(program.commands, command, &CommandDoc::name);
        if (found == program.commands.end()) {
            std::vector<std::string> names;
            for (const CommandDoc& each : program.commands) {
                names.push_back(each.name);
            }
            return core::fail(core::ErrorCode::InvalidArgument,
                              fmt::format("unknown command '{}'{}; see 'et-inspect help'",
                                          core::printable(command), tasks::didYouMean(command, names)));
        }
        return fineAfter(invocation.console.out(helpText(*found, program.name, width)));
    }

  private:
    std::string command;
};

}  // namespace

const CommandFactory makeHelpCommand = newCommand<HelpCommand>;

}  // namespace et::cli
