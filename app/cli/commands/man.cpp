#include "app/cli/commands/commands.h"
#include "app/cli/man_page.h"
#include "app/cli/output_options.h"
#include "app/cli/reference_page.h"
#include "app/cli/schema_page.h"

#include <array>

namespace et::cli {
namespace {

using Page = std::string (*)(const CommandDoc&);

constexpr std::array pages{Choice<Page>{"roff", manPage}, Choice<Page>{"markdown", referencePage},
                           Choice<Page>{"json", schemaPage}};

/// Prints the program's manual, for installation by the build, for docs/reference/cli.md and for the
/// functions of the Python package.
class ManCommand final : public Command {
  public:
    ManCommand() : Command("man", "Print the manual", true) {}

    void addOptions(OptionList& options) override {
        options.choice("--format", page, pages, "Output format (default: roff)");
        addOutputFile(options, output);
    }

    [[nodiscard]] core::Result<tasks::ExitCode> run(const Invocation& invocation) override {
        const std::string text = page(invocation.documentation());
        return fineAfter(deliver(invocation.console, output, tasks::producerOf(text), {}));
    }

  private:
    Page page = manPage;
    OutputOptions output;
};

}  // namespace

const CommandFactory makeManCommand = newCommand<ManCommand>;

}  // namespace et::cli
