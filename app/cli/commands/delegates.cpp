#include "app/cli/commands/commands.h"
#include "app/cli/commands/delegate_measurement.h"
#include "app/cli/options/model_options.h"
#include "app/cli/output_options.h"
#include "app/output/delegates/delegates_page.h"
#include "app/tasks/base/file_options.h"

#include <filesystem>
#include <string>
#include <vector>

namespace et::cli {
namespace {

namespace fs = std::filesystem;
using core::Result;

/// Lists a program's delegates and their contents, or measures the operators outside them.
class DelegatesCommand final : public Command {
  public:
    DelegatesCommand()
        : Command("delegates", "List delegates, their contents, and how operators and time are distributed") {
    }

    [[nodiscard]] std::string details() const override {
        return "The content of a delegate is read from its payload, without running it, if the backend is "
               "supported; for other payloads, inputs, outputs and sizes are shown. With an ETRecord, "
               "operators are the nodes of its Edge graph, classified by the instructions with their debug "
               "handles: 'either' counts operators found both in delegates and in other instructions, 'no "
               "instruction' those that were folded away. Without an ETRecord, operators are kernel calls "
               "and the nodes of readable delegates. Times are medians of a run. --measure builds programs "
               "from the ETRecord as 'et-inspect lower' does, with the model's delegates, and runs them here "
               "alternately: unchanged, with one more operator in the delegates, and with that operator as "
               "the only delegate. A quantized operator includes the quantize and dequantize nodes around "
               "it. The most expensive operators are measured first.";
    }
    [[nodiscard]] std::vector<Glossary> glossaries() const override {
        return {{"Columns of --measure",
                 {{"now", "Time of the operator in a run, as a kernel call"},
                  {"alone",
                   "Time as a separate delegate, including conversions at its boundary; empty: it is "
                   "delegated only together with others, or was not measured"},
                  {"to win", "Time saved per run when it is merged into the existing delegates"},
                  {"why it is outside", "Rule that excludes it from XNNPACK"}}}};
    }
    [[nodiscard]] std::vector<Example> examples() const override {
        return {
            {"et-inspect delegates model.pte", "List delegates with inputs, outputs and nodes by kind"},
            {"et-inspect delegates model.pte --etrecord model.etrecord --nodes",
             "List every node inside delegates with its Edge nodes, module and Python line"},
            {"et-inspect delegates model.pte --etrecord model.etrecord --etdump trace.etdp",
             "Show the time share of each delegate and of undelegated operators"},
            {"et-inspect delegates model.pte --etrecord model.etrecord --measure",
             "List operators outside delegates by the time that delegating them saves"},
            {"et-inspect delegates model.pte --etrecord model.etrecord --measure --depth 2",
             "List modules such as layers.0 instead"},
            {"et-inspect delegates model.pte --etrecord model.etrecord --measure --time 300 --format csv",
             "Measure for up to five minutes; write a row for each operator"},
        };
    }
    void addOptions(OptionList& options) override;
    [[nodiscard]] Result<tasks::ExitCode> run(const Invocation& invocation) override;

  private:
    void addFileOptions(OptionList& options);
    [[nodiscard]] std::vector<fs::path> inputs() const;
    [[nodiscard]] std::string render(const output::DelegatesPage& page, const Console& console) const;

    output::DelegatesQuery question;
    DelegateMeasurement measurement;
    OutputFormat format = OutputFormat::Table;
    OutputOptions output;
    bool nodes = false;
    bool all = false;
};

void DelegatesCommand::addFileOptions(OptionList& options) {
    options.group("Input");
    addModelFile(options, question.model);
    addRecordFile(options, "--etrecord", question.beside.record,
                  "ETRecord of the export; links nodes to operators, modules and source");
    options.file("--etdump", question.beside.trace, "Trace (ETDump) of the program, for time shares")
        .takesFiles({SessionFile::Trace})
        .accompanies()
        .notWith("--measure");
    addTensorData(options, question.tensorData);
    options.text("--method NAME", question.method,
                 "Show only this method (default with a trace: the traced method)");
    tasks::addTraceClock(options, question.clock);
}

void DelegatesCommand::addOptions(OptionList& options) {
    addFileOptions(options);
    measurement.addOptions(options);
    options.group("Output");
    options.flag("--nodes", nodes, "List every node and value inside delegates").notWith("--measure");
    addFormat(options, format,
              {OutputFormat::Table, OutputFormat::Json, OutputFormat::Csv, OutputFormat::Markdown},
              "Output format", "; csv and markdown only with --measure");
    options.flag("--all", all, "Do not group equal entries or shorten long lists").notWith("--measure");
    addOutputOptions(options, output);
}

std::vector<fs::path> DelegatesCommand::inputs() const {
    std::vector<fs::path> every{question.model, question.beside.record, question.beside.trace};
    every.insert(every.end(), question.tensorData.begin(), question.tensorData.end());
    std::erase(every, fs::path{});
    return every;
}

std::string DelegatesCommand::render(const output::DelegatesPage& page, const Console& console) const {
    return format == OutputFormat::Json ? page.json(nodes)
                                        : page.text(nodes, all, output.style(console).width);
}

Result<tasks::ExitCode> DelegatesCommand::run(const Invocation& invocation) {
    if (measurement.isRequested()) {
        return measurement.run(invocation, question, format, output);
    }
    if (format == OutputFormat::Csv || format == OutputFormat::Markdown) {
        return core::fail(core::ErrorCode::InvalidArgument,
                          "--format: csv and markdown are available only with --measure");
    }
    ET_ASSIGN(const output::DelegatesPage page, output::DelegatesPage::open(question));
    invocation.console.warnAll(page.warnings());
    return fineAfter(
        deliver(invocation.console, output, tasks::producerOf(render(page, invocation.console)), inputs()));
}

}  // namespace

const CommandFactory makeDelegatesCommand = newCommand<DelegatesCommand>;

}  // namespace et::cli
