#include "inspector/format/table.h"

#include "app/cli/commands/commands.h"
#include "app/cli/options/group_options.h"
#include "app/cli/output_options.h"
#include "app/tasks/base/file_options.h"
#include "app/tasks/base/output_file.h"
#include "app/tasks/compare/measured_program.h"
#include "app/tasks/machine/session_limits.h"
#include "app/tasks/session/trace_input.h"
#include "inspector/events/event_columns.h"
#include "inspector/events/event_table.h"
#include "inspector/session/session.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <filesystem>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace et::cli {
namespace {

namespace fs = std::filesystem;
using core::ErrorCode;
using core::fail;
using core::Result;

constexpr std::array tableFormats{
    Choice{"table", inspector::format::Format::Table},       Choice{"tsv", inspector::format::Format::Tsv},
    Choice{"csv", inspector::format::Format::Csv},           Choice{"json", inspector::format::Format::Json},
    Choice{"markdown", inspector::format::Format::Markdown},
};

constexpr std::array repeats{Choice{"last", false}, Choice{"all", true}};

std::vector<std::string> columnIds() {
    std::vector<std::string> ids;
    for (const inspector::events::EventColumn& column : inspector::events::eventColumns()) {
        ids.emplace_back(column.id);
    }
    return ids;
}

/// Prints the events of a trace with their statistics; also runs if no command is named.
class TableCommand final : public Command {
  public:
    explicit TableCommand(std::string_view called = {})
        : Command(called,
                  "Show where an ExecuTorch model spends its time: events of a trace with statistics, in the "
                  "format of ExecuTorch's Inspector") {}

    [[nodiscard]] std::vector<Glossary> glossaries() const override {
        Glossary columns{.title = "Columns (*: shown by default)", .terms = {}};
        for (const inspector::events::EventColumn& column : inspector::events::eventColumns()) {
            const std::string id(column.id);
            columns.terms.push_back({column.shownByDefault ? id + " *" : id, std::string(column.help)});
        }
        return {columns};
    }
    [[nodiscard]] std::vector<Example> examples() const override {
        return {
            {"et-inspect --etdump trace.etdp --etrecord model.etrecord",
             "Print the table of ExecuTorch's Inspector"},
            {"et-inspect trace.etdp model.etrecord --sort avg --top 10", "Show the ten slowest events"},
            {"et-inspect trace.etdp model.etrecord --group-by module --sort avg", "Show time by module"},
            {"et-inspect trace.etdp model.etrecord qnn_profile.csv",
             "Add the operators of a profile from QNN, TensorRT, Vela, Core ML or Streamline"},
            {"et-inspect trace.etdp model.etrecord --group-by phase,module --depth 3 --merge-layers",
             "Show the time of each layer of a language model in prefill and in decode"},
            {"et-inspect trace.etdp --filter conv --columns event_name,p50,max --format csv",
             "Write some columns of the convolutions for a spreadsheet"},
        };
    }
    void addOptions(OptionList& options) override;
    [[nodiscard]] Result<tasks::ExitCode> run(const Invocation& invocation) override;

  private:
    void addRowOptions(OptionList& options);
    void addMeasureOptions(OptionList& options);
    void addLimits(OptionList& options);
    void addFormatOptions(OptionList& options);

    [[nodiscard]] bool requestsPhases() const;
    [[nodiscard]] bool requestsLimits() const;
    void nameTraces();
    [[nodiscard]] Result<> writeTsv(const std::vector<inspector::events::NamedTrace>& traces,
                                    const std::vector<fs::path>& inputs) const;

