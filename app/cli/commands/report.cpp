#include "app/cli/commands/commands.h"
#include "app/cli/option_types.h"
#include "app/cli/options/progress_options.h"
#include "app/cli/output_options.h"
#include "app/cli/session/session_input.h"
#include "app/cli/version.h"
#include "app/pages/report/report_page.h"
#include "app/tasks/run/interruption.h"
#include "app/tasks/run/watch.h"
#include "backends/builtin.h"

#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <filesystem>
#include <memory>
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
using inspector::store::Database;

/// Puts what there is to say of a session on one page.
class ReportVerb final : public Verb {
  public:
    [[nodiscard]] std::string_view name() const override { return "report"; }
    [[nodiscard]] std::string_view summary() const override {
        return "Write one self-contained HTML page: figures, findings, operators, timeline, memory, gap";
    }
    [[nodiscard]] std::string details() const override {
        return "FILE is a session that 'et-inspect session save' wrote, or programs, records, traces, debug "
               "buffers "
               "and bundled programs in any order. The page needs no network, prints well and is light or "
               "dark as "
               "its viewer is; headings of tables sort them. What the files do not tell is left out.";
    }
    [[nodiscard]] std::vector<Example> examples() const override {
        return {
            {"et-inspect report model.pte model.etrecord trace.etdp -o report.html", "A page to send around"},
            {"et-inspect report session.db --top 1000 -o report.html", "Of a session, with longer tables"}};
    }
    void addOptions(CLI::App& app) override;
    [[nodiscard]] Result<ExitCode> run(const Invocation& invocation) override;

  private:
    [[nodiscard]] Result<std::string> make(Console& console, Watch& watch);

    SessionInput input;
    std::size_t top = 200;
    std::string title;
    OutputOptions output;
    ProgressOptions progress;
};

void ReportVerb::addOptions(CLI::App& app) {
    app.option_defaults()->group("Input");
    app.add_option("FILE", input.files, "Session, or files of any mix that belong together")
        ->type_name(fileValue)
        ->required();
    addJoinOptions(app, input);
    app.option_defaults()->group("Output");
    app.add_option("--title", title, "Heading of the page (default: the names of the files)")
        ->type_name("TEXT");
    restrictToWhole(app.add_option("--top", top, "Rows of long tables (default: 200)"), 1);
    addOutputFile(app, output);
    addProgressOptions(app, progress);
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
    ET_ASSIGN(const auto store, findStore(input.files));
    ET_ASSIGN(const auto session, openInput(input, store, console));
    std::shared_ptr<Database> tables;
    if (store) {
        tables = store->database();
    } else {
        ET_ASSIGN(tables, inspector::store::sessionDatabase(*session,
                                                            {.backends = backends::describable(),
                                                             .writer = fmt::format("et-inspect {}", version),
                                                             .cancel = &InterruptionGuard::requested()}));
    }
    watch.begin("report", 1);
    tables->allowReadingOnly();
    tables->cancelWhen([] { return InterruptionGuard::requested().load(); });
    return reportPage({.session = *session,
                       .tables = *tables,
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

}  // namespace et::cli
