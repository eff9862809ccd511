#include "app/cli/commands/commands.h"
#include "app/cli/interruption_report.h"
#include "app/cli/output_options.h"
#include "app/output/trend/import_text.h"
#include "app/tasks/base/file_options.h"
#include "app/tasks/base/interruption.h"
#include "app/tasks/base/progress_reporter.h"
#include "app/tasks/compare/sides.h"
#include "app/tasks/trend/import_files.h"
#include "inspector/trend/moment.h"

#include <optional>
#include <string>
#include <vector>

namespace et::cli {
namespace {

using core::ErrorCode;
using core::Result;

/// Imports measurements from devices and CI jobs into the store.
class ImportCommand final : public Command {
  public:
    ImportCommand()
        : Command("import",
                  "Import traces, benchmarks and sessions of many devices into a store, for trend") {}

    [[nodiscard]] std::string details() const override {
        return "FILE is a trace (.etdp), output of 'et-inspect bench --format json', a session, or a text "
               "with the PyTorchObserver lines of ExecuTorch's LLM runner, distinguished by content. "
               "Importing a file again has no effect: files are identified by content. Unreadable files are "
               "listed on stderr and skipped. The model is named after the file of the program or trace "
               "unless --model is given. See docs/how_to/track_performance.md. Exit codes: 0, all files are "
               "in the store; 3, none of them, or the store cannot be written; 5, some cannot be read.";
    }
    [[nodiscard]] std::vector<Example> examples() const override {
        return {{"et-inspect import run.etdp --store team.db --model mobilenet --tag device=pixel8 --commit "
                 "4f2a91c",
                 "Import a trace from a phone"},
                {"et-inspect bench model.pte --format json | et-inspect import - --store team.db --commit "
                 "4f2a91c",
                 "Import a benchmark of this machine"}};
    }
    void addOptions(OptionList& options) override;
    [[nodiscard]] Result<tasks::ExitCode> run(const Invocation& invocation) override;

  private:
    tasks::ImportSettings settings;
    std::vector<std::string> tags;
    std::string date;
    OutputFormat format = OutputFormat::Text;
    OutputOptions output;
    tasks::ProgressOptions progress;
};

void ImportCommand::addOptions(OptionList& options) {
    options
        .file("FILE", settings.files,
              "Traces, JSON of 'et-inspect bench', sessions, and runner output; '-' is stdin")
        .mustBeGiven();
    options.group("Store");
    addStoreOption(options, settings.store);
    options.text("--model NAME", settings.labels.model, "Name of the model (default: the file name)");
    options.text("--tag NAME=VALUE", tags, "Tag, for example device=pixel8 (repeatable)");
    options.text("--commit SHA", settings.labels.commit, "Measured commit");
    options.text("--date DATE", date,
                 "Time of the measurement: 2026-11-25, or as printed by git's %cI (default: the modification "
                 "time of each file)");
    tasks::addTraceClock(options, settings.labels.clock);
    options.group("Output");
    addFormat(options, format, {OutputFormat::Text, OutputFormat::Json});
    addOutputFile(options, output);
    addProgressOptions(options, progress);
}

Result<tasks::ExitCode> ImportCommand::run(const Invocation& invocation) {
    ET_ASSIGN(settings.labels.tags, tasks::readTags(tags));
    if (!date.empty()) {
        ET_ASSIGN(settings.labels.measured, inspector::utcText(date));
    }
    ET_ASSIGN(settings.store, tasks::baselineFile(settings.store));
    const tasks::InterruptionGuard guard;
    tasks::ProgressReporter watch(progress, std::nullopt);
    const auto outcome = tasks::importFiles(
        settings, watch, [&](const core::Error& error) { invocation.console.complain(error.toString()); });
    watch.finish();
    if (!outcome && outcome.error().code == ErrorCode::Cancelled) {
        return reportInterruption(invocation.console, "the rest was not imported");
    }
    ET_TRY(outcome);
    const std::string text =
        format == OutputFormat::Json ? output::importJson(*outcome) : output::importText(*outcome);
    ET_TRY(deliver(invocation.console, output, tasks::producerOf(text), settings.files));
    if (outcome->broken == 0) {
        return tasks::ExitCode::Fine;
    }
    return outcome->broken == settings.files.size() ? tasks::ExitCode::Unreadable
                                                    : tasks::ExitCode::Incomplete;
}

}  // namespace

const CommandFactory makeImportCommand = newCommand<ImportCommand>;

}  // namespace et::cli
