#include "app/cli/commands/commands.h"
#include "app/cli/options/model_options.h"
#include "app/cli/output_options.h"
#include "app/output/graph/graph_page.h"
#include "app/tasks/base/file_options.h"
#include "app/tasks/base/interruption.h"
#include "app/tasks/base/progress_reporter.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <filesystem>
#include <optional>
#include <string>
#include <vector>

namespace et::cli {
namespace {

namespace fs = std::filesystem;
using core::Result;
using inspector::Overlay;

enum class GraphFormat : std::uint8_t { Text, Svg, Dot, Json, ModelExplorer };

constexpr std::array graphFormats{Choice{"text", GraphFormat::Text}, Choice{"svg", GraphFormat::Svg},
                                  Choice{"dot", GraphFormat::Dot}, Choice{"json", GraphFormat::Json},
                                  Choice{"model-explorer", GraphFormat::ModelExplorer}};
constexpr std::array overlays{Choice{"kind", Overlay::Kind},          Choice{"dtype", Overlay::Dtype},
                              Choice{"bytes", Overlay::Bytes},        Choice{"time", Overlay::Time},
                              Choice{"error", Overlay::Error},        Choice{"partition", Overlay::Partition},
                              Choice{"quantized", Overlay::Quantized}};

/// Returns the format for a file name extension.
std::optional<GraphFormat> formatOf(const fs::path& output) {
    const std::string ending = output.extension().string();
    for (const Choice<GraphFormat>& each : graphFormats) {
        if (ending.size() > 1 && ending.substr(1) == each.name) {
            return each.meaning;
        }
    }
    return std::nullopt;
}

/// Shows a graph as a picture or as text.
class GraphCommand final : public Command {
  public:
    GraphCommand()
        : Command("graph",
                  "Draw the graph of a program, delegate or ETRecord, or write it as text, DOT or JSON") {}

    [[nodiscard]] std::string details() const override {
        return "The nodes of a program are its instructions, named by their number; node n3 inside the "
               "delegate that instruction 12 calls is named 12.n3. Groups (modules of an ETRecord, "
               "delegates, branches, loops) are expanded from the outside in up to a total of --boxes "
               "boxes; the rest stay folded. Long runs of nodes without a group are folded into sections. "
               "With --find, text output lists the matching nodes, and the exit code is 1 if there are "
               "none; pictures highlight them. --format model-explorer writes a graph collection for "
               "Google's Model Explorer; with -o model.json also node data, as far as known: "
               "model.time.json (--etdump), model.gap.json (--gap), model.partition.json and "
               "model.quantization.json.";
    }
    [[nodiscard]] std::vector<Example> examples() const override {
        return {
            {"et-inspect graph model.pte --etrecord model.etrecord -o graph.svg",
             "Draw the instructions, with delegates expanded and modules as groups"},
            {"et-inspect graph model.etrecord --source exported --expand features -o graph.svg",
             "Draw the exported program with one module expanded"},
            {"et-inspect graph model.pte --find softmax", "List matching nodes"},
            {"et-inspect graph model.pte --around 12 --depth 3 -o part.svg",
             "Draw instruction 12 and its neighbors up to distance 3"},
            {"et-inspect graph model.pte --etdump trace.etdp --overlay time -o hot.svg",
             "Color nodes by time"},
            {"et-inspect graph model.etrecord --format model-explorer --clusters -o model.json",
             "Write the Edge graph and node data for Model Explorer, grouped by partition and cluster"},
        };
    }
    void addOptions(OptionList& options) override;
    [[nodiscard]] Result<tasks::ExitCode> run(const Invocation& invocation) override;

  private:
    void addInputOptions(OptionList& options);
    void addViewOptions(OptionList& options);
    [[nodiscard]] Result<std::string> render(const output::GraphPage& page) const;
    [[nodiscard]] Result<std::string> draw(const output::GraphPage& page) const;
    [[nodiscard]] Result<> deliverNodeData(Console& console, const output::GraphPage& page) const;
    [[nodiscard]] GraphFormat chosenFormat() const;

