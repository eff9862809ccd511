#include "app/cli/commands/commands.h"
#include "app/cli/output_options.h"
#include "app/cli/version.h"
#include "app/output/report/report_page.h"
#include "app/output/trend/site_page.h"
#include "app/tasks/base/interruption.h"
#include "app/tasks/base/output_file.h"
#include "app/tasks/base/progress_reporter.h"
#include "app/tasks/machine/session_limits.h"
#include "app/tasks/session/session_input.h"
#include "app/tasks/session/session_tables.h"
#include "app/tasks/size/measured_size.h"
#include "inspector/store/trend_store.h"
#include "inspector/trend/moment.h"
#include "inspector/trend/trend.h"

#include <fmt/format.h>

#include <filesystem>
#include <limits>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace et::cli {
namespace {

namespace fs = std::filesystem;
using core::ErrorCode;
using core::Result;

/// Writes everything known about a session as one page.
class ReportCommand final : public Command {
  public:
    ReportCommand()
        : Command(
              "report",
              "Write a self-contained HTML page (figures, findings, operators, timeline, memory, gap) or a "
              "site of trends") {}

    [[nodiscard]] std::string details() const override {
        return "FILE is a session written by 'et-inspect session save', or programs, ETRecords, traces, "
               "debug buffers and bundled programs in any order. The page is one file that works offline: "
               "timeline and time by module zoom, the graph folds, tables sort and filter, and the selected "
               "or hovered item is highlighted everywhere. Two traces are compared. The page is printable, "
               "follows the viewer's light or dark theme, and without scripts still shows tables and "
               "pictures. Sections without data are omitted. --store writes a site to a folder instead: one "
               "page of trends for each model that 'et-inspect import' put into the store, for a file server "
               "(docs/how_to/track_performance.md).";
    }
    [[nodiscard]] std::vector<Example> examples() const override {
        return {
            {"et-inspect report model.pte model.etrecord trace.etdp -o report.html", "Write a page to share"},
            {"et-inspect report model.pte trace.etdp --limits -o report.html",
             "Also show the limits of the machine"},
            {"et-inspect report session.db --top 1000 -o report.html",
             "Report on a session, with longer tables"},
            {"et-inspect report --store team.db -o site", "Write the trends of all models of a team"}};
    }
    void addOptions(OptionList& options) override;
    [[nodiscard]] Result<tasks::ExitCode> run(const Invocation& invocation) override;

  private:
    [[nodiscard]] Result<std::string> make(Console& console, tasks::ProgressReporter& watch);
    [[nodiscard]] Result<std::optional<output::PageMachine>> machineOf(const inspector::Session& session,
                                                                       Console& console) const;
    [[nodiscard]] Result<> writeSite(tasks::ProgressReporter& watch);
    [[nodiscard]] Result<tasks::ExitCode> runSite();

