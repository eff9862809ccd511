#include "app/cli/actions.h"
#include "app/cli/commands/commands.h"
#include "app/cli/compare/sides.h"
#include "app/cli/option_types.h"
#include "app/cli/options/measure_options.h"
#include "app/cli/options/model_options.h"
#include "app/cli/options/progress_options.h"
#include "app/cli/output_options.h"
#include "app/pages/baseline/baseline_text.h"
#include "app/tasks/compare/measured_program.h"
#include "app/tasks/run/interruption.h"
#include "inspector/session/artifact.h"
#include "inspector/store/baseline_store.h"

#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <array>
#include <filesystem>
#include <memory>
#include <span>
#include <string>
#include <system_error>
#include <utility>
#include <vector>

namespace et::cli {
namespace {

namespace fs = std::filesystem;
using core::ErrorCode;
using core::fail;
using core::Result;
using inspector::Measurement;
using inspector::store::BaselineStore;
using inspector::store::OpenMode;

enum class BaselineFormat : std::uint8_t { Table, Json };
constexpr std::array formats{Word{"table", BaselineFormat::Table}, Word{"json", BaselineFormat::Json}};

/// Keeps what was measured under a name, to compare with later.
class BaselineVerb final : public Verb {
  public:
    [[nodiscard]] std::string_view name() const override { return "baseline"; }
    [[nodiscard]] std::string_view summary() const override {
        return "Keep measurements under names, to compare with later";
    }
    [[nodiscard]] std::string details() const override {
        return "save runs a program (as 'et-inspect compare' does) or reads a trace, and keeps machine, "
               "settings, "
               "each time of each operator, and what the outputs were. The store is one SQLite file, whose "
               "tables docs/store.md describes. A process that dies while it saves loses no earlier "
               "baseline.";
    }
    [[nodiscard]] std::vector<Glossary> glossaries() const override;
    [[nodiscard]] std::vector<Example> examples() const override {
        return {{"et-inspect baseline save release model.pte", "Run a program and keep what it took"},
                {"et-inspect baseline save nightly trace.etdp model.etrecord --replace",
                 "A trace, with the record that links its operators to the graph"},
                {"et-inspect compare release model.pte", "Whether it is slower now"}};
    }
    void addOptions(CLI::App& app) override;
    [[nodiscard]] Result<ExitCode> run(const Invocation& invocation) override;

  private:
    static std::span<const Action<BaselineVerb>> actions();

    [[nodiscard]] Result<ExitCode> save(const Invocation& invocation);
    [[nodiscard]] Result<ExitCode> list(const Invocation& invocation);
    [[nodiscard]] Result<ExitCode> show(const Invocation& invocation);
    [[nodiscard]] Result<ExitCode> remove(const Invocation& invocation);

    [[nodiscard]] Result<BaselineStore> openStore(OpenMode mode) const;
    [[nodiscard]] Result<Side> sideToSave() const;
    [[nodiscard]] Result<Measurement> measureSide(const Side& side);
    [[nodiscard]] Result<> print(const Invocation& invocation, const std::string& text) const;

