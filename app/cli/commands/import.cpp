#include "app/cli/commands/commands.h"
#include "app/cli/interruption_report.h"
#include "app/cli/options/progress_options.h"
#include "app/cli/options/store_options.h"
#include "app/cli/output_options.h"
#include "app/pages/history/import_text.h"
#include "app/tasks/compare/sides.h"
#include "app/tasks/history/import_files.h"
#include "app/tasks/run/interruption.h"
#include "app/tasks/run/watch.h"
#include "inspector/history/moment.h"

#include <array>
#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace et::app {
namespace {

using core::ErrorCode;
using core::Result;

enum class ImportFormat : std::uint8_t { Text, Json };
constexpr std::array importFormats{Choice{"text", ImportFormat::Text}, Choice{"json", ImportFormat::Json}};

/// Imports measurements from devices and CI jobs into the store.
class ImportVerb final : public Verb {
  public:
    [[nodiscard]] std::string_view name() const override { return "import"; }
    [[nodiscard]] std::string_view summary() const override {
        return "Put traces, benchmarks and sessions of many devices into a store, for trend";
    }
    [[nodiscard]] std::string details() const override {
        return "FILE is a trace (.etdp), what 'et-inspect bench --format json' printed, a session, or a text "
               "with the PyTorchObserver lines of ExecuTorch's LLM runner; they are told apart by content. A "
               "file is in the store once, by its content: importing it again changes nothing. A file that "
               "cannot be read is named on stderr and left out. The model is named by the file of the "
               "program, or of the trace, unless --model names it. See docs/how_to/track_performance.md. "
               "Exit codes: 0, all files are in the store; 3, none of them, or the store cannot be written; "
               "5, some cannot be read.";
    }
    [[nodiscard]] std::vector<Example> examples() const override {
        return {{"et-inspect import run.etdp --store team.db --model mobilenet --tag device=pixel8 --commit "
                 "4f2a91c",
                 "Keep a trace that came from a phone"},
                {"et-inspect bench model.pte --format json | et-inspect import - --store team.db --commit "
                 "4f2a91c",
                 "Keep a benchmark of this machine"}};
    }
    void addOptions(OptionList& options) override;
    [[nodiscard]] Result<ExitCode> run(const Invocation& invocation) override;

  private:
    ImportSettings settings;
    std::vector<std::string> tags;
    std::string date;
    ImportFormat format = ImportFormat::Text;
    OutputOptions output;
    ProgressOptions progress;
};

void ImportVerb::addOptions(OptionList& options) {
    options
        .file("FILE", settings.files,
              "Traces, JSON of 'et-inspect bench', sessions, and output of a runner; '-' is stdin")
        .mustBeGiven();
    options.group("Store");
    addStoreOption(options, settings.store);
    options.text("--model", settings.labels.model, "Name of the model (default: that of the file)")
        .takes("NAME");
    options.text("--tag", tags, "Label, as in device=pixel8 (repeatable)").takes("NAME=VALUE");
    options.text("--commit", settings.labels.commit, "Commit that was measured").takes("SHA");
    options
        .text("--date", date,
              "When it was measured: 2026-11-25, or as git's %cI prints it (default: when each file was last "
              "written)")
        .takes("DATE");
    options.choice("--source-time-scale", settings.labels.scale, timeScaleChoices,
                   "Time unit of the traces (default: ns)");
    options.group("Output");
    options.choice("--format", format, importFormats, "Output format (default: text)");
    addOutputFile(options, output);
    addProgressOptions(options, progress);
}

Result<ExitCode> ImportVerb::run(const Invocation& invocation) {
    ET_ASSIGN(settings.labels.tags, readTags(tags));
    if (!date.empty()) {
        ET_ASSIGN(settings.labels.measured, inspector::utcText(date));
    }
    ET_ASSIGN(settings.store, baselineFile(settings.store));
    const InterruptionGuard guard;
    Watch watch(progress, std::nullopt);
    const auto outcome = importFiles(
        settings, watch, [&](const core::Error& error) { invocation.console.complain(error.toString()); });
    watch.finish();
    if (!outcome && outcome.error().code == ErrorCode::Cancelled) {
        return reportInterruption(invocation.console, "the rest was not imported");
    }
    ET_TRY(outcome);
    const std::string text = format == ImportFormat::Json ? importJson(*outcome) : importText(*outcome);
    ET_TRY(deliver(invocation.console, output, producerOf(text), settings.files));
    if (outcome->broken == 0) {
        return ExitCode::Fine;
    }
    return outcome->broken == settings.files.size() ? ExitCode::Unreadable : ExitCode::Incomplete;
}

}  // namespace

std::unique_ptr<Verb> makeImportVerb() {
    return std::make_unique<ImportVerb>();
}

}  // namespace et::app
