#include "app/cli/commands/commands.h"
#include "app/cli/option_types.h"
#include "app/cli/options/model_options.h"
#include "app/cli/options/progress_options.h"
#include "app/cli/options/verify_options.h"
#include "app/cli/output_options.h"
#include "app/pages/verify/report_github.h"
#include "app/pages/verify/report_junit.h"
#include "app/pages/verify/report_table.h"
#include "app/pages/verify/summary.h"
#include "app/tasks/output_file.h"
#include "app/tasks/run/interruption.h"
#include "app/tasks/run/watch.h"
#include "app/tasks/verify/bundle_files.h"
#include "app/tasks/verify/report_json.h"
#include "app/tasks/verify/tolerance_file.h"
#include "app/tasks/verify/verify_files.h"

#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <array>
#include <filesystem>
#include <memory>
#include <span>
#include <string>
#include <thread>
#include <utility>
#include <vector>

namespace et::cli {
namespace {

namespace fs = std::filesystem;
using bundled_program::FileReport;
using core::Result;

enum class VerifyFormat : std::uint8_t { Table, Json, GitHub };
constexpr std::array formats{Word{"table", VerifyFormat::Table}, Word{"json", VerifyFormat::Json},
                             Word{"github", VerifyFormat::GitHub}};

/// Runs the cases of bundled programs and compares their outputs with those to expect.
class VerifyVerb final : public Verb {
  public:
    [[nodiscard]] std::string_view name() const override { return "verify"; }
    [[nodiscard]] std::string_view summary() const override {
        return "Run the cases of bundled programs and check their outputs";
    }
    [[nodiscard]] std::string details() const override;
    [[nodiscard]] std::vector<Glossary> glossaries() const override;
    [[nodiscard]] std::vector<Example> examples() const override;
    void addOptions(CLI::App& app) override;
    [[nodiscard]] Result<ExitCode> run(const Invocation& invocation) override;

  private:
    [[nodiscard]] std::vector<FileReport> verifyAll(std::span<const fs::path> files,
                                                    const SettingsOf& settingsOf,
                                                    Interruption& interrupted) const;
    [[nodiscard]] Result<SettingsOf> settingsOf() const;
    [[nodiscard]] std::string render(std::span<const FileReport> reports, const Console& console) const;

