#include "app/cli/commands/commands.h"
#include "app/cli/commands/gradient_verification.h"
#include "app/cli/interruption_report.h"
#include "app/cli/options/model_options.h"
#include "app/cli/output_options.h"
#include "app/output/generate/checks_report.h"
#include "app/output/verify/report_ci.h"
#include "app/output/verify/report_table.h"
#include "app/output/verify/summary.h"
#include "app/tasks/base/interruption.h"
#include "app/tasks/base/output_file.h"
#include "app/tasks/base/progress_reporter.h"
#include "app/tasks/generate/language_checks.h"
#include "app/tasks/model/bench_files.h"
#include "app/tasks/verify/report_json.h"
#include "app/tasks/verify/tolerance_file.h"
#include "app/tasks/verify/verify_files.h"
#include "app/tasks/verify/verify_settings.h"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <memory>
#include <span>
#include <string>
#include <system_error>
#include <thread>
#include <utility>
#include <vector>

namespace et::cli {
namespace {

namespace fs = std::filesystem;
using bundled_program::FileReport;
using core::Result;

/// Removes a folder that did not exist before if it is still empty: a sandbox needs it in advance.
class EmptyFolder {
  public:
    explicit EmptyFolder(const fs::path& mayBeMade) : path(exists(mayBeMade) ? fs::path() : mayBeMade) {}
    ~EmptyFolder() {
        std::error_code ignored;
        fs::remove(path, ignored);  // fails if it contains files
    }
    EmptyFolder(const EmptyFolder&) = delete;
    EmptyFolder& operator=(const EmptyFolder&) = delete;

  private:
    static bool exists(const fs::path& folder) {
        std::error_code unknown;
        return folder.empty() || fs::exists(folder, unknown);
    }
    fs::path path;
};

/// Runs the cases of bundled programs and compares their outputs with the expected ones.
class VerifyCommand final : public Command {
  public:
    VerifyCommand() : Command("verify", "Run the cases of bundled programs and check their outputs") {}

    [[nodiscard]] std::string details() const override {
        return "Each file runs in a separate process: a crash or a hang is an error of that file, and the "
               "others continue. Floating-point values agree if |actual - expected| <= atol + rtol * "
               "|expected|; a NaN agrees with a NaN, an infinity with the same infinity; integers, bools, "
               "dtypes and sizes must be equal. Quantized outputs may instead differ by 3 steps of their "
               "scale, or must have an SQNR of 25 dB, depending on the program; see the column limit. A "
               "file fails if one of its outputs does not agree; it is an error if it cannot be read or run "
               "(an input that does not fit, a missing operator or backend). With --case, and with one "
               "--method, preceding cases also run, unreported, because a program may keep state between "
               "cases. Several methods run in the order given, over shared state; a method that is listed "
               "again runs its next case. Without --data, .ptd files in the folder of a program are used if "
               "they contain weights that the program lacks; the report lists them. Tolerances in "
               "--tolerances override the defaults, --rtol and --atol override both, and a value for one "
               "dtype overrides a general one. Exit codes: 0, all pass; 1, a file fails; 3, a file is an "
               "error; 6, memory errors (--sanitize). With --llm, files are programs of language models, "
               "with or without an ETRecord: "
               "constant methods are checked against the program and the tokenizer; each call must write "
               "its own positions to the caches; prefill at once, in chunks and token by token must agree, "
               "as must a second run; positions beyond the context must be rejected, and logits must be "
               "finite; with an ETRecord, the logits of every position are compared with those of the "
               "graph, and differences are traced to a layer and an operator. With --gradients, files are "
               "training programs: gradients are compared with central differences of the loss on the inputs "
               "of the first case, or on random inputs; estimates near a kink of the loss are unsure, and "
               "allow more.";
    }
    [[nodiscard]] std::vector<Glossary> glossaries() const override {
        Glossary glossary{.title = "Columns", .terms = {}};
        for (const output::VerifyColumn& column : output::verifyColumns()) {
            if (*column.meaning != '\0') {
                glossary.terms.push_back({column.header, column.meaning});
            }
        }
        return {glossary};
    }
    [[nodiscard]] std::vector<Example> examples() const override {
        return {
            {"et-inspect verify model.bpte", "Check that a model still gives its outputs from export"},
            {"et-inspect verify tests --junit report.xml --save-failures failed",
             "Verify all bundled programs in a folder, for a CI server"},
            {"et-inspect verify tests --tolerances tests/tolerances.json",
             "Set tolerances per file: [{\"file\": \"llama_*.bpte\", \"atol\": 1e-2}]"},
            {"et-inspect verify model_q8.bpte --steps 1 --top1", "Check a quantized model strictly"},
            {"et-inspect verify --llm model.pte model.etrecord --tokenizer tokenizer.json",
             "Check all phases of a language model"},
            {"et-inspect verify --gradients train.pte", "Check the gradients of a training program"},
            {"et-inspect verify model.bpte --rtol 1e-4 --atol 1e-5 --rtol float16=1e-2", "Set tolerances"}};
    }
    void addOptions(OptionList& options) override;
    [[nodiscard]] Result<tasks::ExitCode> run(const Invocation& invocation) override;

