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
    [[nodiscard]] std::string_view name() const override { return "completions"; }
    [[nodiscard]] std::string_view summary() const override {
        return "Print a completion script for a shell";
    }
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
        ET_TRY(deliver(invocation.console, output, tasks::producerOf(text), {}));
        return tasks::ExitCode::Fine;
    }

  private:
    Script script = bashCompletions;
    OutputOptions output;
};

}  // namespace

std::unique_ptr<Command> makeCompletionsCommand() {
    return std::make_unique<CompletionsCommand>();
}

}  // namespace et::cli