    std::string action;
    std::vector<std::string> arguments;
    StoreOptions store;
    bool replace = false;
    ModelOptions model;
    MeasureOptions measure;
    inspector::TimeScale scale = inspector::TimeScale::Nanoseconds;
    BaselineFormat format = BaselineFormat::Table;
    OutputOptions output;
    ProgressOptions progress;
};

std::span<const Action<BaselineVerb>> BaselineVerb::actions() {
    static constexpr std::array table{
        Action<BaselineVerb>{"save", "NAME FILE [ETRECORD]: measure a program or read a trace, and keep it",
                             2, 3, "a name, a program or trace, and perhaps its record", &BaselineVerb::save},
        Action<BaselineVerb>{"list", "what there is", 0, 0, "nothing behind it", &BaselineVerb::list},
        Action<BaselineVerb>{"show", "NAME: what a baseline holds", 1, 1, "one name", &BaselineVerb::show},
        Action<BaselineVerb>{"rm", "NAME: forget a baseline", 1, 1, "one name", &BaselineVerb::remove},
    };
    return table;
}

std::vector<Glossary> BaselineVerb::glossaries() const {
    return {actionGlossary(actions())};
}

void BaselineVerb::addOptions(CLI::App& app) {
    addActionArgument(app, actions(), action);
    app.add_option("ARGUMENT", arguments, "Name of a baseline, and files to measure")->type_name("ARG");
    app.option_defaults()->group("Store");
    addStoreOption(app, store);
    app.add_flag("--replace", replace, "Save over a baseline of the same name");
    app.option_defaults()->group("Measuring");
    addChoice(app, "--source-time-scale", scale, timeScaleWords,
              "Unit of the clock of a trace (default: ns)");
    addMeasureOptions(app, measure);
    addModelOptions(app, model);
    app.option_defaults()->group("Output");
    addChoice(app, "--format", format, formats, "How list and show print (default: table)");
    addOutputOptions(app, output);
    addProgressOptions(app, progress);
}

Result<ExitCode> BaselineVerb::run(const Invocation& invocation) {
    return runAction(*this, actions(), action, arguments.size(), invocation);
}

Result<BaselineStore> BaselineVerb::openStore(OpenMode mode) const {
    ET_ASSIGN(const fs::path path, store.file());
    return BaselineStore::open(path, {.mode = mode});
}

/// The program or trace among the files, with the record if there is one.
Result<Side> BaselineVerb::sideToSave() const {
    std::vector<std::string> files(arguments.begin() + 1, arguments.end());
    fs::path record;
    for (const std::string& each : files) {
        ET_ASSIGN(const auto file, core::MappedFile::open(each));
        if (inspector::detectArtifact(file->bytes()) == inspector::ArtifactKind::Record) {
            record = each;
        }
    }
    std::erase(files, record.string());
    if (files.size() != 1) {
        return fail(ErrorCode::InvalidArgument,
                    fmt::format("baseline save: expected one program or trace, got {}", files.size()));
    }
    ET_ASSIGN(Side side, findSide(files.front()));
    side.record = std::move(record);
    return side;
}

Result<Measurement> BaselineVerb::measureSide(const Side& side) {
    if (side.kind == SideKind::Trace) {
        return openTrace(side, scale, model.method);
    }
    const ProgramToMeasure program{.file = side.word, .record = side.record};
    ET_ASSIGN(std::vector<MeasuredProgram> measured,
              measurePrograms(std::span(&program, 1), model, measure, progress));
    return std::move(measured.front().measurement);
}

Result<ExitCode> BaselineVerb::save(const Invocation& invocation) {
    const InterruptionGuard guard;
    ET_ASSIGN(const Side side, sideToSave());
    auto measured = measureSide(side);
    const InterruptionInfo& end = infoOf(InterruptionGuard::cause());
    if (end.cause != Interruption::None) {
        invocation.console.complain(fmt::format("{}: nothing was saved", end.message));
        return end.code;
    }
    ET_TRY(measured);
    for (const std::string& warning : measured->warnings) {
        invocation.console.warn(warning);
    }
    ET_ASSIGN(BaselineStore opened, openStore(OpenMode::Create));
    ET_TRY(opened.save(arguments.front(), *measured,
                       replace ? inspector::store::Existing::Replace : inspector::store::Existing::Keep));
    return ExitCode::Fine;
}

Result<> BaselineVerb::print(const Invocation& invocation, const std::string& text) const {
    ET_ASSIGN(const fs::path path, store.file());
    return deliver(invocation.console, output, producerOf(text), {path});
}

Result<ExitCode> BaselineVerb::list(const Invocation& invocation) {
    std::vector<inspector::store::BaselineEntry> entries;
    ET_ASSIGN(const fs::path path, store.file());
    std::error_code unknown;
    if (fs::exists(path, unknown)) {
        ET_ASSIGN(const BaselineStore opened, openStore(OpenMode::Existing));
        ET_ASSIGN(entries, opened.list());
    }
    ET_TRY(print(invocation, format == BaselineFormat::Json
                                 ? baselineListJson(entries)
                                 : baselineTable(entries, output.style(invocation.console))));
    return ExitCode::Fine;
}

Result<ExitCode> BaselineVerb::show(const Invocation& invocation) {
    ET_ASSIGN(const BaselineStore opened, openStore(OpenMode::Existing));
    ET_ASSIGN(const Measurement baseline, opened.load(arguments.front()));
    ET_TRY(print(invocation, format == BaselineFormat::Json
                                 ? baselineJson(baseline)
                                 : baselineText(baseline, output.style(invocation.console))));
    return ExitCode::Fine;
}

Result<ExitCode> BaselineVerb::remove(const Invocation&) {
    ET_ASSIGN(BaselineStore opened, openStore(OpenMode::Existing));
    ET_TRY(opened.remove(arguments.front()));
    return ExitCode::Fine;
}

}  // namespace

std::unique_ptr<Verb> makeBaselineVerb() {
    return std::make_unique<BaselineVerb>();
}

}  // namespace et::cli
