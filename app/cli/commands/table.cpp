#include "inspector/format/table.h"

#include "app/cli/commands/commands.h"
#include "app/cli/options/measure_options.h"
#include "app/cli/options/session_options.h"
#include "app/cli/output_options.h"
#include "app/tasks/output_file.h"
#include "app/tasks/session/trace_input.h"
#include "inspector/events/event_table.h"
#include "inspector/session/session.h"

#include <fmt/format.h>

#include <array>
#include <filesystem>
#include <optional>
#include <string>
#include <vector>

namespace et::app {
namespace {

namespace fs = std::filesystem;
namespace report = inspector::report;
using core::ErrorCode;
using core::fail;
using core::Result;

constexpr std::array groupings{
    Choice{"none", report::GroupBy::None},     Choice{"op", report::GroupBy::Op},
    Choice{"module", report::GroupBy::Module}, Choice{"delegate", report::GroupBy::Delegate},
    Choice{"block", report::GroupBy::Block},
};

constexpr std::array tableFormats{
    Choice{"table", report::Format::Table},       Choice{"tsv", report::Format::Tsv},
    Choice{"csv", report::Format::Csv},           Choice{"json", report::Format::Json},
    Choice{"markdown", report::Format::Markdown},
};

constexpr std::array repeats{Choice{"last", false}, Choice{"all", true}};

using TargetScale = std::optional<inspector::TimeScale>;
constexpr auto targetChoices = [] {
    std::array<Choice<TargetScale>, timeScaleChoices.size()> choices{};
    for (std::size_t i = 0; i < choices.size(); ++i) {
        choices[i] = {timeScaleChoices[i].name, timeScaleChoices[i].meaning};
    }
    return choices;
}();

std::vector<std::string> columnIds() {
    std::vector<std::string> ids;
    for (const report::EventColumn& column : report::eventColumns()) {
        ids.emplace_back(column.id);
    }
    return ids;
}

/// Prints the events of a trace with their statistics: what et-inspect does when no verb is named.
class TableVerb final : public Verb {
  public:
    [[nodiscard]] std::string_view name() const override { return {}; }
    [[nodiscard]] std::string_view summary() const override {
        return "Show where an ExecuTorch model spends its time: the events of a trace with their statistics, "
               "as printed by ExecuTorch's Inspector";
    }
    [[nodiscard]] std::vector<Glossary> glossaries() const override;
    [[nodiscard]] std::vector<Example> examples() const override;
    void addOptions(OptionList& options) override;
    [[nodiscard]] Result<ExitCode> run(const Invocation& invocation) override;

  private:
    void addRowOptions(OptionList& options);
    void addMeasureOptions(OptionList& options);
    void addFormatOptions(OptionList& options);

    [[nodiscard]] Result<> writeTsv(const inspector::EventBlocks& blocks,
                                    const std::vector<fs::path>& inputs) const;

