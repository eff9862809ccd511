#include "app/cli/commands/commands.h"
#include "app/cli/options/limit_options.h"
#include "app/cli/options/progress_options.h"
#include "app/cli/options/session_options.h"
#include "app/cli/output_options.h"
#include "app/cli/version.h"
#include "app/pages/history/site_page.h"
#include "app/pages/report/report_page.h"
#include "app/tasks/output_file.h"
#include "app/tasks/run/interruption.h"
#include "app/tasks/run/watch.h"
#include "app/tasks/session/session_tables.h"
#include "app/tasks/size/session_size.h"
#include "inspector/history/moment.h"
#include "inspector/history/trend.h"
#include "inspector/store/history_store.h"

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

/// Writes everything known about a session as one page.
class ReportVerb final : public Verb {
  public:
    [[nodiscard]] std::string_view name() const override { return "report"; }
    [[nodiscard]] std::string_view summary() const override {
        return "Write one self-contained HTML page: figures, findings, operators, timeline, memory, gap; or "
               "a site "
               "of trends";
    }
    [[nodiscard]] std::string details() const override {
        return "FILE is a session written by 'et-inspect session save', or programs, ETRecords, traces, "
               "debug buffers and bundled programs in any order. The page is one file that works offline: "
               "timeline and time by module zoom, the graph folds, tables sort and filter, and what is "
               "chosen or under the pointer is marked everywhere. Two traces are compared. It prints well, "
               "follows the viewer's light or dark theme, and without script still shows tables and "
               "pictures. What the files do not contain is left out. With --store, it is a site in a folder: "
               "the trends of all models that 'et-inspect import' put into the store, a page each, for a "
               "file server (docs/how_to/track_performance.md).";
    }
    [[nodiscard]] std::vector<Example> examples() const override {
        return {
            {"et-inspect report model.pte model.etrecord trace.etdp -o report.html", "Write a page to share"},
            {"et-inspect report model.pte trace.etdp --limits -o report.html",
             "Show what this machine could do, too"},
            {"et-inspect report session.db --top 1000 -o report.html",
             "Report on a session, with longer tables"},
            {"et-inspect report --store team.db -o site", "Write the trends of all models of a team"}};
    }
    void addOptions(OptionList& options) override;
    [[nodiscard]] Result<ExitCode> run(const Invocation& invocation) override;

  private:
    [[nodiscard]] Result<std::string> make(Console& console, Watch& watch);
    [[nodiscard]] Result<std::optional<PageMachine>> machineOf(const inspector::Session& session,
                                                               Console& console) const;
    [[nodiscard]] Result<> writeSite(Watch& watch);
    [[nodiscard]] Result<ExitCode> runSite(const Invocation& invocation);

    SessionInput input;
    bool withLimits = false;
    LimitOptions limits;
    std::size_t top = 200;
    std::string title;
    fs::path store;
    std::vector<std::string> by;
    std::string since;
    OutputOptions output;
    ProgressOptions progress;
};

void ReportVerb::addOptions(OptionList& options) {
    addSessionFiles(options, input);
    addJoinOptions(options, input);
    options.group("Limits of the machine");
    options.flag("--limits", withLimits,
                 "Show how far operators are from what the machine can do ('et-inspect machine'); --machine "
                 "implies it");
    addLimitOptions(options, limits);
    options.group("Trends");
    options.path("--store", store, "Write a site of the trends in this store to the folder of --output")
        .onlyWith("--output");
    options
        .text("--by", by,
              "Tags that tell devices apart, and commit to make one point of each (default: device,commit)")
        .separatedByCommas()
        .takes("TAG,...")
        .onlyWith("--store");
    options.text("--since", since, "Only what was measured from then on: 2026-11-25")
        .takes("DATE")
        .onlyWith("--store");
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
    const inspector::Session& session = *tables.opened.session;
    SessionSize size;
    std::optional<PageSizes> sizes;
    if (session.program != nullptr) {
        if (auto found = sessionSize(session)) {
            size = *std::move(found);
            for (inspector::SizedFile& file : size.map.files) {
                file.name = fs::path(file.name).filename().string();  // the reader does not need the folder
            }
            auto duplicates = inspector::repeatedContent(size.map).duplicates;
            sizes = {.map = std::move(size.map), .duplicates = std::move(duplicates)};
        } else {
            console.warn(fmt::format("no sizes: {}", found.error().toString()));
        }
    }
    ET_ASSIGN(const std::optional<PageMachine> machine, machineOf(session, console));
    return reportPage({.session = session,
                       .tables = *tables.database,
                       .title = title.empty() ? titleOf(input.files) : title,
                       .top = top,
                       .sizes = sizes ? &*sizes : nullptr,
                       .machine = machine ? &*machine : nullptr});
}

