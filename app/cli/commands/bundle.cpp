#include "app/cli/commands/commands.h"
#include "app/cli/options/model_options.h"
#include "app/cli/output_options.h"
#include "app/tasks/base/file_options.h"
#include "app/tasks/base/progress_reporter.h"
#include "app/tasks/bundle/bundle_edit.h"
#include "app/tasks/model/inputs.h"
#include "inspector/format/table.h"
#include "runtime/core/memory_pages.h"

#include <fmt/format.h>

#include <string>
#include <vector>

namespace et::cli {
namespace {

using core::Result;

/// Adds, removes and lists test cases of a bundled program.
class BundleCommand final : public Command {
  public:
    BundleCommand()
        : Command("bundle",
                  "Make a bundled program: a program with inputs and expected outputs, for 'verify'") {}

    [[nodiscard]] std::string details() const override {
        return "Turns a program into a bundled program, or appends a case to a bundled program; a case is "
               "one call. It must fit the method: same number of inputs and outputs, same kinds, dtypes and "
               "sizes (up to the upper bound where a shape is dynamic); tensors are converted to the dim "
               "order that the method expects. The output may replace MODEL. --remove is applied before the "
               "new case is added, and uses the case numbers of the file.";
    }
    [[nodiscard]] std::vector<Glossary> glossaries() const override {
        Glossary glossary = glossaryOf("Values", tasks::inputChoices());
        glossary.terms.insert(
            glossary.terms.begin(),
            {{"FILE.npy", "a NumPy array"},
             {"FILE.npz", "several arrays, ordered by number (arr_0, arr_1, ...) or as in the file"},
             {"FILE.pt", "tensors written by torch.save(), in order"},
             {"FILE", "raw bytes in the dtype and sizes of the method's input or output"},
             {"NUMBER", "a number, True or False; fills every element of a tensor"}});
        return {glossary};
    }
    [[nodiscard]] std::vector<Example> examples() const override {
        return {{"et-inspect bundle model.pte --input a.npy --input b.npy --expected out.npy -o model.bpte",
                 "Add a case with outputs from another framework"},
                {"et-inspect bundle model.bpte --input random --seed 7 --from-run -o model.bpte",
                 "Add a case that expects the current outputs"},
                {"et-inspect bundle new.pte --cases-from old.bpte -o new.bpte",
                 "Reuse the cases of an earlier export"},
                {"et-inspect bundle model.bpte --remove forward:0 -o model.bpte",
                 "Remove the first case of forward"},
                {"et-inspect bundle model.bpte --list", "List the cases"}};
    }
    void addOptions(OptionList& options) override;
    [[nodiscard]] Result<tasks::ExitCode> run(const Invocation& invocation) override;

  private:
    tasks::BundleSettings settings;
    bool list = false;
    tasks::ProgressOptions progress;
};

void BundleCommand::addOptions(OptionList& options) {
    addModelFile(options, settings.file);
    addModelOptions(options, settings.model);
    options.group("Cases");
    options.text("--expected VALUE", settings.expected,
                 "Next expected output, in the form of --input (repeatable)");
    options.flag("--from-run", settings.fromRun, "Run the method now and expect its outputs");
    options.text("--remove CASE", settings.removed,
                 "Remove this case (METHOD:NUMBER), or all cases of a method (repeatable)");
    options.file("--cases-from", settings.casesFrom, "Add the cases of this bundled program (.bpte)")
        .takesFiles({SessionFile::Bundle});
    options.flag("--list", list, "List the resulting cases");
    addSandbox(options, settings.model);
    options.group("Output");
    options.path("-o,--output", settings.output, "Bundled program to write");
    addProgressOptions(options, progress);
}

Result<tasks::ExitCode> BundleCommand::run(const Invocation& invocation) {
    if (!list && settings.output.empty()) {
        return core::fail(core::ErrorCode::InvalidArgument, "expected --output FILE or --list");
    }
    if (settings.fromRun) {
        core::avoidHugePages();
        ET_TRY(confineModel(invocation.console, settings.model, {.files = {settings.output}}));
    }
    ET_ASSIGN(const tasks::BundleResult result, tasks::editBundle(settings, progress));
    if (result.interruption != tasks::Interruption::None) {
        const tasks::InterruptionInfo& end = tasks::infoOf(result.interruption);
        invocation.console.complain(fmt::format("{}: nothing was written", end.message));
        return end.code;
    }
    std::string said = result.added.empty() ? std::string() : fmt::format("added {}", result.added);
    if (!settings.output.empty()) {
        said = fmt::format("{}: {} case{}{}{}\n", core::printable(settings.output.string()), result.count,
                           result.count == 1 ? "" : "s", said.empty() ? "" : ", ", core::printable(said));
    }
    if (list) {
        const OutputOptions screen;
        said = inspector::format::render(result.cases, inspector::format::Format::Table,
                                         screen.style(invocation.console)) +
               said;
    }
    return fineAfter(invocation.console.out(said));
}

}  // namespace

const CommandFactory makeBundleCommand = newCommand<BundleCommand>;

}  // namespace et::cli