  private:
    void addReportOptions(OptionList& options);
    [[nodiscard]] std::vector<FileReport> verifyAll(std::span<const fs::path> files,
                                                    const tasks::SettingsOf& settingsOf,
                                                    tasks::Interruption& interrupted) const;
    [[nodiscard]] Result<tasks::SettingsOf> settingsOf() const;
    [[nodiscard]] Result<> confineOrWarn(Console& console) const;
    [[nodiscard]] std::string render(std::span<const FileReport> reports, const Console& console) const;
    [[nodiscard]] Result<tasks::ExitCode> checkLanguages(const Invocation& invocation);

    std::vector<fs::path> paths;
    bool language = false;
    tasks::LanguageCheckSettings checked;
    GradientVerification gradients;
    tasks::VerifySettings settings;
    std::size_t jobs = 0;
    bool inProcess = false;
    bool all = false;
    OutputFormat format = OutputFormat::Table;
    fs::path junit;
    OutputOptions output;
    tasks::ProgressOptions progress;
};

void VerifyCommand::addOptions(OptionList& options) {
    options.file("FILE", paths, "Bundled programs (.bpte), or folders to search for them; '-' is stdin")
        .takesFiles({SessionFile::Bundle})
        .mustBeGiven();
    addVerifyOptions(options, settings);
    options.group("Processes");
    options.integer("-j,--jobs", jobs, "Number of parallel processes; 0: one per CPU core (default: 0)");
    options.flag("--in-process", inProcess,
                 "Run all files in this process, one by one: faster, but a crash ends it");
    options.group("Language models");
    options.flag("--llm", language,
                 "Check language models instead: metadata, caches, phases, limits (see below)");
    options.file("--tokenizer", checked.tokenizer, "Tokenizer of the models").onlyWith("--llm");
    options.integer("--tokens", checked.tokens, "Number of tokens to check (default: 24)", 4)
        .onlyWith("--llm");
    gradients.addOptions(options);
    addReportOptions(options);
}

/// Runs in this process: it compares calls of one program with each other.
Result<tasks::ExitCode> VerifyCommand::checkLanguages(const Invocation& invocation) {
    checked.model = settings.model;
    ET_ASSIGN(const std::vector<fs::path> programs, tasks::sortBenchFiles(paths, checked.model));
    ET_TRY(confineModel(invocation.console, settings.model, {.files = {output.path}}));
    const tasks::InterruptionGuard guard;
    tasks::ProgressReporter watch(progress, settings.model.timeoutSeconds, settings.model.executionSeconds);
    std::vector<output::CheckedLanguage> reports;
    tasks::ExitCode code = tasks::ExitCode::Fine;
    for (const fs::path& path : programs) {
        checked.program = path;
        auto checks = tasks::checkLanguage(checked, watch);
        if (tasks::InterruptionGuard::requested()) {
            break;
        }
        reports.push_back({.file = path.string(), .checks = {}, .error = {}});
        if (checks) {
            reports.back().checks = std::move(*checks);
            code = tasks::worse(
                code, output::failed(reports.back()) ? tasks::ExitCode::CheckFailed : tasks::ExitCode::Fine);
        } else {
            reports.back().error = checks.error().toString();
            code = tasks::worse(code, tasks::exitCode(checks.error().code));
        }
    }
    watch.finish();
    const std::string text = format == OutputFormat::Json
                                 ? output::checksJson(reports)
                                 : output::checksText(reports, output.style(invocation.console));
    ET_TRY(deliver(invocation.console, output, tasks::producerOf(text), paths));
    return unlessInterrupted(invocation.console, code);
}

void VerifyCommand::addReportOptions(OptionList& options) {
    options.group("Output");
    addFormat(options, format, {OutputFormat::Table, OutputFormat::Json, OutputFormat::GitHub},
              "Output format; github: annotations for GitHub Actions");
    options.flag("--all", all, "Also list outputs that agree (default for a single file)");
    options.path("--junit", junit, "Also write a JUnit XML report to this file, for CI servers");
    addSavedCases(options, settings);
    addOutputOptions(options, output);
    addProgressOptions(options, progress);
}

Result<tasks::SettingsOf> VerifyCommand::settingsOf() const {
    if (settings.toleranceFile.empty()) {
        return [this](const fs::path&) { return Result<tasks::VerifySettings>(settings); };
    }
    ET_ASSIGN(tasks::ToleranceFile read, tasks::ToleranceFile::open(settings.toleranceFile));
    const auto tolerances = std::make_shared<const tasks::ToleranceFile>(std::move(read));
    return [this, tolerances](const fs::path& file) { return tolerances->settingsFor(file, settings); };
}

/// Models that run in separate processes are sandboxed there.
Result<> VerifyCommand::confineOrWarn(Console& console) const {
    if (inProcess) {
        return confineModel(console, settings.model,
                            {.files = {output.path, junit}, .folders = {settings.failures}});
    }
    ET_ASSIGN(const std::string lack, tasks::sandboxLack(settings.model.sandbox));
    if (!lack.empty()) {
        console.warn(lack);
    }
    return {};
}

std::vector<FileReport> VerifyCommand::verifyAll(std::span<const fs::path> files,
                                                 const tasks::SettingsOf& settingsOf,
                                                 tasks::Interruption& interrupted) const {
    // With a single file, every case is a step.
    const double limit = inProcess && files.size() == 1 ? settings.model.executionSeconds : 0;
    tasks::ProgressReporter watch(progress, {}, limit);
    watch.begin("verify", files.size());
    if (inProcess) {
        return tasks::verifyHere(files, settingsOf, watch, interrupted);
    }
    const tasks::InterruptionGuard guard;
    const std::size_t processors = std::max(1U, std::thread::hardware_concurrency());
    std::vector<FileReport> reports =
        tasks::verifyApart(files, settingsOf, jobs == 0 ? processors : jobs, watch);
    interrupted = tasks::InterruptionGuard::cause();
    return reports;
}

std::string VerifyCommand::render(std::span<const FileReport> reports, const Console& console) const {
    if (format == OutputFormat::Json) {
        return tasks::verifyJson(reports);
    }
    if (format == OutputFormat::GitHub) {
        return output::githubAnnotations(reports);
    }
    return output::verifyTable(reports, all || reports.size() == 1, output.style(console));
}

Result<tasks::ExitCode> VerifyCommand::run(const Invocation& invocation) {
    if (language) {
        return checkLanguages(invocation);
    }
    if (gradients.isRequested()) {
        return gradients.run(invocation, paths, settings.model, format, output, progress);
    }
    ET_ASSIGN(settings.cases.tolerances, tasks::parseTolerances(settings.tolerances));
    ET_ASSIGN(const tasks::SettingsOf eachFile, settingsOf());
    const std::vector<fs::path> files = tasks::bundleFiles(paths);
    if (!junit.empty()) {
        ET_TRY(tasks::refuseToReplace(junit, files));
    }
    ET_TRY(confineOrWarn(invocation.console));
    const EmptyFolder unused(settings.failures);
    tasks::Interruption interrupted = tasks::Interruption::None;
    const std::vector<FileReport> reports = verifyAll(files, eachFile, interrupted);
    if (!junit.empty()) {
        ET_TRY(tasks::writeFile(junit, tasks::producerOf(output::junitXml(reports))));
    }
    const std::string text = render(reports, invocation.console);
    ET_TRY(deliver(invocation.console, output, tasks::producerOf(text), files));
    return unlessInterrupted(invocation.console, output::exitCodeOf(reports),
                             fmt::format("after {} of {} files", reports.size(), files.size()), interrupted);
}

}  // namespace

const CommandFactory makeVerifyCommand = newCommand<VerifyCommand>;

}  // namespace et::cli