    output::GraphQuery question;
    std::optional<GraphFormat> format;
    bool clusters = false;
    double timeoutSeconds = 60;
    tasks::ProgressOptions progress;
    OutputOptions output;
};

void GraphCommand::addInputOptions(OptionList& options) {
    options.group("Input");
    options
        .file("FILE", question.source.file,
              "Program (.pte), bundled program (.bpte), package (.ptn) or ETRecord")
        .takesFiles({SessionFile::Program, SessionFile::Bundle, SessionFile::Record})
        .mustBeGiven();
    addRecordFile(options, "--etrecord", question.source.record, "ETRecord of the export, for module names");
    options.file("--etdump", question.source.trace, "Trace (ETDump) of the program, for --overlay time")
        .takesFiles({SessionFile::Trace})
        .accompanies();
    options.file("--gap", question.source.gap,
                 "Output of 'gap --format json' of the model, for --overlay error");
    addTensorData(options, question.source.tensorData);
    options.text("--method NAME", question.source.method, "Method (default: forward, or the first)");
    options.text("--source GRAPH", question.source.source,
                 "Graph to show: program, delegate:N, edge, exported, or the name of another graph of the "
                 "ETRecord (default: program; edge for an ETRecord)");
    tasks::addTraceClock(options, question.source.clock);
}

void GraphCommand::addViewOptions(OptionList& options) {
    options.group("View");
    options.text("--expand GROUP", question.selection.expand,
                 "Expand this group (name or module), or all (repeatable)");
    options.text("--collapse GROUP", question.selection.collapse, "Collapse this group, or all (repeatable)");
    options.integer("--boxes", question.selection.budget,
                    "Maximum number of boxes when expanding groups (default: 160)");
    options.text("--find REGEX", question.selection.find,
                 "Highlight nodes whose name, kind, attributes or group match this regular expression "
                 "(ECMAScript)");
    options.text("--around NODE", question.selection.around,
                 "Show only this node and its neighbors (repeatable)");
    options.integer("--depth", question.selection.depth, "Distance of neighbors for --around (default: 2)");
    options.choice("--overlay", question.overlay, overlays, "Meaning of the colors (default: kind)");
    options.flag("--left-to-right", question.leftToRight, "Draw from left to right");
    options.flag("--simplify", question.simplify,
                 "Hide views, scalars and checks, and fold repeated modules into one group");
}

void GraphCommand::addOptions(OptionList& options) {
    addInputOptions(options);
    addViewOptions(options);
    options.group("Output");
    options.choice("--format", format, graphFormats,
                   "Output format (default: by the extension of the output file, else text)");
    options.flag(
        "--clusters", clusters,
        "With --format model-explorer, group nodes by partition and quantized cluster instead of modules, as "
        "visualize_with_clusters()");
    options.duration("--timeout", timeoutSeconds, "Stop drawing after this time: 90s, 5m (default: 60s)");
    addOutputFile(options, output);
    addProgressOptions(options, progress);
}

GraphFormat GraphCommand::chosenFormat() const {
    return format ? *format : formatOf(output.path).value_or(GraphFormat::Text);
}

Result<std::string> GraphCommand::draw(const output::GraphPage& page) const {
    const tasks::InterruptionGuard guard;
    tasks::ProgressReporter watch(progress, std::nullopt);
    watch.begin("layout", 1);
    auto picture = page.picture(
        {.timeoutSeconds = timeoutSeconds, .cancel = &tasks::InterruptionGuard::requested(), .helper = {}});
    watch.finish();
    return picture;
}

Result<std::string> GraphCommand::render(const output::GraphPage& page) const {
    switch (chosenFormat()) {
        case GraphFormat::Svg:
            return draw(page);
        case GraphFormat::Dot:
            return page.dot();
        case GraphFormat::Json:
            return page.json();
        case GraphFormat::ModelExplorer:
            return page.explorer(clusters ? inspector::ExplorerLayers::Clusters
                                          : inspector::ExplorerLayers::Groups);
        case GraphFormat::Text:
            break;
    }
    return page.text();
}

Result<> GraphCommand::deliverNodeData(Console& console, const output::GraphPage& page) const {
    if (chosenFormat() != GraphFormat::ModelExplorer || output.toStdout()) {
        return {};
    }
    for (const inspector::ExplorerData& each : page.explorerData()) {
        OutputOptions beside = output;
        beside.path = inspector::explorerDataPath(output.path, each).string();
        ET_TRY(deliver(console, beside, tasks::producerOf(each.json), question.source.inputs()));
    }
    return {};
}

Result<tasks::ExitCode> GraphCommand::run(const Invocation& invocation) {
    ET_ASSIGN(const output::GraphPage page, output::GraphPage::open(question));
    invocation.console.warnAll(page.warnings());
    ET_ASSIGN(const std::string text, render(page));
    ET_TRY(deliver(invocation.console, output, tasks::producerOf(text), question.source.inputs()));
    ET_TRY(deliverNodeData(invocation.console, page));
    if (page.foundNothing()) {
        invocation.console.warn(
            fmt::format("no node matches \"{}\"", core::printable(question.selection.find)));
        return tasks::ExitCode::CheckFailed;
    }
    return tasks::ExitCode::Fine;
}

}  // namespace

const CommandFactory makeGraphCommand = newCommand<GraphCommand>;

}  // namespace et::cli
