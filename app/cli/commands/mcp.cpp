#include "app/cli/commands/commands.h"
#include "app/cli/mcp/result_schema.h"
#include "app/cli/mcp/server.h"
#include "app/cli/output_options.h"
#include "app/cli/version.h"

#include <fmt/format.h>

#include <filesystem>
#include <string>
#include <system_error>
#include <vector>

namespace et::cli {
namespace {

/// Serves assistants and scripts.
class McpCommand final : public Command {
  public:
    McpCommand() : Command("mcp", "Serve assistants by the Model Context Protocol (stdio)") {}

    [[nodiscard]] std::string details() const override {
        return "Twelve tools answer questions about a model, each in at most 4 kB with units, sources and "
               "the command "
               "that reproduces the answer. Clients can name files in the given folders, or in those that "
               "they "
               "announce themselves. No file is replaced, and models run in a sandbox. docs/agents.md lists "
               "the "
               "settings of common clients.";
    }
    [[nodiscard]] std::vector<Example> examples() const override {
        return {{"et-inspect mcp --root ~/models", "Serve the files in a folder"},
                {"et-inspect mcp --reference", "Print the tools and their results"}};
    }
    void addOptions(OptionList& options) override {
        options.text("--root DIR", roots,
                     "Folder of files that clients may name (default: that of the client, else the current "
                     "folder; repeatable)");
        options.flag("--reference", printsReference,
                     "Print the tools and their results as Markdown, and end");
        addOutputFile(options, output);
    }
    [[nodiscard]] core::Result<tasks::ExitCode> run(const Invocation& invocation) override {
        if (printsReference) {
            const std::string page = mcp::toolsPage();
            return fineAfter(deliver(invocation.console, output, tasks::producerOf(page), {}));
        }
        for (const std::string& each : roots) {
            std::error_code error;
            if (!std::filesystem::is_directory(each, error)) {
                return core::fail(core::ErrorCode::InvalidArgument,
                                  fmt::format("--root: {}: expected a folder", each));
            }
        }
        return fineAfter(mcp::serve(roots, std::string(version)));
    }

  private:
    std::vector<std::string> roots;
    bool printsReference = false;
    OutputOptions output;
};

}  // namespace

const CommandFactory makeMcpCommand = newCommand<McpCommand>;

}  // namespace et::cli