    tasks::TraceInput input;
    std::optional<inspector::TimeScale> target;  ///< given by the user
    GroupOptions groups;
    tasks::LimitOptions limits;
    inspector::events::EventTableOptions rows;
    inspector::format::Format format = inspector::format::Format::Table;
    OutputOptions output;
    fs::path tsvPath;
    bool tsv = false;
    bool compareResults = false;
};

void TableCommand::addRowOptions(OptionList& options) {
    options.group("Rows and columns");
    options
        .text("--sort COLUMN", rows.sort,
              "Sort by this column, shown or not: numbers descending, text ascending; +COLUMN: ascending, "
              "-COLUMN: descending")
        .suggests(columnIds());
    options.integer("--top", rows.top, "Show only the first N rows; 0: all");
    addGroupOptions(options, groups);
    options
        .text("--phase NAME,...", input.join.phases,
              "Show only these phases of a language model: load, prefill, decode, sample, …")
        .suggests({"load", "prefill", "decode", "sample", "tokenize"});
    options.text(
        "--filter REGEX", rows.filter,
        "Show only events whose name, operators or modules match this regular expression (ECMAScript)");
    options.text("--module NAME", rows.module, "Show only events of this module, and their total");
    options
        .text("--columns COLUMN,...", rows.columns,
              "Columns to show, in this order; all: every column; +COLUMN: in addition to the default ones")
        .suggests(columnIds());
    options.flag("--operator-calls", rows.operatorCalls, "Include OPERATOR_CALL rows");
}

void TableCommand::addMeasureOptions(OptionList& options) {
    options.group("Measuring");
    options.choice("--target-time-scale,--target_time_scale", target, timeScaleChoices,
                   "Time unit of the output (default: ms; on a terminal, the unit that fits); cycles only "
                   "for traces in cycles");
    options.choice("--repeats", input.join.everyRepeat, repeats,
                   "Which occurrence to use of an event that repeats within a run (default: last)");
    options.flag("--skip-outliers", input.join.leaveOutOutliers,
                 "Exclude runs that took far longer than the others (where the process was preempted)");
}

void TableCommand::addLimits(OptionList& options) {
    options.group("Limits of the machine");
    options
        .file("--program", input.program,
              "Program or bundled program that ran, for columns such as flops, bytes and efficiency")
        .takesFiles(tasks::anyProgram);
    addLimitOptions(options, limits);
}

void TableCommand::addFormatOptions(OptionList& options) {
    options.group("Output");
    options.choice("--format", format, tableFormats, "Output format (default: table)");
    options.flag("--tsv", tsv, "Alias of --format tsv").notWith("--format");
    options.path("--tsv-path,--tsv_path", tsvPath, "Also write the table to this file as TSV");
    addOutputOptions(options, output);
    options.flag("--compare-results,--compare_results", compareResults, "").withoutHelp();
}

void TableCommand::addOptions(OptionList& options) {
    input.several = true;
    addTraceInput(options, input);
    addRowOptions(options);
    addMeasureOptions(options);
    addLimits(options);
    addFormatOptions(options);
}

/// True if an option refers to phases, which requires phase rows as well.
bool TableCommand::requestsPhases() const {
    const auto isOfPhase = [](std::string_view column) {
        column.remove_prefix(column.starts_with('+') || column.starts_with('-') ? 1 : 0);
        return column == "phase" || column == "call" || column == "position";
    };
    return !input.join.phases.empty() || rows.groupBy.has(inspector::events::GroupBy::Phase) ||
           isOfPhase(rows.sort) || std::ranges::any_of(rows.columns, isOfPhase);
}

bool TableCommand::requestsLimits() const {
    return inspector::events::isOfLimits(rows.sort) ||
           std::ranges::any_of(rows.columns, inspector::events::isOfLimits);
}

/// Adds the trace to rows of several traces, unless the options decide it.
void TableCommand::nameTraces() {
    if (rows.groupBy.empty() && rows.columns.empty()) {
        rows.columns.emplace_back("trace");
        for (const inspector::events::EventColumn& column : inspector::events::eventColumns()) {
            if (column.shownByDefault) {
                rows.columns.emplace_back(column.id);
            }
        }
    } else if (!rows.groupBy.empty() && !rows.groupBy.has(inspector::events::GroupBy::Phase) &&
               !rows.groupBy.has(inspector::events::GroupBy::Trace)) {
        inspector::events::GroupKeys keys(inspector::events::GroupBy::Trace);
        std::ranges::for_each(rows.groupBy.all(), [&](inspector::events::GroupBy key) { keys.add(key); });
        rows.groupBy = std::move(keys);
    }
}

Result<> TableCommand::writeTsv(const std::vector<inspector::events::NamedTrace>& traces,
                                const std::vector<fs::path>& inputs) const {
    ET_TRY(tasks::refuseToReplace(tsvPath, inputs));
    ET_ASSIGN(const std::string text,
              inspector::events::renderEvents(traces, rows, inspector::format::Format::Tsv));
    return tasks::writeFile(tsvPath, tasks::producerOf(text));
}

Result<tasks::ExitCode> TableCommand::run(const Invocation& invocation) {
    if (compareResults) {
        return fail(ErrorCode::InvalidArgument,
                    "--compare-results is not supported: 'et-inspect gap' compares intermediate results");
    }
    input.join.target = target.value_or(input.join.target);
    if (rows.top == 0U) {
        rows.top.reset();
    }
    ET_ASSIGN(rows.groupBy, makeGroupKeys(groups));
    rows.modules = groups.modules;
    input.join.byPhase = requestsPhases();
    ET_ASSIGN(const tasks::OpenedSession opened, tasks::openTraceInput(input));
    invocation.console.warnAll(opened.warnings);
    const inspector::Session& session = *opened.session;
    if (requestsLimits()) {
        // "all" includes these columns; remarks are printed only if they were requested by name.
        const bool all = std::ranges::contains(rows.columns, "all");
        ET_ASSIGN(rows.limits, tasks::sessionLimits(session, limits, [&](const std::string& line) {
                      if (!all) {
                          invocation.console.warn(line);
                      }
                  }));
    }
    const std::vector<inspector::events::NamedTrace> traces = tasks::namedTraces(session);
    if (traces.size() > 1) {
        nameTraces();
    }
    inspector::format::Style style = output.style(invocation.console);
    // Units are adapted only in tables fitted to a width, which are for people; other tables match the
    // reference.
    style.adaptUnits = !target && (style.width > 0 || output.toTerminal(invocation.console));
    ET_ASSIGN(
        const std::string text,
        inspector::events::renderEvents(traces, rows, tsv ? inspector::format::Format::Tsv : format, style));
    const std::vector<fs::path> inputs = tasks::inputsOf(session);
    ET_TRY(deliver(invocation.console, output, tasks::producerOf(text), inputs));
    if (!tsvPath.empty()) {
        ET_TRY(writeTsv(traces, inputs));
    }
    return tasks::ExitCode::Fine;
}

}  // namespace

const CommandFactory makeTableCommand = newCommand<TableCommand>;
const CommandFactory makeEventsCommand =
    +[]() -> std::unique_ptr<Command> { return std::make_unique<TableCommand>("events"); };

}  // namespace et::cli