    tasks::SessionInput input;
    bool withLimits = false;
    tasks::LimitOptions limits;
    std::size_t top = 200;
    std::string title;
    fs::path store;
    std::vector<std::string> by;
    std::string since;
    OutputOptions output;
    tasks::ProgressOptions progress;
};

void ReportCommand::addOptions(OptionList& options) {
    addSessionFiles(options, input);
    addJoinOptions(options, input.join);
    options.group("Limits of the machine");
    options.flag("--limits", withLimits,
                 "Show how far operators are below the limits of the machine ('et-inspect machine'); implied "
                 "by --machine");
    addLimitOptions(options, limits);
    options.group("Trends");
    options.path("--store", store, "Write a site of the trends in this store to the folder of --output")
        .onlyWith("--output");
    options
        .text("--by TAG,...", by,
              "Tags that distinguish devices, and commit to combine the measurements of each commit "
              "(default: device,commit)")
        .onlyWith("--store");
    options.text("--since DATE", since, "Only measurements from this date on: 2026-11-25")
        .onlyWith("--store");
    options.group("Output");
    options.text("--title", title, "Title of the page (default: the file names)");
    options.integer("--top", top, "Maximum number of rows in long tables; 0: all (default: 200)");
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

Result<std::string> ReportCommand::make(Console& console, tasks::ProgressReporter& watch) {
    watch.begin("read", 1);
    ET_ASSIGN(
        const tasks::OpenedTables tables,
        tasks::openTables(input, fmt::format("et-inspect {}", version), tasks::Needs::TablesAndSession));
    console.warnAll(tables.opened.warnings);
    watch.begin("report", 1);
    const inspector::Session& session = *tables.opened.session;
    tasks::SessionSize size;
    std::optional<output::PageSizes> sizes;
    if (session.program != nullptr) {
        if (auto found = tasks::sessionSize(session)) {
            size = *std::move(found);
            for (inspector::SizedFile& file : size.map.files) {
                file.name = fs::path(file.name).filename().string();  // the reader does not need the folder
            }
            auto duplicates = inspector::repeatedContent(size.map).duplicates;
            sizes = {.map = std::move(size.map), .duplicates = std::move(duplicates)};
        } else {
            console.warn(fmt::format("sizes are not available: {}", found.error().toString()));
        }
    }
    ET_ASSIGN(const std::optional<output::PageMachine> machine, machineOf(session, console));
    return output::reportPage({.session = session,
                               .tables = *tables.database,
                               .title = title.empty() ? titleOf(input.files) : title,
                               .top = top == 0 ? std::numeric_limits<std::uint32_t>::max() : top,
                               .sizes = sizes ? &*sizes : nullptr,
                               .machine = machine ? &*machine : nullptr});
}

/// Returns nothing if limits were not requested or not measured.
Result<std::optional<output::PageMachine>> ReportCommand::machineOf(const inspector::Session& session,
                                                                    Console& console) const {
    if (!withLimits && limits.machine.empty()) {
        return std::nullopt;
    }
    const auto warn = [&](const std::string& line) { console.warn(line); };
    ET_ASSIGN(auto machine, tasks::machineFor(limits, warn));
    if (!machine) {
        return std::nullopt;
    }
    ET_ASSIGN(auto events, tasks::sessionLimits(session, limits, warn));
    const std::size_t threads = limits.threads == 0 ? machine->mostThreads() : limits.threads;
    return output::PageMachine{
        .machine = *std::move(machine), .threads = threads, .events = std::move(events)};
}

/// The list is written last, because it links to the other pages.
Result<> ReportCommand::writeSite(tasks::ProgressReporter& watch) {
    using inspector::store::TrendStore;
    inspector::TrendOptions options;
    if (!by.empty()) {
        options.grouping.by = by;
    }
    if (!since.empty()) {
        ET_ASSIGN(since, inspector::utcText(since));
    }
    ET_ASSIGN(const TrendStore opened,
              TrendStore::open(store, {.mode = inspector::store::OpenMode::Reading}));
    std::vector<std::string> models;
    ET_ASSIGN(const auto known, opened.models());
    for (const inspector::store::TrendModel& each : known) {
        if (each.last >= since) {
            models.push_back(each.name);
        }
    }
    const std::vector<std::string> files = output::siteFiles(models);
    const fs::path folder = output.path;
    ET_TRY(tasks::makeFolder(folder));
    watch.begin("report", models.size());
    std::vector<output::SiteEntry> entries;
    for (std::size_t i = 0; i < models.size(); ++i) {
        if (tasks::InterruptionGuard::requested()) {
            return core::fail(ErrorCode::Cancelled, "ended early");
        }
        ET_ASSIGN(const inspector::MeasuredModel measured, opened.load(models[i], since));
        ET_ASSIGN(const inspector::Trend trend, findTrend(measured, options));
        const std::string page = output::sitePage(trend);
        ET_TRY(tasks::writeFile(folder / files[i], tasks::producerOf(page)));
        entries.push_back(output::siteEntry(trend, files[i]));
        watch.step();
    }
    const std::string index = output::siteIndex(entries);
    return tasks::writeFile(folder / "index.html", tasks::producerOf(index));
}

Result<tasks::ExitCode> ReportCommand::runSite() {
    if (!input.files.empty()) {
        return core::fail(ErrorCode::InvalidArgument, "report: files and --store cannot be combined");
    }
    const tasks::InterruptionGuard guard;
    tasks::ProgressReporter watch(progress, std::nullopt);
    const auto written = writeSite(watch);
    watch.finish();
    return fineAfter(written);
}

Result<tasks::ExitCode> ReportCommand::run(const Invocation& invocation) {
    if (!store.empty()) {
        return runSite();
    }
    if (input.files.empty()) {
        return core::fail(ErrorCode::InvalidArgument,
                          "expected a session, other files, or --store; see 'et-inspect report --help'");
    }
    const tasks::InterruptionGuard guard;
    tasks::ProgressReporter watch(progress, std::nullopt);
    const auto page = make(invocation.console, watch);
    watch.finish();
    ET_TRY(page);
    return fineAfter(deliver(invocation.console, output, tasks::producerOf(*page), input.files));
}

}  // namespace

const CommandFactory makeReportCommand = newCommand<ReportCommand>;

}  // namespace et::cli
