#include "app/cli/commands/commands.h"
#include "app/cli/option_types.h"
#include "app/cli/options/progress_options.h"
#include "app/cli/output_options.h"
#include "app/pages/graph/graph_info.h"
#include "app/pages/info/artifact_info.h"
#include "app/tasks/graph/graph_selection.h"
#include "app/tasks/graph/graph_source.h"
#include "app/tasks/run/interruption.h"
#include "app/tasks/run/watch.h"
#include "inspector/format/json_text.h"
#include "inspector/graph/graph_dot.h"
#include "inspector/graph/graph_sources.h"

#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <array>
#include <filesystem>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace et::cli {
namespace {

namespace fs = std::filesystem;
using core::Result;
using inspector::GraphView;
using inspector::Overlay;

enum class GraphFormat : std::uint8_t { Text, Svg, Dot, Json };

constexpr std::array formats{Word{"text", GraphFormat::Text}, Word{"svg", GraphFormat::Svg},
                             Word{"dot", GraphFormat::Dot}, Word{"json", GraphFormat::Json}};
constexpr std::array overlays{Word{"kind", Overlay::Kind},           Word{"dtype", Overlay::Dtype},
                              Word{"bytes", Overlay::Bytes},         Word{"time", Overlay::Time},
                              Word{"partition", Overlay::Partition}, Word{"quantized", Overlay::Quantized}};

constexpr std::int64_t schema = 1;
/// Nodes and groups that may stand beside one another before they become sections.
constexpr std::size_t broadest = 100;

/// The format that a file's ending means.
std::optional<GraphFormat> formatOf(const fs::path& output) {
    const std::string ending = output.extension().string();
    for (const Word<GraphFormat>& each : formats) {
        if (ending.size() > 1 && ending.substr(1) == each.word) {
            return each.meaning;
        }
    }
    return std::nullopt;
}

/// Shows a graph: a picture, or as text.
class GraphVerb final : public Verb {
  public:
    [[nodiscard]] std::string_view name() const override { return "graph"; }
    [[nodiscard]] std::string_view summary() const override {
        return "Draw the graph of a program, of a delegate or of an ETRecord, or write it as text, DOT or "
               "JSON";
    }
    [[nodiscard]] std::string details() const override;
    [[nodiscard]] std::vector<Example> examples() const override {
        return {
            {"et-inspect graph model.pte --etrecord model.etrecord -o graph.svg",
             "A picture of the instructions, delegates opened, modules as groups"},
            {"et-inspect graph model.etrecord --source exported --expand features -o graph.svg",
             "The exported program with one module opened"},
            {"et-inspect graph model.pte --find softmax", "The nodes that match, a line each"},
            {"et-inspect graph model.pte --around 12 --depth 3 -o part.svg",
             "What instruction 12 takes and gives, three steps far"},
            {"et-inspect graph model.pte --etdump trace.etdp --overlay time -o hot.svg",
             "Colours by the time of one run"},
        };
    }
    void addOptions(CLI::App& app) override;
    [[nodiscard]] Result<ExitCode> run(const Invocation& invocation) override;

  private:
    void addInputOptions(CLI::App& app);
    void addViewOptions(CLI::App& app);
    [[nodiscard]] Result<std::string> render(const GraphView& view, const inspector::InstructionTimes& times);
    [[nodiscard]] Result<std::string> draw(const GraphView& view);
    [[nodiscard]] GraphFormat chosenFormat() const;

