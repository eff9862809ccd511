#include "app/cli/commands/commands.h"
#include "app/cli/output_options.h"
#include "app/cli/version.h"
#include "app/output/sql/answers.h"
#include "app/tasks/base/interruption.h"
#include "app/tasks/base/progress_reporter.h"
#include "app/tasks/session/session_input.h"
#include "app/tasks/session/session_tables.h"
#include "inspector/store/query.h"

#include <fmt/format.h>

#include <array>
#include <filesystem>
#include <limits>
#include <optional>
#include <string>
#include <string_view>
#include <system_error>
#include <utility>
#include <vector>

namespace et::cli {
namespace {

namespace fs = std::filesystem;
using core::ErrorCode;
using core::fail;
using core::Result;
using inspector::format::Format;
using inspector::store::QueryLimits;
using inspector::store::QueryResult;

constexpr std::array sqlFormats{Choice{"table", Format::Table}, Choice{"csv", Format::Csv},
                                Choice{"tsv", Format::Tsv}, Choice{"json", Format::Json},
                                Choice{"markdown", Format::Markdown}};

/// Maximum number of rows printed to a terminal.
constexpr std::size_t rowsOnTerminal = 1000;

/// Queries a session, or the files that make one, with SQL.
class SqlCommand final : public Command {
  public:
    SqlCommand() : Command("sql", "Query a session, or any combination of files, in SQL") {}

    [[nodiscard]] std::string details() const override {
        return "FILE is a session written by 'et-inspect session save', or programs, ETRecords, traces, "
               "debug buffers and bundled programs in any order, whose tables are then built in memory. "
               "--tables lists all tables and columns. The SQL is SQLite's; statements are separated by "
               "semicolons and may only read. Ctrl-C cancels a query.";
    }
    [[nodiscard]] std::vector<Example> examples() const override {
        return {
            {"et-inspect sql trace.etdp model.etrecord \"SELECT name, p50, module FROM events ORDER BY p50 "
             "DESC LIMIT 10\"",
             "List the ten slowest events"},
            {"et-inspect sql model.pte \"SELECT dtype, role, sum(bytes) FROM tensors GROUP BY 1, 2\"",
             "Sum up the bytes of a program by dtype and role"},
            {"et-inspect sql session.db --file report.sql --format csv -o report.csv",
             "Run a file of statements and write CSV"},
            {"et-inspect sql --tables", "List all tables and columns"},
        };
    }
    void addOptions(OptionList& options) override;
    [[nodiscard]] Result<tasks::ExitCode> run(const Invocation& invocation) override;

  private:
    [[nodiscard]] Result<std::string> takeQuery();
    [[nodiscard]] Result<std::vector<QueryResult>> ask(Console& console, tasks::ProgressReporter& watch);
    [[nodiscard]] QueryLimits limits(const Console& console) const;
    [[nodiscard]] Result<tasks::ExitCode> printTables(const Invocation& invocation) const;

    std::vector<std::string> arguments;
    fs::path queryFile;
    bool listTables = false;
    tasks::SessionInput input;
    std::optional<std::size_t> limit;
    Format format = Format::Table;
    OutputOptions output;
    tasks::ProgressOptions progress;
};

void SqlCommand::addOptions(OptionList& options) {
    options.group("Input");
    options.text("FILE", arguments, "Session, or any combination of files that belong together; then the SQL")
        .takes("FILE... SQL");
    options.path("--file", queryFile, "Read the SQL from this file; '-' is stdin");
    addJoinOptions(options, input.join);
    options.group("Output");
    options.flag("--tables", listTables, "List all tables and columns with their meaning");
    options.choice("--format", format, sqlFormats, "Output format (default: table)");
    options.integer(
        "--limit", limit,
        fmt::format("Maximum number of rows per statement; 0: all (default: {} on a terminal, else {})",
                    rowsOnTerminal, QueryLimits().maxRows));
    addOutputOptions(options, output);
    addProgressOptions(options, progress);
}

/// Returns the whole text of a file or of stdin.
Result<std::string> readText(const fs::path& path) {
    ET_ASSIGN(const auto file, core::MappedFile::open(path == "-" ? fs::path("/dev/stdin") : path));
    const core::Bytes bytes = file->bytes();
    return std::string(reinterpret_cast<const char*>(bytes.data()), bytes.size());
}

/// Returns the SQL that follows the files.
Result<std::string> SqlCommand::takeQuery() {
    std::string query;
    if (!queryFile.empty()) {
        ET_ASSIGN(query, readText(queryFile));
    } else if (!arguments.empty()) {
        query = std::move(arguments.back());
        arguments.pop_back();
    }
    std::error_code unknown;
    if (queryFile.empty() && (query.empty() || fs::exists(query, unknown))) {
        return fail(ErrorCode::InvalidArgument,
                    query.empty() ? "expected files and SQL; see 'et-inspect sql --help'"
                                  : fmt::format("expected SQL after the files, got the file {}", query));
    }
    if (arguments.empty()) {
        return fail(ErrorCode::InvalidArgument, "expected a session or other files before the SQL");
    }
    input.files.assign(arguments.begin(), arguments.end());
    return query;
}

Result<std::vector<QueryResult>> SqlCommand::ask(Console& console, tasks::ProgressReporter& watch) {
    watch.begin("read", 1);
    ET_ASSIGN(const std::string query, takeQuery());
    ET_ASSIGN(const tasks::OpenedTables tables,
              tasks::openTables(input, fmt::format("et-inspect {}", version), tasks::Needs::Tables));
    console.warnAll(tables.opened.warnings);
    watch.begin("query", 1);
    std::vector<QueryResult> answers;
    ET_TRY(inspector::store::runQueries(*tables.database, query, limits(console), [&](QueryResult answer) {
        answers.push_back(std::move(answer));
        return Result<>();
    }));
    return answers;
}

QueryLimits SqlCommand::limits(const Console& console) const {
    constexpr std::size_t all = std::numeric_limits<std::size_t>::max();
    const bool screen = format == Format::Table && output.toTerminal(console);
    if (limit == 0U) {
        return {.maxRows = all, .maxBytes = all};
    }
    return {.maxRows = limit.value_or(screen ? rowsOnTerminal : QueryLimits().maxRows)};
}

Result<tasks::ExitCode> SqlCommand::printTables(const Invocation& invocation) const {
    const std::size_t width = output.style(invocation.console).width;
    return fineAfter(
        deliver(invocation.console, output, tasks::producerOf(output::tablesText(format, width)), {}));
}

Result<tasks::ExitCode> SqlCommand::run(const Invocation& invocation) {
    if (listTables) {
        return printTables(invocation);
    }
    const tasks::InterruptionGuard guard;
    tasks::ProgressReporter watch(progress, std::nullopt);
    const auto answers = ask(invocation.console, watch);
    watch.finish();
    ET_TRY(answers);
    const inspector::format::Style style = output.style(invocation.console);
    const std::string text = output::answersText(*answers, format, style);
    ET_TRY(deliver(invocation.console, output, tasks::producerOf(text), input.files));
    for (const QueryResult& answer : *answers) {
        if (!answer.complete) {
            invocation.console.warn(
                fmt::format("only the first {} rows: --limit 0 shows all", answer.table.rows.size()));
        }
    }
    return tasks::ExitCode::Fine;
}

}  // namespace

const CommandFactory makeSqlCommand = newCommand<SqlCommand>;

}  // namespace et::cli
