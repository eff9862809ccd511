#include "app/cli/commands/commands.h"
#include "app/cli/options/model_options.h"
#include "app/cli/options/progress_options.h"
#include "app/cli/options/verify_options.h"
#include "app/cli/output_options.h"
#include "app/pages/language/checks_report.h"
#include "app/pages/verify/report_github.h"
#include "app/pages/verify/report_junit.h"
#include "app/pages/verify/report_table.h"
#include "app/pages/verify/summary.h"
#include "app/tasks/language/language_checks.h"
#include "app/tasks/output_file.h"
#include "app/tasks/run/bench_files.h"
#include "app/tasks/run/interruption.h"
#include "app/tasks/run/watch.h"
#include "app/tasks/verify/bundle_files.h"
#include "app/tasks/verify/report_json.h"
#include "app/tasks/verify/tolerance_file.h"
#include "app/tasks/verify/verify_files.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <filesystem>
#include <memory>
#include <span>
#include <string>
#include <system_error>
#include <thread>
#include <utility>
#include <vector>

namespace et::app {
namespace {

namespace fs = std::filesystem;
using bundled_program::FileReport;
using core::Result;

enum class VerifyFormat : std::uint8_t { Table, Json, GitHub };
constexpr std::array verifyFormats{Choice{"table", VerifyFormat::Table}, Choice{"json", VerifyFormat::Json},
                                   Choice{"github", VerifyFormat::GitHub}};

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
class VerifyVerb final : public Verb {
  public:
    [[nodiscard]] std::string_view name() const override { return "verify"; }
    [[nodiscard]] std::string_view summary() const override {
        return "Run the cases of bundled programs and check their outputs";
    }
    [[nodiscard]] std::string details() const override;
    [[nodiscard]] std::vector<Glossary> glossaries() const override;
    [[nodiscard]] std::vector<Example> examples() const override;
    void addOptions(OptionList& options) override;
    [[nodiscard]] Result<ExitCode> run(const Invocation& invocation) override;

  private:
    void addReportOptions(OptionList& options);
    [[nodiscard]] std::vector<FileReport> verifyAll(std::span<const fs::path> files,
                                                    const SettingsOf& settingsOf,
                                                    Interruption& interrupted) const;
    [[nodiscard]] Result<SettingsOf> settingsOf() const;
    [[nodiscard]] Result<> confineOrWarn(Console& console) const;
    [[nodiscard]] std::string render(std::span<const FileReport> reports, const Console& console) const;
    [[nodiscard]] Result<ExitCode> checkLanguages(const Invocation& invocation);