    GraphSource source;
    GraphSelection selection;
    Overlay overlay = Overlay::Kind;
    bool leftToRight = false;
    GraphFormat named = GraphFormat::Text;
    CLI::Option* formatOption = nullptr;
    double timeoutSeconds = 60;
    ProgressOptions progress;
    OutputOptions output;
};

std::string GraphVerb::details() const {
    return "Nodes of a program are its instructions, called by their number; those inside of a delegate are "
           "called 12.n3: node n3 of the delegate that instruction 12 runs. Groups (modules of a record, "
           "delegates, branches, loops) are opened from the outermost to the innermost as long as the "
           "picture has no "
           "more than --boxes boxes; the others are folded to one box each. Where many stand side by side "
           "and "
           "nothing groups them, those that follow one another are folded into sections. With --find, text "
           "lists the nodes that match, and the exit code is 1 where none does; pictures mark them.";
}

void GraphVerb::addInputOptions(CLI::App& app) {
    app.option_defaults()->group("Input");
    app.add_option("FILE", source.file, "Program (.pte), bundled program (.bpte) or ETRecord")
        ->type_name(fileValue)
        ->required();
    app.add_option("--etrecord", source.record,
                   "Record of the program's export (ETRecord), which names modules")
        ->type_name(fileValue);
    app.add_option("--etdump", source.trace, "Trace of the program (ETDump), for --overlay time")
        ->type_name(fileValue);
    app.add_option("--data", source.tensorData,
                   "Tensor data that the program lies without (.ptd) (repeatable)")
        ->allow_extra_args(false)
        ->take_all()
        ->type_name(fileValue);
    app.add_option("--method", source.method, "Method (default: forward, or the first)")->type_name("NAME");
    app.add_option(
           "--source", source.source,
           "Which graph: program, delegate:N (the inside of one), edge, exported, or the name of another "
           "graph of the record (default: program; edge of a record)")
        ->type_name("GRAPH");
    addChoice(app, "--source-time-scale", source.clock, timeScaleWords,
              "Unit of the trace's clock (default: ns)");
}

void GraphVerb::addViewOptions(CLI::App& app) {
    app.option_defaults()->group("What to show");
    const auto repeatable = [](CLI::Option* option) { return option->allow_extra_args(false)->take_all(); };
    repeatable(app.add_option("--expand", selection.expand,
                              "Open this group (its name or module), or all (repeatable)"))
        ->type_name("GROUP");
    repeatable(app.add_option("--collapse", selection.collapse, "Fold this group, or all (repeatable)"))
        ->type_name("GROUP");
    restrictToWhole(app.add_option("--boxes", selection.budget,
                                   "Open groups as long as there are no more boxes than this (default: 160)"),
                    0);
    app.add_option(
           "--find", selection.find,
           "Mark nodes whose name, kind, attributes or group match this regular expression (ECMAScript)")
        ->type_name("REGEX");
    repeatable(app.add_option("--around", selection.around,
                              "Only this node and what is near it, by the node's name (repeatable)"))
        ->type_name("NODE");
    restrictToWhole(app.add_option("--depth", selection.depth, "How near, in steps (default: 2)"), 0);
    addChoice(app, "--overlay", overlay, overlays, "What colours say (default: kind)");
    app.add_flag("--left-to-right", leftToRight, "Draw from left to right");
}

void GraphVerb::addOptions(CLI::App& app) {
    addInputOptions(app);
    addViewOptions(app);
    app.option_defaults()->group("Output");
    formatOption = addChoice(app, "--format", named, formats,
                             "How to write it (default: by the ending of the output file, else text)");
    app.add_option("--timeout", timeoutSeconds, "Give up on a picture after so many seconds (default: 60)")
        ->type_name("SECONDS")
        ->check(CLI::PositiveNumber);
    addOutputFile(app, output);
    addProgressOptions(app, progress);
}

GraphFormat GraphVerb::chosenFormat() const {
    return formatOption->count() > 0 ? named : formatOf(output.path).value_or(GraphFormat::Text);
}

Result<std::string> GraphVerb::draw(const GraphView& view) {
    const InterruptionGuard guard;
    Watch watch(progress, std::nullopt);
    watch.begin("layout", 1);
    auto layout = inspector::layOut(
        inspector::layoutRequest(view),
        {.timeoutSeconds = timeoutSeconds, .cancel = &InterruptionGuard::requested(), .helper = {}});
    watch.finish();
    return std::move(layout).transform(
        [&](const inspector::GraphLayout& placed) { return inspector::graphPicture(view, placed); });
}

Result<std::string> GraphVerb::render(const GraphView& view, const inspector::InstructionTimes& times) {
    switch (chosenFormat()) {
        case GraphFormat::Svg:
            return draw(view);
        case GraphFormat::Dot:
            return inspector::graphDot(view);
        case GraphFormat::Json: {
            std::string text;
            Dict info{{"schema", schema}, {"file", source.file.string()}};
            append(info, graphInfo(view, times));
            inspector::report::appendJson(text, Cell(std::move(info)));
            return text + "\n";
        }
        case GraphFormat::Text:
            break;
    }
    return graphOutline(view, !selection.find.empty());
}

Result<ExitCode> GraphVerb::run(const Invocation& invocation) {
    if (overlay == Overlay::Time && source.trace.empty()) {
        return core::fail(core::ErrorCode::InvalidArgument, "--overlay time: give a trace with --etdump");
    }
    ET_ASSIGN(OpenedGraph opened, openGraph(source));
    inspector::foldLongRuns(opened.graph, broadest);
    for (const std::string& warning : opened.warnings) {
        invocation.console.warn(warning);
    }
    ET_ASSIGN(const Selected selected, select(opened.graph, selection));
    const auto diagram = inspector::Diagram::of(opened.graph, selected.options);
    const auto labels = inspector::labelsOf(opened.graph, diagram);
    const auto colours = inspector::coloursOf(opened.graph, diagram, overlay, opened.numbers);
    const GraphView view{.graph = opened.graph,
                         .diagram = diagram,
                         .labels = labels,
                         .colours = colours,
                         .found = selected.found,
                         .leftToRight = leftToRight};
    ET_ASSIGN(const std::string text, render(view, opened.times));
    ET_TRY(deliver(invocation.console, output, producerOf(text), source.inputs()));
    const bool missing = !selected.found.empty() && !std::ranges::contains(selected.found, true);
    if (missing) {
        invocation.console.warn(fmt::format("no node matches \"{}\"", core::printable(selection.find)));
    }
    return missing ? ExitCode::CheckFailed : ExitCode::Fine;
}

}  // namespace

std::unique_ptr<Verb> makeGraphVerb() {
    return std::make_unique<GraphVerb>();
}

}  // namespace et::cli
