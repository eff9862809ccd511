#include "inspector/delegates/delegates.h"

#include "app/cli/commands/commands.h"
#include "app/cli/options/model_options.h"
#include "app/cli/output_options.h"
#include "app/pages/delegates/delegate_info.h"
#include "app/pages/info/artifact_info.h"
#include "app/pages/info/info_text.h"
#include "app/tasks/program_file.h"
#include "backends/builtin.h"
#include "inspector/format/json_text.h"
#include "inspector/format/table.h"
#include "inspector/session/session.h"

#include <fmt/format.h>

#include <array>
#include <filesystem>
#include <memory>
#include <string>
#include <utility>
#include <vector>

namespace et::app {
namespace {

namespace fs = std::filesystem;
using core::Result;
using inspector::TimeScale;

enum class DelegatesFormat : std::uint8_t { Table, Json };

constexpr std::array delegatesFormats{Choice{"table", DelegatesFormat::Table},
                                      Choice{"json", DelegatesFormat::Json}};

constexpr std::size_t delegateListRows = 20;
constexpr std::int64_t delegatesSchema = 1;

/// Lists what a program hands to delegates, and what is in them.
class DelegatesVerb final : public Verb {
  public:
    [[nodiscard]] std::string_view name() const override { return "delegates"; }
    [[nodiscard]] std::string_view summary() const override {
        return "List the delegates of a program, what is inside them, and where operators and time go";
    }
    [[nodiscard]] std::string details() const override;
    [[nodiscard]] std::vector<Example> examples() const override {
        return {
            {"et-inspect delegates model.pte", "List delegates with inputs, outputs and nodes by kind"},
            {"et-inspect delegates model.pte --etrecord model.etrecord --nodes",
             "List every node inside with its Edge nodes, module and Python line"},
            {"et-inspect delegates model.pte --etrecord model.etrecord --etdump trace.etdp",
             "Show the share of time of each delegate and of what is not delegated"},
        };
    }
    void addOptions(OptionList& options) override;
    [[nodiscard]] Result<ExitCode> run(const Invocation& invocation) override;

  private:
    void addInputOptions(OptionList& options);
    [[nodiscard]] Result<std::shared_ptr<const inspector::Session>> openSession() const;
    [[nodiscard]] std::vector<fs::path> inputs() const;
    [[nodiscard]] std::string render(Dict info, const Console& console) const;

    fs::path model;
    std::vector<fs::path> tensorData;
    inspector::SessionFiles files;
    std::string method;
    TimeScale source = TimeScale::Nanoseconds;
    DelegatesFormat format = DelegatesFormat::Table;
    OutputOptions output;
    bool nodes = false;
    bool all = false;
};

std::string DelegatesVerb::details() const {
    return "The inside of a delegate is read from its payload, without running it, where the backend is "
           "supported; of other payloads, what is visible from outside is shown. With an ETRecord, operators "
           "are the nodes of its Edge graph, by the instructions that carry their debug handles: 'either' "
           "counts those that both delegates and other instructions carry, 'no instruction' those that were "
           "folded away. Without one, operators are kernel calls and the nodes of readable delegates. Times "
           "are medians of a run.";
}

void DelegatesVerb::addInputOptions(OptionList& options) {
    options.group("Input");
    options.file("MODEL", model, "Program (.pte) or bundled program (.bpte)").mustBeGiven();
    options.file("--etrecord", files.record,
                 "ETRecord of the export, which links nodes to operators, modules and source");
    options.file("--etdump", files.trace, "Trace (ETDump) of the program, for shares of time");
    addTensorData(options, tensorData);
    options.text("--method", method, "Show only this method (default with a trace: the one that it ran)")
        .takes("NAME");
    options.choice("--source-time-scale", source, timeScaleChoices, "Time unit of the trace (default: ns)");
}

void DelegatesVerb::addOptions(OptionList& options) {
    addInputOptions(options);
    options.group("Output");
    options.flag("--nodes", nodes, "List every node and value inside delegates");
    options.choice("--format", format, delegatesFormats, "Output format (default: table)");
    options.flag("--all", all, "Do not shorten long lists");
    addOutputOptions(options, output);
}

Result<std::shared_ptr<const inspector::Session>> DelegatesVerb::openSession() const {
    const TimeScale target = source == TimeScale::Cycles ? source : TimeScale::Milliseconds;
    return inspector::Session::open(
        files, {.source = source, .target = target, .method = files.record.empty() ? "" : method});
}

std::vector<fs::path> DelegatesVerb::inputs() const {
    std::vector<fs::path> every{model, files.record, files.trace};
    every.insert(every.end(), tensorData.begin(), tensorData.end());
    std::erase(every, fs::path{});
    return every;
}

std::string DelegatesVerb::render(Dict info, const Console& console) const {
    std::string text;
    if (format == DelegatesFormat::Json) {
        info.insert(info.begin(), {"schema", delegatesSchema});
        inspector::report::appendJson(text, Cell(std::move(info)));
        return text + "\n";
    }
    return infoText(info, all || nodes ? 0 : delegateListRows, output.style(console).width);
}

Result<ExitCode> DelegatesVerb::run(const Invocation& invocation) {
    ET_ASSIGN(const ProgramFile opened, ProgramFile::open(model));
    std::vector<std::shared_ptr<const program::TensorData>> data;
    for (const fs::path& each : tensorData) {
        ET_ASSIGN(auto read, program::TensorData::open(each));
        data.push_back(std::move(read));
    }
    ET_ASSIGN(const auto session, openSession());
    const inspector::DelegateSources sources{.program = *opened.program,
                                             .tensorData = data,
                                             .backends = backends::describable(),
                                             .record = session->record.get(),
                                             .blocks = session->blocks.get(),
                                             .method = method};
    auto report = inspector::delegatesOf(sources);
    if (!report) {
        return std::unexpected(std::move(report).error().in(model.string()));
    }
    if (session->blocks != nullptr) {
        std::ranges::copy(session->blocks->warnings(), std::back_inserter(report->warnings));
    }
    for (const std::string& warning : report->warnings) {
        invocation.console.warn(warning);
    }
    const std::string_view unit =
        session->blocks == nullptr ? "" : inspector::traits(session->blocks->options().target).name;
    const bool table = format == DelegatesFormat::Table;
    const DelegateInfoOptions options{.nodes = nodes,
                                      .forPeople = table,
                                      .shortenLists = table && !all,
                                      .timeUnit = unit,
                                      .record = session->record != nullptr};
    Dict info{{"file", model.string()}, {"methods", delegateInfo(*report, session->record.get(), options)}};
    if (!table) {
        info.emplace_back("warnings", List(report->warnings.begin(), report->warnings.end()));
    }
    ET_TRY(deliver(invocation.console, output, producerOf(render(std::move(info), invocation.console)),
                   inputs()));
    return ExitCode::Fine;
}

}  // namespace

std::unique_ptr<Verb> makeDelegatesVerb() {
    return std::make_unique<DelegatesVerb>();
}

}  // namespace et::app
