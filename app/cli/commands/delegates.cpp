#include "app/cli/commands/commands.h"
#include "app/cli/options/model_options.h"
#include "app/cli/output_options.h"
#include "app/pages/delegates/delegates_page.h"

#include <array>
#include <filesystem>
#include <memory>
#include <string>
#include <vector>

namespace et::app {
namespace {

namespace fs = std::filesystem;
using core::Result;

enum class DelegatesFormat : std::uint8_t { Table, Json };

constexpr std::array delegatesFormats{Choice{"table", DelegatesFormat::Table},
                                      Choice{"json", DelegatesFormat::Json}};

/// Lists a program's delegates and their contents.
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
    [[nodiscard]] std::vector<fs::path> inputs() const;
    [[nodiscard]] std::string render(const DelegatesPage& page, const Console& console) const;

    DelegatesQuestion question;
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
    options.file("MODEL", question.model, "Program (.pte) or bundled program (.bpte)").mustBeGiven();
    options.file("--etrecord", question.beside.record,
                 "ETRecord of the export, which links nodes to operators, modules and source");
    options.file("--etdump", question.beside.trace, "Trace (ETDump) of the program, for shares of time");
    addTensorData(options, question.tensorData);
    options
        .text("--method", question.method,
              "Show only this method (default with a trace: the one that it ran)")
        .takes("NAME");
    options.choice("--source-time-scale", question.clock, timeScaleChoices,
                   "Time unit of the trace (default: ns)");
}

void DelegatesVerb::addOptions(OptionList& options) {
    addInputOptions(options);
    options.group("Output");
    options.flag("--nodes", nodes, "List every node and value inside delegates");
    options.choice("--format", format, delegatesFormats, "Output format (default: table)");
    options.flag("--all", all, "Do not shorten long lists");
    addOutputOptions(options, output);
}

std::vector<fs::path> DelegatesVerb::inputs() const {
    std::vector<fs::path> every{question.model, question.beside.record, question.beside.trace};
    every.insert(every.end(), question.tensorData.begin(), question.tensorData.end());
    std::erase(every, fs::path{});
    return every;
}

std::string DelegatesVerb::render(const DelegatesPage& page, const Console& console) const {
    return format == DelegatesFormat::Json ? page.json(nodes)
                                           : page.text(nodes, all, output.style(console).width);
}

Result<ExitCode> DelegatesVerb::run(const Invocation& invocation) {
    ET_ASSIGN(const DelegatesPage page, DelegatesPage::open(question));
    invocation.console.warnAll(page.warnings());
    ET_TRY(deliver(invocation.console, output, producerOf(render(page, invocation.console)), inputs()));
    return ExitCode::Fine;
}

}  // namespace

std::unique_ptr<Verb> makeDelegatesVerb() {
    return std::make_unique<DelegatesVerb>();
}

}  // namespace et::app
