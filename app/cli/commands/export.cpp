#include "app/cli/commands/commands.h"
#include "app/cli/option_types.h"
#include "app/cli/output_options.h"
#include "app/cli/session_options.h"
#include "inspector/events/chrome_trace.h"
#include "inspector/session/session.h"

#include <CLI/CLI.hpp>
#include <array>
#include <filesystem>
#include <string>

namespace et::cli {
namespace {

using core::Result;
using Exporter = Result<> (*)(const inspector::EventBlocks&, std::ostream&);

/// Perfetto loads what Chrome's tracing does.
constexpr std::array exporters{
    Word<Exporter>{"chrome", inspector::report::writeChromeTrace},
    Word<Exporter>{"perfetto", inspector::report::writeChromeTrace},
};

/// Turns a trace into a file that other tools show.
class ExportVerb final : public Verb {
  public:
    [[nodiscard]] std::string_view name() const override { return "export"; }
    [[nodiscard]] std::string_view summary() const override {
        return "Write a trace for another tool: Chrome trace JSON, which Perfetto and chrome://tracing load";
    }
    [[nodiscard]] std::vector<Example> examples() const override {
        return {
            {"et-inspect export trace.etdp --etrecord model.etrecord --to perfetto -o trace.json",
             "A timeline for ui.perfetto.dev"},
        };
    }

    void addOptions(CLI::App& app) override {
        addSessionOptions(app, session);
        app.option_defaults()->group("Output");
        addChoice(app, "--to", exporter, exporters, "Format to write (default: chrome)");
        addOutputFile(app, output);
    }

    [[nodiscard]] Result<ExitCode> run(const Invocation& invocation) override {
        inspector::JoinOptions join = session.join;
        join.target = join.source;  // the exporter scales
        join.everyRepeat = true;    // a timeline shows every iteration
        ET_ASSIGN(const auto opened, openSession(session, join, invocation));
        const auto produce = [&](std::ostream& out) { return exporter(*opened->blocks, out); };
        ET_TRY(deliver(invocation.console, output, produce, inputsOf(*opened)));
        return ExitCode::Fine;
    }

  private:
    SessionOptions session;
    Exporter exporter = inspector::report::writeChromeTrace;
    OutputOptions output;
};

}  // namespace

std::unique_ptr<Verb> makeExportVerb() {
    return std::make_unique<ExportVerb>();
}

}  // namespace et::cli