    std::vector<fs::path> paths;
    bool language = false;
    LanguageCheckSettings checked;
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
    return "Each file runs in a process of its own: a crash or a hang is an error of that file, and the "
           "others continue. Floating-point values agree if |actual - expected| <= atol + rtol * |expected|; "
           "a NaN agrees with a NaN, an infinity with the same infinity; integers and bools must be equal, "
           "and so must dtypes and sizes. Quantized outputs may instead differ by 3 steps of their scale, or "
           "have "
           "to keep an SQNR of 25 dB, whichever suits the program; the column limit says which. A file fails "
           "if one of its outputs does not agree; it is an error "
           "if it cannot be read or run (an input that does not fit, a missing operator or backend). With "
           "--method and --case, preceding cases run too, without a report, because a program may keep state "
           "between cases. Without --data, .ptd files in the folder of a program are used if they hold "
           "weights that the program lacks; the report says so. Tolerances in --tolerances override the "
           "defaults, --rtol and --atol override both, and a value for one dtype overrides a general one. "
           "Exit codes: 0, all pass; 1, a file fails; 3, a file is an error. With --llm, files are programs "
           "of "
           "language models, with or without an ETRecord: what their constant methods say is checked against "
           "the program and the tokenizer; each call has to write its own positions to the caches; prefill "
           "at "
           "once, in chunks and token by token have to agree, and so has a second run; positions beyond the "
           "context have to be refused, logits to be finite; and with the record, the logits of every "
           "position "
           "are compared with those of the graph, and what differs is traced to a layer and an operator.";
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
    return {{"et-inspect verify model.bpte", "Check that a model still gives the outputs it had at export"},
            {"et-inspect verify tests --junit report.xml --save-failures failed",
             "Verify all bundled programs in a folder, for a CI server"},
            {"et-inspect verify tests --tolerances tests/tolerances.json",
             "Set tolerances per file: [{\"file\": \"llama_*.bpte\", \"atol\": 1e-2}]"},
            {"et-inspect verify model_q8.bpte --steps 1 --top1", "Be strict with a quantized model"},
            {"et-inspect verify --llm model.pte model.etrecord --tokenizer tokenizer.json",
             "Check that a language model is right in all phases"},
            {"et-inspect verify model.bpte --rtol 1e-4 --atol 1e-5 --rtol float16=1e-2", "Set tolerances"}};
}

void VerifyVerb::addOptions(OptionList& options) {
    options.file("FILE", paths, "Bundled programs (.bpte), or folders to search for them; '-' is stdin")
        .mustBeGiven();
    addVerifyOptions(options, settings);
    addTimeout(options, settings.model,
               "Kill the process of a file after this many seconds, which is an error");
    options.group("Processes");
    options.integer("-j,--jobs", jobs, "Number of parallel processes; 0: one per CPU core (default: 0)");
    options.flag("--in-process", inProcess,
                 "Run all files in this process, one by one: faster, but a crash ends it");
    options.group("Language models");
    options.flag("--llm", language,
                 "Check language models instead: metadata, caches, phases, limits (see below)");
    options.file("--tokenizer", checked.tokenizer, "Tokenizer of the models").onlyWith("--llm");
    options.integer("--tokens", checked.tokens, "Number of tokens to try (default: 24)", 4).onlyWith("--llm");
    addReportOptions(options);
}

/// Runs in this process: it compares calls of one program with each other.
Result<ExitCode> VerifyVerb::checkLanguages(const Invocation& invocation) {
    checked.model = settings.model;
    ET_ASSIGN(const std::vector<fs::path> programs, sortBenchFiles(paths, checked.model));
    ET_TRY(confineModel(invocation.console, settings.model, {.files = {output.path}}));
    const InterruptionGuard guard;
    Watch watch(progress, settings.model.timeoutSeconds, settings.model.executionSeconds);
    std::vector<CheckedLanguage> all;
    ExitCode code = ExitCode::Fine;
    for (const fs::path& path : programs) {
        checked.program = path;
        auto checks = checkLanguage(checked, watch);
        if (InterruptionGuard::requested()) {
            break;
        }
        all.push_back({.file = path.string(), .checks = {}, .error = {}});
        if (checks) {
            all.back().checks = std::move(*checks);
            code = worse(code, failed(all.back()) ? ExitCode::CheckFailed : ExitCode::Fine);
        } else {
            all.back().error = checks.error().toString();
            code = worse(code, exitCode(checks.error().code));
        }
    }
    watch.finish();
    const std::string text =
        format == VerifyFormat::Json ? checksJson(all) : checksText(all, output.style(invocation.console));
    ET_TRY(deliver(invocation.console, output, producerOf(text), paths));
    const InterruptionInfo& end = infoOf(InterruptionGuard::cause());
    if (end.cause != Interruption::None) {
        invocation.console.complain(end.message);
        return end.code;
    }
    return code;
}

void VerifyVerb::addReportOptions(OptionList& options) {
    options.group("Output");
    options.choice("--format", format, verifyFormats,
                   "Output format; github: annotations for GitHub Actions (default: table)");
    options.flag("--all", all, "List outputs that agree, too (default for a single file)");
    options.path("--junit", junit, "Write a JUnit XML report to this file, for CI servers");
    options
        .path("--save-failures", settings.failures,
              "Save cases that do not pass to this folder: inputs, expected and actual outputs as .npy, and "
              "the command to rerun them")
        .takes(folderValue);
    options
        .flag("--save-all", settings.saveAll, "Save passing cases, too; of several iterations, the last one")
        .onlyWith("--save-failures");
    addOutputOptions(options, output);
    addProgressOptions(options, progress);
}

Result<SettingsOf> VerifyVerb::settingsOf() const {
    if (settings.toleranceFile.empty()) {
        return [this](const fs::path&) { return Result<VerifySettings>(settings); };
    }
    ET_ASSIGN(ToleranceFile read, ToleranceFile::open(settings.toleranceFile));
    const auto tolerances = std::make_shared<const ToleranceFile>(std::move(read));
    return [this, tolerances](const fs::path& file) { return tolerances->settingsFor(file, settings); };
}

/// Models that run in separate processes are sandboxed there.
Result<> VerifyVerb::confineOrWarn(Console& console) const {
    if (inProcess) {
        return confineModel(console, settings.model,
                            {.files = {output.path, junit}, .folders = {settings.failures}});
    }
    ET_ASSIGN(const std::string lack, sandboxLack(settings.model.sandbox));
    if (!lack.empty()) {
        console.warn(lack);
    }
    return {};
}

std::vector<FileReport> VerifyVerb::verifyAll(std::span<const fs::path> files, const SettingsOf& settingsOf,
                                              Interruption& interrupted) const {
    // With a single file, every case is a step.
    const double limit = inProcess && files.size() == 1 ? settings.model.executionSeconds : 0;
    Watch watch(progress, {}, limit);
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
    if (language) {
        return checkLanguages(invocation);
    }
    ET_ASSIGN(settings.cases.tolerances, tolerancesOf(settings));
    ET_ASSIGN(const SettingsOf eachFile, settingsOf());
    const std::vector<fs::path> files = bundleFiles(paths);
    if (!junit.empty()) {
        ET_TRY(refuseToReplace(junit, files));
    }
    ET_TRY(confineOrWarn(invocation.console));
    const EmptyFolder unused(settings.failures);
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

}  // namespace et::app
