#include "app/cli/completions.h"

#include "app/cli/commands/commands.h"
#include "app/cli/output_options.h"

#include <array>

namespace et::app {
namespace {

using Script = std::string (*)(const CommandDoc&);

constexpr std::array shells{
    Choice<Script>{"bash", bashCompletions},
    Choice<Script>{"zsh", zshCompletions},
    Choice<Script>{"fish", fishCompletions},
};

/// Prints a shell completion script for the commands and options.
class CompletionsVerb final : public Verb {
  public:
    [[nodiscard]] std::string_view name() const override { return "completions"; }
    [[nodiscard]] std::string_view summary() const override {
        return "Print a completion script for a shell";
    }
    [[nodiscard]] std::vector<Example> examples() const override {
        return {
            {"source <(et-inspect completions bash)", "For this session of bash"},
            {"et-inspect completions zsh -o ~/.zfunc/_et-inspect", "For zsh, with ~/.zfunc in fpath"},
            {"et-inspect completions fish -o ~/.config/fish/completions/et-inspect.fish", "For fish"},
        };
    }

    void addOptions(OptionList& options) override {
        options.choice("SHELL", script, shells, "bash, zsh or fish").mustBeGiven();
        addOutputFile(options, output);
    }

    [[nodiscard]] core::Result<ExitCode> run(const Invocation& invocation) override {
        const std::string text = script(invocation.documentation());
        ET_TRY(deliver(invocation.console, output, producerOf(text), {}));
        return ExitCode::Fine;
    }

  private:
    Script script = bashCompletions;
    OutputOptions output;
};

}  // namespace

std::unique_ptr<Verb> makeCompletionsVerb() {
    return std::make_unique<CompletionsVerb>();
}

}  // namespace et::app
