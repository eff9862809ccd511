#include "inspector/format/table.h"

#include "app/cli/commands/commands.h"
#include "app/cli/option_types.h"
#include "app/cli/options/measure_options.h"
#include "app/cli/output_options.h"
#include "app/cli/session_options.h"
#include "app/tasks/output_file.h"
#include "inspector/events/event_table.h"
#include "inspector/session/session.h"

#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <array>
#include <filesystem>
#include <optional>
#include <string>
#include <vector>

namespace et::cli {
namespace {

namespace fs = std::filesystem;
namespace report = inspector::report;
using core::ErrorCode;
using core::fail;
using core::Result;

constexpr std::array groupings{
    Word{"none", report::GroupBy::None},     Word{"op", report::GroupBy::Op},
    Word{"module", report::GroupBy::Module}, Word{"delegate", report::GroupBy::Delegate},
    Word{"block", report::GroupBy::Block},
};

constexpr std::array formats{
    Word{"table", report::Format::Table},       Word{"tsv", report::Format::Tsv},
    Word{"csv", report::Format::Csv},           Word{"json", report::Format::Json},
    Word{"markdown", report::Format::Markdown},
};

constexpr std::array repeats{Word{"last", false}, Word{"all", true}};

using TargetScale = std::optional<inspector::TimeScale>;
constexpr auto targetWords = [] {
    std::array<Word<TargetScale>, timeScaleWords.size()> words{};
    for (std::size_t i = 0; i < words.size(); ++i) {
        words[i] = {timeScaleWords[i].word, timeScaleWords[i].meaning};
    }
    return words;
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
               "as ExecuTorch's Inspector prints them";
    }
    [[nodiscard]] std::vector<Glossary> glossaries() const override;
    [[nodiscard]] std::vector<Example> examples() const override;
    void addOptions(CLI::App& app) override;
    [[nodiscard]] Result<ExitCode> run(const Invocation& invocation) override;

  private:
    void addRowOptions(CLI::App& app);
    void addMeasureOptions(CLI::App& app);
    void addFormatOptions(CLI::App& app);

    [[nodiscard]] Result<> writeTsv(const inspector::EventBlocks& blocks,
                                    const std::vector<fs::path>& inputs) const;

    SessionOptions session;
    TargetScale target;  ///< asked for by the user
    report::EventTableOptions rows;
    report::Format format = report::Format::Table;
    OutputOptions output;
    std::string tsvPath;
    bool tsv = false;
    bool compareResults = false;
};

void TableVerb::addRowOptions(CLI::App& app) {
    app.option_defaults()->group("Rows and columns");
    suggestWords(
        app.add_option("--sort", rows.sort,
                       "Order by this column, shown or not: numbers from large to small, text from A "
                       "to Z; +COLUMN ascending, -COLUMN descending"),
        columnIds())
        ->type_name("COLUMN");
    addWhole(app, "--top", rows.top, "Only the first N rows", 1);
    addChoice(app, "--group-by", rows.groupBy, groupings,
              "One row for each operator, module, delegate or block");
    app.add_option("--filter", rows.filter,
                   "Only events whose name, operators or modules match this regular expression (ECMAScript)")
        ->type_name("REGEX");
    app.add_option("--module", rows.module, "Only events of this module, and their total")->type_name("NAME");
    suggestWords(
        app.add_option("--columns", rows.columns,
                       "Columns to show, in this order; all: every one; +COLUMN: besides the usual ones"),
        columnIds())
        ->delimiter(',')
        ->allow_extra_args(false)
        ->type_name("COLUMN,...");
    app.add_flag("--operator-calls", rows.operatorCalls, "Keep the OPERATOR_CALL rows");
}

void TableVerb::addMeasureOptions(CLI::App& app) {
    app.option_defaults()->group("Measuring");
    addChoice(app, "--target-time-scale,--target_time_scale", target, targetWords,
              "Unit to show (default: ms; on a terminal, what fits); cycles go with cycles only");
    addChoice(app, "--repeats", session.join.everyRepeat, repeats,
              "Which occurrences of an event that repeats inside one run count (default: last)");
    app.add_flag("--skip-outliers", session.join.leaveOutOutliers,
                 "Leave out runs that took far longer than the others (where the process was preempted)");
}

void TableVerb::addFormatOptions(CLI::App& app) {
    app.option_defaults()->group("Output");
    CLI::Option* chosen = addChoice(app, "--format", format, formats, "How to print (default: table)");
    app.add_flag("--tsv", tsv, "Short for --format tsv")->excludes(chosen);
    app.add_option("--tsv-path,--tsv_path", tsvPath,
                   "Print as ever, and write the table to this file as TSV too")
        ->type_name(fileValue);
    addOutputOptions(app, output);
    app.add_flag("--compare-results,--compare_results", compareResults)->group("");
}

void TableVerb::addOptions(CLI::App& app) {
    addSessionOptions(app, session);
    addRowOptions(app);
    addMeasureOptions(app);
    addFormatOptions(app);
}

std::vector<Glossary> TableVerb::glossaries() const {
    Glossary columns{.title = "Columns (* is shown without --columns)", .terms = {}};
    for (const report::EventColumn& column : report::eventColumns()) {
        const std::string id(column.id);
        columns.terms.push_back({column.shownByDefault ? id + " *" : id, std::string(column.help)});
    }
    return {columns};
}

std::vector<Example> TableVerb::examples() const {
    return {
        {"et-inspect --etdump trace.etdp --etrecord model.etrecord", "The table of ExecuTorch's Inspector"},
        {"et-inspect trace.etdp model.etrecord --sort avg --top 10", "The ten slowest events"},
        {"et-inspect trace.etdp model.etrecord --group-by module --sort avg", "Which modules take the time"},
        {"et-inspect trace.etdp --filter conv --columns event_name,p50,max --format csv",
         "Some columns of the convolutions, for a spreadsheet"},
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
                    "--compare-results is not here yet: this version does not compare intermediate values");
    }
    session.join.target = target.value_or(session.join.target);
    ET_ASSIGN(const auto opened, openSession(session, session.join, invocation));
    report::Style style = output.style(invocation.console);
    style.adaptUnits = !target && output.toTerminal(invocation.console);
    ET_ASSIGN(std::string text,
              report::renderEvents(*opened->blocks, rows, tsv ? report::Format::Tsv : format, style));
    if (output.toTerminal(invocation.console) && !style.colour) {
        text = terminalSafe(text);
    }
    const std::vector<fs::path> inputs = inputsOf(*opened);
    ET_TRY(deliver(invocation.console, output, producerOf(text), inputs));
    if (!tsvPath.empty()) {
        ET_TRY(writeTsv(*opened->blocks, inputs));
    }
    return ExitCode::Fine;
}

}  // namespace

std::unique_ptr<Verb> makeTableVerb() {
    return std::make_unique<TableVerb>();
}

}  // namespace et::cli
