#include "app/cli/actions.h"
#include "app/cli/commands/commands.h"
#include "app/cli/interruption_report.h"
#include "app/cli/options/model_options.h"
#include "app/cli/output_options.h"
#include "app/output/baseline/baseline_text.h"
#include "app/tasks/base/file_options.h"
#include "app/tasks/base/interruption.h"
#include "app/tasks/base/progress_reporter.h"
#include "app/tasks/compare/baseline_save.h"
#include "app/tasks/compare/measured_program.h"
#include "app/tasks/compare/sides.h"
#include "inspector/store/baseline_store.h"
#include "inspector/store/store_location.h"

#include <array>
#include <cstddef>
#include <filesystem>
#include <span>
#include <string>
#include <system_error>
#include <utility>
#include <vector>

namespace et::cli {
namespace {

namespace fs = std::filesystem;
using core::ErrorCode;
using core::Result;
using inspector::Measurement;
using inspector::store::BaselineStore;
using inspector::store::OpenMode;

/// Stores measurements under a name for later comparisons.
class BaselineCommand final : public Command {
  public:
    BaselineCommand() : Command("baseline", "Save measurements under a name for later comparison") {}

    [[nodiscard]] std::string details() const override {
        return "save runs a program (as 'et-inspect compare' does) or reads a trace, and stores the machine, "
               "the settings, all operator times and a summary of the outputs. The store is an SQLite file "
               "or a PostgreSQL database; docs/reference/store.md describes its tables.";
    }
    [[nodiscard]] std::vector<Glossary> glossaries() const override;
    [[nodiscard]] std::vector<Example> examples() const override {
        return {{"et-inspect baseline save release model.pte", "Run a program and save its times"},
                {"et-inspect baseline save nightly trace.etdp model.etrecord --replace",
                 "Save a trace, with the ETRecord that links operators to the graph"},
                {"et-inspect compare release model.pte", "Check whether it is slower now"}};
    }
    void addOptions(OptionList& options) override;
    [[nodiscard]] Result<tasks::ExitCode> run(const Invocation& invocation) override;

  private:
    static std::span<const Action<BaselineCommand>> actions();

    [[nodiscard]] Result<tasks::ExitCode> save(const Invocation& invocation);
    [[nodiscard]] Result<tasks::ExitCode> list(const Invocation& invocation);
    [[nodiscard]] Result<tasks::ExitCode> show(const Invocation& invocation);
    [[nodiscard]] Result<tasks::ExitCode> remove(const Invocation& invocation);

    [[nodiscard]] Result<BaselineStore> openStore(OpenMode mode) const;
    [[nodiscard]] Result<> print(const Invocation& invocation, const std::string& text) const;

    std::string action;
    tasks::BaselineSettings settings;
    bool replace = false;
    OutputFormat format = OutputFormat::Table;
    OutputOptions output;
    tasks::ProgressOptions progress;
};

std::span<const Action<BaselineCommand>> BaselineCommand::actions() {
    static constexpr std::array table{
        Action<BaselineCommand>{
            "save", "NAME FILE [ETRECORD]: measure a program or read a trace, and save it", 2, 3,
            "a name, a program or trace, and optionally its ETRecord", &BaselineCommand::save},
        Action<BaselineCommand>{"list", "list all baselines", 0, 0, "no arguments", &BaselineCommand::list},
        Action<BaselineCommand>{"show", "NAME: show a baseline", 1, 1, "one name", &BaselineCommand::show},
        Action<BaselineCommand>{"rm", "NAME: delete a baseline", 1, 1, "one name", &BaselineCommand::remove},
    };
    return table;
}

std::vector<Glossary> BaselineCommand::glossaries() const {
    return {actionGlossary(actions())};
}

void BaselineCommand::addOptions(OptionList& options) {
    addActionArgument(options, actions(), action);
    options.text("NAME", settings.name, "Name of the baseline");
    options
        .file("FILE", settings.files,
              "Program or trace to measure or read, and optionally its ETRecord, in any order")
        .takesFiles({SessionFile::Trace, SessionFile::Bundle, SessionFile::Program});
    addRecordFile(options, "--etrecord", settings.record,
                  "ETRecord of the program or trace, if not among the files");
    options.group("Store");
    addStoreOption(options, settings.store);
    options.flag("--replace", replace, "Replace a baseline of the same name");
    options.group("Measuring");
    tasks::addTraceClock(options, settings.clock);
    addMeasureOptions(options, settings.measure);
    addModelOptions(options, settings.model);
    addCase(options, settings.model);
    addSandbox(options, settings.model);
    options.group("Output");
    addFormat(options, format, {OutputFormat::Table, OutputFormat::Json}, "Output format of list and show");
    addOutputOptions(options, output);
    addProgressOptions(options, progress);
}

Result<tasks::ExitCode> BaselineCommand::run(const Invocation& invocation) {
    const std::size_t arguments = settings.files.size() + (settings.name.empty() ? 0 : 1);
    return runAction(*this, actions(), action, arguments, invocation);
}

Result<BaselineStore> BaselineCommand::openStore(OpenMode mode) const {
    ET_ASSIGN(const fs::path path, tasks::baselineFile(settings.store));
    return BaselineStore::open(path, {.mode = mode});
}

Result<tasks::ExitCode> BaselineCommand::save(const Invocation& invocation) {
    settings.existing = replace ? inspector::store::Existing::Replace : inspector::store::Existing::Keep;
    const tasks::InterruptionGuard guard;
    const auto warnings = tasks::saveBaseline(settings, progress);
    if (!warnings && warnings.error().code == ErrorCode::Cancelled) {
        return reportInterruption(invocation.console, "nothing was saved");
    }
    ET_TRY(warnings);
    invocation.console.warnAll(*warnings);
    return tasks::ExitCode::Fine;
}

Result<> BaselineCommand::print(const Invocation& invocation, const std::string& text) const {
    ET_ASSIGN(const fs::path path, tasks::baselineFile(settings.store));
    return deliver(invocation.console, output, tasks::producerOf(text), {path});
}

Result<tasks::ExitCode> BaselineCommand::list(const Invocation& invocation) {
    std::vector<inspector::store::BaselineEntry> entries;
    ET_ASSIGN(const fs::path path, tasks::baselineFile(settings.store));
    if (!inspector::store::isMissing(path)) {
        ET_ASSIGN(const BaselineStore opened, openStore(OpenMode::Reading));
        ET_ASSIGN(entries, opened.list());
    }
    return fineAfter(
        print(invocation, format == OutputFormat::Json
                              ? output::baselineListJson(entries)
                              : output::baselineTable(entries, output.style(invocation.console))));
}

Result<tasks::ExitCode> BaselineCommand::show(const Invocation& invocation) {
    ET_ASSIGN(const BaselineStore opened, openStore(OpenMode::Reading));
    ET_ASSIGN(const Measurement baseline, opened.load(settings.name));
    return fineAfter(
        print(invocation, format == OutputFormat::Json
                              ? output::baselineJson(baseline)
                              : output::baselineText(baseline, output.style(invocation.console))));
}

Result<tasks::ExitCode> BaselineCommand::remove(const Invocation&) {
    ET_ASSIGN(BaselineStore opened, openStore(OpenMode::Existing));
    return fineAfter(opened.remove(settings.name));
}

}  // namespace

const CommandFactory makeBaselineCommand = newCommand<BaselineCommand>;

}  // namespace et::cli
