#include "app/cli/commands/commands.h"
#include "app/cli/options/model_options.h"
#include "app/cli/output_options.h"
#include "app/output/fit/fit_info.h"
#include "app/tasks/base/file_options.h"
#include "app/tasks/fit/fit_run.h"
#include "app/tasks/model/model_options.h"
#include "app/tasks/sandbox/sandbox.h"
#include "inspector/format/json_text.h"

#include <fmt/format.h>

#include <filesystem>
#include <string>
#include <utility>
#include <vector>

namespace et::cli {
namespace {

using core::Result;

constexpr std::int64_t fitSchema = 1;

/// Checks whether a runtime can load and run programs, and lists the operators, backends and features to
/// build.
class FitCommand final : public Command {
  public:
    FitCommand()
        : Command("fit",
                  "Check whether a runtime and a device can run a program, and list the operators to build") {
    }

    [[nodiscard]] std::string details() const override {
        return "A runtime is a list of operators, the YAML of a selective build (selected_operators.yaml, "
               "functions.yaml), or the runtime itself as an ELF file or archive; the default is the runtime "
               "of et-inspect. A target is a file that describes a device: memory pools, flash, alignment, "
               "backends (see docs/how_to/check_fit.md). The exit code is 1 if a method does not fit. "
               "--oplist writes the operator list for ExecuTorch's selective build; without --runtime and "
               "--target, nothing else is done.";
    }
    [[nodiscard]] std::vector<Example> examples() const override {
        return {
            {"et-inspect fit model.pte --runtime selected_operators.yaml", "Check a selective build"},
            {"et-inspect fit model.pte --runtime firmware.elf --target board.yaml",
             "Check the firmware and the memory of a board"},
            {"et-inspect fit a.pte b.pte --oplist ops.yaml", "List the operators to build for two programs"}};
    }
    void addOptions(OptionList& options) override {
        options.group("Input");
        options.file("MODEL", files.models, "Program (.pte) or bundled program (.bpte) (repeatable)")
            .takesFiles(tasks::anyProgram)
            .mustBeGiven();
        options.file("--runtime", files.runtime,
                     "Operators of a runtime: .txt, .yaml, .json, ELF file or archive");
        options.file("--target", files.target, "Description of a device (YAML or JSON)");
        addTensorData(options, files.data);
        addRecordFile(options, "--etrecord", files.record, "ETRecord to compare the weights of --data with");
        tasks::addCacheOptions(options, files.caches);
        options.flag("--measure", files.measure,
                     "Also run each method once, confined, to measure temporary memory and stack");
        options.group("Output");
        options.path("--oplist FILE", oplist, "Write the operators to build to this file; -: stdout");
        options.flag("--scalar-dtypes", list.numbers, "Include the dtypes of scalars in that list")
            .onlyWith("--oplist");
        addFormat(options, format, {OutputFormat::Text, OutputFormat::Json});
        addOutputFile(options, output);
    }
    [[nodiscard]] Result<tasks::ExitCode> run(const Invocation& invocation) override;

  private:
    [[nodiscard]] std::vector<std::filesystem::path> inputs() const;
    [[nodiscard]] Result<> writeList(Console& console) const;

    tasks::FitFiles files;
    inspector::OplistOptions list;
    std::filesystem::path oplist;
    OutputFormat format = OutputFormat::Text;
    OutputOptions output;
};

std::vector<std::filesystem::path> FitCommand::inputs() const {
    std::vector<std::filesystem::path> all = files.models;
    all.insert(all.end(), files.data.begin(), files.data.end());
    all.push_back(files.record);
    all.push_back(files.runtime);
    all.push_back(files.target);
    std::erase(all, std::filesystem::path{});
    return all;
}

Result<> FitCommand::writeList(Console& console) const {
    ET_ASSIGN(const tasks::OperatorList built, tasks::listOperators(files.models, list));
    const OutputOptions where{.path = oplist.string(), .colour = {}, .width = {}};
    ET_TRY(deliver(console, where, tasks::producerOf(built.yaml), inputs()));
    if (where.toStdout() || !output.toStdout() || format == OutputFormat::Json) {
        return {};
    }
    return console.out(fmt::format("{}: {} operator{}, {} kernel key{}\n", core::printable(oplist.string()),
                                   built.operators, built.operators == 1 ? "" : "s", built.keys,
                                   built.keys == 1 ? "" : "s"));
}

Result<tasks::ExitCode> FitCommand::run(const Invocation& invocation) {
    if (!oplist.empty()) {
        ET_TRY(writeList(invocation.console));
        if (files.runtime.empty() && files.target.empty()) {
            return tasks::ExitCode::Fine;
        }
    }
    if (files.measure) {
        ET_TRY(confineOrWarn(invocation.console, tasks::SandboxMode::Auto,
                             {.files = {output.toStdout() ? "" : output.path}, .folders = {}}));
    }
    ET_ASSIGN(const tasks::FitResult fit, tasks::checkFit(files));
    std::string text;
    if (format == OutputFormat::Json) {
        text = inspector::format::jsonDocument(fitSchema, output::fitInfo(fit));
    } else {
        text = output::fitText(fit);
    }
    ET_TRY(deliver(invocation.console, output, tasks::producerOf(text), inputs()));
    return fit.fits() ? tasks::ExitCode::Fine : tasks::ExitCode::CheckFailed;
}

}  // namespace

const CommandFactory makeFitCommand = newCommand<FitCommand>;

}  // namespace et::cli
