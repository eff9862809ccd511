#include "app/cli/commands/commands.h"
#include "app/serve/server.h"

#include <string>
#include <vector>

namespace et::cli {
namespace {

using core::Result;

/// Serves the Python package.
class ServeCommand final : public Command {
  public:
    ServeCommand() : Command("serve", "Serve the Python package et_inspect", true) {}

    [[nodiscard]] std::string details() const override {
        return "Started by the Python package, which reads files and runs models in this process. The "
               "protocol is private to the package and changes without notice: use the commands, or the "
               "package.";
    }
    [[nodiscard]] std::vector<Example> examples() const override {
        return {{"et-inspect serve --stdio", "Answer calls until standard input is closed"}};
    }
    void addOptions(OptionList& options) override {
        options.flag("--stdio", usesStandardStreams, "Use standard input and output").mustBeGiven();
    }
    [[nodiscard]] Result<tasks::ExitCode> run(const Invocation& /*invocation*/) override {
        return fineAfter(serve::serveStandardStreams());
    }

  private:
    bool usesStandardStreams = false;
};

}  // namespace

const CommandFactory makeServeCommand = newCommand<ServeCommand>;

}  // namespace et::cli