    TraceInput input;
    TargetScale target;  ///< asked for by the user
    report::EventTableOptions rows;
    report::Format format = report::Format::Table;
    OutputOptions output;
    fs::path tsvPath;
    bool tsv = false;
    bool compareResults = false;
};

void TableVerb::addRowOptions(OptionList& options) {
    options.group("Rows and columns");
    options
        .text("--sort", rows.sort,
              "Sort by this column, shown or not: numbers descending, text ascending; +COLUMN: ascending, "
              "-COLUMN: descending")
        .takes("COLUMN")
        .suggests(columnIds());
    options.integer("--top", rows.top, "Show only the first N rows", 1);
    options.choice("--group-by", rows.groupBy, groupings,
                   "Show one row per operator, module, delegate or block");
    options
        .text("--filter", rows.filter,
              "Show only events whose name, operators or modules match this regular expression (ECMAScript)")
        .takes("REGEX");
    options.text("--module", rows.module, "Show only events of this module, and their total").takes("NAME");
    options
        .text("--columns", rows.columns,
              "Columns to show, in this order; all: every column; +COLUMN: in addition to the default ones")
        .separatedByCommas()
        .takes("COLUMN,...")
        .suggests(columnIds());
    options.flag("--operator-calls", rows.operatorCalls, "Include OPERATOR_CALL rows");
}

void TableVerb::addMeasureOptions(OptionList& options) {
    options.group("Measuring");
    options.choice("--target-time-scale,--target_time_scale", target, targetChoices,
                   "Time unit of the output (default: ms; on a terminal, the unit that fits); cycles only "
                   "for traces in cycles");
    options.choice("--repeats", input.join.everyRepeat, repeats,
                   "Which occurrence to use of an event that repeats within a run (default: last)");
    options.flag("--skip-outliers", input.join.leaveOutOutliers,
                 "Leave out runs that took far longer than the others (where the process was preempted)");
}

void TableVerb::addFormatOptions(OptionList& options) {
    options.group("Output");
    options.choice("--format", format, tableFormats, "Output format (default: table)");
    options.flag("--tsv", tsv, "Short for --format tsv").notWith("--format");
    options.path("--tsv-path,--tsv_path", tsvPath, "Write the table to this file as TSV, too");
    addOutputOptions(options, output);
    options.flag("--compare-results,--compare_results", compareResults, "").withoutHelp();
}

void TableVerb::addOptions(OptionList& options) {
    addTraceInput(options, input);
    addRowOptions(options);
    addMeasureOptions(options);
    addFormatOptions(options);
}

std::vector<Glossary> TableVerb::glossaries() const {
    Glossary columns{.title = "Columns (*: shown by default)", .terms = {}};
    for (const report::EventColumn& column : report::eventColumns()) {
        const std::string id(column.id);
        columns.terms.push_back({column.shownByDefault ? id + " *" : id, std::string(column.help)});
    }
    return {columns};
}

std::vector<Example> TableVerb::examples() const {
    return {
        {"et-inspect --etdump trace.etdp --etrecord model.etrecord",
         "Print the table of ExecuTorch's Inspector"},
        {"et-inspect trace.etdp model.etrecord --sort avg --top 10", "Show the ten slowest events"},
        {"et-inspect trace.etdp model.etrecord --group-by module --sort avg",
         "Show which modules take the time"},
        {"et-inspect trace.etdp --filter conv --columns event_name,p50,max --format csv",
         "Write some columns of the convolutions for a spreadsheet"},
    };
}

Result<> TableVerb::writeTsv(const inspector::EventBlocks& blocks,
                             const std::vector<fs::path>& inputs) const {
    ET_TRY(refuseToReplace(tsvPath, inputs));
    ET_ASSIGN(const std::string text, report::renderEvents(blocks, rows, report::Format::Tsv));
    return writeFile(tsvPath, producerOf(text));
}

Result<ExitCode> TableVerb::run(const Invocation& invocation) {
    if (compareResults) {
        return fail(ErrorCode::InvalidArgument,
                    "--compare-results: intermediate results are compared by 'et-inspect gap'");
    }
    input.join.target = target.value_or(input.join.target);
    ET_ASSIGN(const OpenedSession opened, openTraceInput(input));
    invocation.console.warnAll(opened.warnings);
    const inspector::Session& session = *opened.session;
    report::Style style = output.style(invocation.console);
    // A table that is fitted to a width is for people; without one it is the reference's.
    style.adaptUnits = !target && (style.width > 0 || output.toTerminal(invocation.console));
    ET_ASSIGN(std::string text,
              report::renderEvents(*session.blocks, rows, tsv ? report::Format::Tsv : format, style));
    if (output.toTerminal(invocation.console) && !style.colour) {
        text = terminalSafe(text);
    }
    const std::vector<fs::path> inputs = inputsOf(session);
    ET_TRY(deliver(invocation.console, output, producerOf(text), inputs));
    if (!tsvPath.empty()) {
        ET_TRY(writeTsv(*session.blocks, inputs));
    }
    return ExitCode::Fine;
}

}  // namespace

std::unique_ptr<Verb> makeTableVerb() {
    return std::make_unique<TableVerb>();
}

}  // namespace et::app