/// Returns nothing if limits were not requested or not measured.
Result<std::optional<PageMachine>> ReportVerb::machineOf(const inspector::Session& session,
                                                         Console& console) const {
    if (!withLimits && limits.machine.empty()) {
        return std::nullopt;
    }
    const auto warn = [&](const std::string& line) { console.warn(line); };
    ET_ASSIGN(auto machine, machineFor(limits, warn));
    if (!machine) {
        return std::nullopt;
    }
    ET_ASSIGN(auto events, sessionLimits(session, limits, warn));
    const std::size_t threads = limits.threads == 0 ? machine->mostThreads() : limits.threads;
    return PageMachine{.machine = *std::move(machine), .threads = threads, .events = std::move(events)};
}

/// The list is written last, because it links to the other pages.
Result<> ReportVerb::writeSite(Watch& watch) {
    using inspector::store::HistoryStore;
    inspector::TrendOptions options;
    if (!by.empty()) {
        options.history.by = by;
    }
    if (!since.empty()) {
        ET_ASSIGN(since, inspector::utcText(since));
    }
    ET_ASSIGN(const HistoryStore opened,
              HistoryStore::open(store, {.mode = inspector::store::OpenMode::Reading}));
    std::vector<std::string> models;
    ET_ASSIGN(const auto known, opened.models());
    for (const inspector::store::HistoryModel& each : known) {
        if (each.last >= since) {
            models.push_back(each.name);
        }
    }
    const std::vector<std::string> files = siteFiles(models);
    const fs::path folder = output.path;
    ET_TRY(makeFolder(folder));
    watch.begin("report", models.size());
    std::vector<SiteEntry> entries;
    for (std::size_t i = 0; i < models.size(); ++i) {
        if (InterruptionGuard::requested()) {
            return core::fail(ErrorCode::Cancelled, "ended early");
        }
        ET_ASSIGN(const inspector::MeasuredModel measured, opened.load(models[i], since));
        ET_ASSIGN(const inspector::Trend trend, findTrend(measured, options));
        const std::string page = sitePage(trend);
        ET_TRY(writeFile(folder / files[i], producerOf(page)));
        entries.push_back(siteEntry(trend, files[i]));
        watch.step();
    }
    const std::string index = siteIndex(entries);
    return writeFile(folder / "index.html", producerOf(index));
}

Result<ExitCode> ReportVerb::runSite(const Invocation& invocation) {
    if (!input.files.empty()) {
        return core::fail(ErrorCode::InvalidArgument, "report: expected files or --store, got both");
    }
    const InterruptionGuard guard;
    Watch watch(progress, std::nullopt);
    const auto written = writeSite(watch);
    watch.finish();
    ET_TRY(written);
    return ExitCode::Fine;
}

Result<ExitCode> ReportVerb::run(const Invocation& invocation) {
    if (!store.empty()) {
        return runSite(invocation);
    }
    if (input.files.empty()) {
        return core::fail(ErrorCode::InvalidArgument, "report: expected files, or a store (--store)");
    }
    const InterruptionGuard guard;
    Watch watch(progress, std::nullopt);
    const auto page = make(invocation.console, watch);
    watch.finish();
    ET_TRY(page);
    ET_TRY(deliver(invocation.console, output, producerOf(*page), input.files));
    return ExitCode::Fine;
}

}  // namespace

std::unique_ptr<Verb> makeReportVerb() {
    return std::make_unique<ReportVerb>();
}

}  // namespace et::app
