#include "app/cli/commands/commands.h"
#include "app/cli/options/session_options.h"
#include "app/cli/output_options.h"
#include "app/tasks/session/trace_input.h"
#include "inspector/events/chrome_trace.h"
#include "inspector/session/session.h"

#include <array>
#include <filesystem>
#include <string>

namespace et::app {
namespace {

using core::Result;
using Exporter = Result<> (*)(const inspector::EventBlocks&, std::ostream&);

/// Perfetto loads what Chrome's tracing does.
constexpr std::array exporters{
    Choice<Exporter>{"chrome", inspector::report::writeChromeTrace},
    Choice<Exporter>{"perfetto", inspector::report::writeChromeTrace},
};

/// Turns a trace into a file that other tools show.
class ExportVerb final : public Verb {
  public:
    [[nodiscard]] std::string_view name() const override { return "export"; }
    [[nodiscard]] std::string_view summary() const override {
        return "Convert a trace to Chrome trace JSON, for Perfetto and chrome://tracing";
    }
    [[nodiscard]] std::vector<Example> examples() const override {
        return {
            {"et-inspect export trace.etdp --etrecord model.etrecord --to perfetto -o trace.json",
             "Write a timeline for ui.perfetto.dev"},
        };
    }

    void addOptions(OptionList& options) override {
        addTraceInput(options, input);
        options.group("Output");
        options.choice("--to", exporter, exporters, "Output format (default: chrome)");
        addOutputFile(options, output);
    }

    [[nodiscard]] Result<ExitCode> run(const Invocation& invocation) override {
        input.join.target = input.join.source;  // the exporter scales
        input.join.everyRepeat = true;          // a timeline shows every iteration
        ET_ASSIGN(const OpenedSession opened, openTraceInput(input));
        invocation.console.warnAll(opened.warnings);
        const inspector::Session& session = *opened.session;
        const auto produce = [&](std::ostream& out) { return exporter(*session.blocks, out); };
        ET_TRY(deliver(invocation.console, output, produce, inputsOf(session)));
        return ExitCode::Fine;
    }

  private:
    TraceInput input;
    Exporter exporter = inspector::report::writeChromeTrace;
    OutputOptions output;
};

}  // namespace

std::unique_ptr<Verb> makeExportVerb() {
    return std::make_unique<ExportVerb>();
}

}  // namespace et::app
