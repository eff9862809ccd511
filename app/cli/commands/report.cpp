#include "app/cli/commands/commands.h"
#include "app/cli/options/progress_options.h"
#include "app/cli/options/session_options.h"
#include "app/cli/output_options.h"
#include "app/cli/version.h"
#include "app/pages/report/report_page.h"
#include "app/tasks/run/interruption.h"
#include "app/tasks/run/watch.h"
#include "app/tasks/session/session_tables.h"

#include <fmt/format.h>

#include <filesystem>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace et::app {
namespace {

namespace fs = std::filesystem;
using core::ErrorCode;
using core::Result;

/// Puts what there is to say of a session on one page.
class ReportVerb final : public Verb {
  public:
    [[nodiscard]] std::string_view name() const override { return "report"; }
    [[nodiscard]] std::string_view summary() const override {
        return "Write one self-contained HTML page: figures, findings, operators, timeline, memory, gap";
    }
    [[nodiscard]] std::string details() const override {
        return "FILE is a session written by 'et-inspect session save', or programs, ETRecords, traces, "
               "debug "
               "buffers and bundled programs in any order. The page is one file that works offline: timeline "
               "and time by module zoom, the graph folds, tables sort and filter, and what is chosen or "
               "under "
               "the pointer is marked everywhere. Two traces are compared. It prints well, follows the "
               "viewer's light or dark theme, and without script still shows tables and pictures. What the "
               "files do not contain is left out.";
    }
    [[nodiscard]] std::vector<Example> examples() const override {
        return {
            {"et-inspect report model.pte model.etrecord trace.etdp -o report.html", "Write a page to share"},
            {"et-inspect report session.db --top 1000 -o report.html",
             "Report on a session, with longer tables"}};
    }
    void addOptions(OptionList& options) override;
    [[nodiscard]] Result<ExitCode> run(const Invocation& invocation) override;

  private:
    [[nodiscard]] Result<std::string> make(Console& console, Watch& watch);

    SessionInput input;
    std::size_t top = 200;
    std::string title;
    OutputOptions output;
    ProgressOptions progress;
};

void ReportVerb::addOptions(OptionList& options) {
    addSessionFiles(options, input).mustBeGiven();
    addJoinOptions(options, input);
    options.group("Output");
    options.text("--title", title, "Title of the page (default: the file names)");
    options.integer("--top", top, "Maximum number of rows in long tables (default: 200)", 1);
    addOutputFile(options, output);
    addProgressOptions(options, progress);
}

std::string titleOf(const std::vector<fs::path>& files) {
    std::string names;
    for (const fs::path& path : files) {
        names += (names.empty() ? "" : " + ") + path.filename().string();
    }
    return names;
}

Result<std::string> ReportVerb::make(Console& console, Watch& watch) {
    watch.begin("read", 1);
    ET_ASSIGN(const OpenedTables tables,
              openTables(input, fmt::format("et-inspect {}", version), Needs::TablesAndSession));
    console.warnAll(tables.opened.warnings);
    watch.begin("report", 1);
    return reportPage({.session = *tables.opened.session,
                       .tables = *tables.database,
                       .title = title.empty() ? titleOf(input.files) : title,
                       .top = top});
}

Result<ExitCode> ReportVerb::run(const Invocation& invocation) {
    const InterruptionGuard guard;
    Watch watch(progress, std::nullopt);
    const auto page = make(invocation.console, watch);
    watch.finish();
    if (!page && page.error().code == ErrorCode::Cancelled) {
        const InterruptionInfo& end = infoOf(InterruptionGuard::cause());
        invocation.console.complain(end.message);
        return end.code;
    }
    ET_TRY(page);
    ET_TRY(deliver(invocation.console, output, producerOf(*page), input.files));
    return ExitCode::Fine;
}

}  // namespace

std::unique_ptr<Verb> makeReportVerb() {
    return std::make_unique<ReportVerb>();
}

}  // namespace et::app