    std::vector<fs::path> paths;
    VerifySettings settings;
    std::size_t jobs = 0;
    bool inProcess = false;
    bool all = false;
    VerifyFormat format = VerifyFormat::Table;
    fs::path junit;
    OutputOptions output;
    ProgressOptions progress;
};

std::string VerifyVerb::details() const {
    return "Each file runs in a process of its own: one that crashes or hangs is an error of that file, and "
           "the "
           "others go on. Two floating numbers agree when |given - expected| <= atol + rtol * |expected|; a "
           "NaN "
           "agrees with a NaN, an infinity with the same infinity; whole numbers and bools have to be equal, "
           "and "
           "so have dtypes and sizes. A file fails when one of its outputs does not agree, and is an error "
           "when "
           "it cannot be read or run: an input that does not fit, an operator or a backend that is missing. "
           "With --method and --case, the cases before run too, without a report, because a program may keep "
           "state "
           "from one to the next. Without --data, tensor data files (.ptd) in the folder of a program are "
           "taken "
           "where they hold what the program names and lacks; the report says so. Tolerances: what "
           "--tolerances says "
           "of a file comes before the defaults, --rtol and --atol before both, and a number for one dtype "
           "before "
           "one for all. Exit codes: 0, all pass; 1, one fails; 3, one is an error.";
}

std::vector<Glossary> VerifyVerb::glossaries() const {
    Glossary glossary{.title = "Columns", .terms = {}};
    for (const VerifyColumn& column : verifyColumns()) {
        if (*column.meaning != '\0') {
            glossary.terms.push_back({column.header, column.meaning});
        }
    }
    return {glossary};
}

std::vector<Example> VerifyVerb::examples() const {
    return {{"et-inspect verify model.bpte", "Whether a model still gives what it gave when it was exported"},
            {"et-inspect verify tests --junit report.xml --save-failures failed",
             "All bundled programs below a folder, for a CI server"},
            {"et-inspect verify tests --tolerances tests/tolerances.json",
             "With tolerances of single files: [{\"file\": \"llama_*.bpte\", \"atol\": 1e-2}]"},
            {"et-inspect verify model.bpte --rtol 1e-4 --atol 1e-5 --rtol float16=1e-2", "Other tolerances"}};
}

void VerifyVerb::addOptions(CLI::App& app) {
    app.add_option("FILE", paths, "Bundled programs (.bpte), or folders with such files in them and below")
        ->type_name(fileValue)
        ->required();
    addVerifyOptions(app, settings);
    addTimeout(app, settings.model, "End the process of a file after so many seconds, which is an error");
    app.option_defaults()->group("Processes");
    restrictToWhole(app.add_option("-j,--jobs", jobs, "Processes at a time; 0: one a processor (default: 0)"),
                    0);
    app.add_flag("--in-process", inProcess,
                 "Run all files in this process, one after the other: faster, but a crash ends it");
    app.option_defaults()->group("Output");
    addChoice(app, "--format", format, formats,
              "How to print; github: annotations of GitHub Actions (default: table)");
    app.add_flag("--all", all, "Outputs that agree too, not only with a single file");
    app.add_option("--junit", junit, "Write a report for CI servers to this file, as JUnit's XML")
        ->type_name(fileValue);
    app.add_option(
           "--save-failures", settings.failures,
           "Save what does not pass below this folder: inputs, expected and actual outputs as .npy, and "
           "the command that runs it again")
        ->type_name(folderValue);
    app.add_flag("--save-all", settings.saveAll, "Save what passes, too; of several iterations, the last one")
        ->needs("--save-failures");
    addOutputOptions(app, output);
    addProgressOptions(app, progress);
}

Result<SettingsOf> VerifyVerb::settingsOf() const {
    if (settings.toleranceFile.empty()) {
        return [this](const fs::path&) { return Result<VerifySettings>(settings); };
    }
    ET_ASSIGN(ToleranceFile read, ToleranceFile::open(settings.toleranceFile));
    const auto tolerances = std::make_shared<const ToleranceFile>(std::move(read));
    return [this, tolerances](const fs::path& file) { return tolerances->settingsFor(file, settings); };
}

std::vector<FileReport> VerifyVerb::verifyAll(std::span<const fs::path> files, const SettingsOf& settingsOf,
                                              Interruption& interrupted) const {
    Watch watch(progress, {});
    watch.begin("verify", files.size());
    if (inProcess) {
        return verifyHere(files, settingsOf, watch, interrupted);
    }
    const InterruptionGuard guard;
    const std::size_t processors = std::max(1U, std::thread::hardware_concurrency());
    std::vector<FileReport> reports = verifyApart(files, settingsOf, jobs == 0 ? processors : jobs, watch);
    interrupted = InterruptionGuard::cause();
    return reports;
}

std::string VerifyVerb::render(std::span<const FileReport> reports, const Console& console) const {
    switch (format) {
        case VerifyFormat::Json:
            return verifyJson(reports);
        case VerifyFormat::GitHub:
            return githubAnnotations(reports);
        case VerifyFormat::Table:
            break;
    }
    return verifyTable(reports, all || reports.size() == 1, output.style(console));
}

Result<ExitCode> VerifyVerb::run(const Invocation& invocation) {
    ET_ASSIGN(settings.cases.tolerances, tolerancesOf(settings));
    ET_ASSIGN(const SettingsOf eachFile, settingsOf());
    const std::vector<fs::path> files = bundleFiles(paths);
    if (!junit.empty()) {
        ET_TRY(refuseToReplace(junit, files));
    }
    Interruption interrupted = Interruption::None;
    const std::vector<FileReport> reports = verifyAll(files, eachFile, interrupted);
    if (!junit.empty()) {
        ET_TRY(writeFile(junit, producerOf(junitXml(reports))));
    }
    const std::string text = render(reports, invocation.console);
    ET_TRY(deliver(invocation.console, output, producerOf(text), files));
    if (interrupted != Interruption::None) {
        const InterruptionInfo& end = infoOf(interrupted);
        invocation.console.complain(
            fmt::format("{} after {} of {} files", end.message, reports.size(), files.size()));
        return end.code;
    }
    return exitCodeOf(reports);
}

}  // namespace

std::unique_ptr<Verb> makeVerifyVerb() {
    return std::make_unique<VerifyVerb>();
}

}  // namespace et::cli
