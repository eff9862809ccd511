#include "app/cli/completions.h"

#include "app/cli/commands/commands.h"
#include "app/cli/output_options.h"

#include <array>

namespace et::cli {
namespace {

using Script = std::string (*)(const CommandDoc&);

constexpr std::array shells{
    Choice<Script>{"bash", bashCompletions},
    Choice<Script>{"zsh", zshCompletions},
    Choice<Script>{"fish", fishCompletions},
};

/// Prints a shell completion script for the commands and options.
class CompletionsCommand final : public Command {
  public:
    CompletionsCommand() : Command("completions", "Print a completion script for a shell") {}

    [[nodiscard]] std::vector<Example> examples() const override {
        return {
            {"source <(et-inspect completions bash)", "Load completions into the current bash session"},
            {"et-inspect completions zsh -o ~/.zfunc/_et-inspect", "For zsh, with ~/.zfunc in fpath"},
            {"et-inspect completions fish -o ~/.config/fish/completions/et-inspect.fish", "For fish"},
        };
    }

    void addOptions(OptionList& options) override {
        options.choice("SHELL", script, shells, "bash, zsh or fish").mustBeGiven();
        addOutputFile(options, output);
    }

    [[nodiscard]] core::Result<tasks::ExitCode> run(const Invocation& invocation) override {
        const std::string text = script(invocation.documentation());
        return fineAfter(deliver(invocation.console, output, tasks::producerOf(text), {}));
    }

  private:
    Script script = bashCompletions;
    OutputOptions output;
};

}  // namespace

const CommandFactory makeCompletionsCommand = newCommand<CompletionsCommand>;

}  // namespace et::cli
