#include "app/cli/commands/commands.h"
#include "app/cli/output_options.h"
#include "app/tasks/session/trace_input.h"
#include "inspector/events/chrome_trace.h"
#include "inspector/events/flame_tree.h"
#include "inspector/session/session.h"

#include <array>
#include <filesystem>
#include <string>

namespace et::cli {
namespace {

using core::Result;
using inspector::events::FlameBy;

/// Perfetto loads Chrome's trace format.
enum class ExportFormat : std::uint8_t { Chrome, Folded };
constexpr std::array exportFormats{
    Choice{"chrome", ExportFormat::Chrome},
    Choice{"perfetto", ExportFormat::Chrome},
    Choice{"folded", ExportFormat::Folded},
};
constexpr std::array stackChoices{
    Choice{"module", FlameBy::Module},
    Choice{"stack", FlameBy::Stack},
    Choice{"delegate", FlameBy::Delegate},
};

/// Converts a trace to a file format of other tools.
class ExportCommand final : public Command {
  public:
    ExportCommand()
        : Command(
              "export",
              "Convert a trace to Chrome trace JSON (Perfetto, chrome://tracing), or to stacks for a flame "
              "graph") {}

    [[nodiscard]] std::vector<Example> examples() const override {
        return {
            {"et-inspect export trace.etdp --etrecord model.etrecord --to perfetto -o trace.json",
             "Write a timeline for ui.perfetto.dev"},
            {"et-inspect export trace.etdp --etrecord model.etrecord --to folded --by stack | flamegraph.pl "
             "> flame.svg",
             "Draw a flame graph of a typical run by Python calls"},
        };
    }

    void addOptions(OptionList& options) override {
        addTraceInput(options, input);
        options.group("Output");
        options.choice(
            "--to", format, exportFormats,
            "Output format (default: chrome); folded: a line for each stack with the time of a typical "
            "run, in nanoseconds (or cycles)");
        options.choice(
            "--by", by, stackChoices,
            "With folded: frames around operators (default: module): modules, Python calls, or delegates");
        addOutputFile(options, output);
    }

    [[nodiscard]] Result<tasks::ExitCode> run(const Invocation& invocation) override {
        input.join.target = input.join.clock.unit;                // the exporter converts units
        input.join.everyRepeat = format == ExportFormat::Chrome;  // a timeline shows every iteration
        ET_ASSIGN(const tasks::OpenedSession opened, tasks::openTraceInput(input));
        invocation.console.warnAll(opened.warnings);
        const inspector::Session& session = *opened.session;
        const auto produce = [&](std::ostream& out) {
            return format == ExportFormat::Folded
                       ? inspector::events::writeFoldedStacks(*session.blocks, by, out)
                       : inspector::events::writeChromeTrace(*session.blocks, out);
        };
        return fineAfter(deliver(invocation.console, output, produce, tasks::inputsOf(session)));
    }

  private:
    tasks::TraceInput input;
    ExportFormat format = ExportFormat::Chrome;
    FlameBy by = FlameBy::Module;
    OutputOptions output;
};

}  // namespace

const CommandFactory makeExportCommand = newCommand<ExportCommand>;

}  // namespace et::cli
