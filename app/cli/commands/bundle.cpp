#include "app/cli/commands/commands.h"
#include "app/cli/options/model_options.h"
#include "app/cli/options/progress_options.h"
#include "app/cli/output_options.h"
#include "app/tasks/bundle/bundle_edit.h"
#include "app/tasks/run/inputs.h"
#include "inspector/format/table.h"

#include <fmt/format.h>

#include <memory>
#include <string>
#include <vector>

namespace et::app {
namespace {

using core::Result;

/// Adds, removes and lists test cases of a bundled program.
class BundleVerb final : public Verb {
  public:
    [[nodiscard]] std::string_view name() const override { return "bundle"; }
    [[nodiscard]] std::string_view summary() const override {
        return "Make a bundled program: a program with inputs and the outputs to expect, for 'verify'";
    }
    [[nodiscard]] std::string details() const override;
    [[nodiscard]] std::vector<Glossary> glossaries() const override;
    [[nodiscard]] std::vector<Example> examples() const override;
    void addOptions(OptionList& options) override;
    [[nodiscard]] Result<ExitCode> run(const Invocation& invocation) override;

  private:
    BundleSettings settings;
    bool list = false;
    ProgressOptions progress;
};

std::string BundleVerb::details() const {
    return "Turns a program into a bundled program, or adds a case to a bundled program, after those it has: "
           "one case per call. A case must fit the method: same number of inputs and outputs, same kinds, "
           "dtypes and sizes (up to the upper bound where a shape is dynamic); tensors are converted to the "
           "dim order that the method expects. The output may replace MODEL. --remove is applied before the "
           "new case is added, and counts cases as they are in the file.";
}

std::vector<Glossary> BundleVerb::glossaries() const {
    Glossary glossary{.title = "Values", .terms = {}};
    glossary.terms.push_back({"FILE.npy", "a NumPy array"});
    glossary.terms.push_back(
        {"FILE.npz", "several arrays, ordered by number (arr_0, arr_1, ...) or as in the file"});
    glossary.terms.push_back({"FILE.pt", "the tensors that torch.save() wrote, in order"});
    glossary.terms.push_back({"FILE", "raw bytes with the dtype and sizes that the method expects"});
    glossary.terms.push_back({"NUMBER", "a number, True or False; for a tensor, the value of all elements"});
    for (const InputChoice& each : inputChoices()) {
        glossary.terms.push_back({std::string(each.name), std::string(each.meaning)});
    }
    return {glossary};
}

std::vector<Example> BundleVerb::examples() const {
    return {
        {"et-inspect bundle model.pte --input a.npy --input b.npy --expected out.npy -o model.bpte",
         "Add a case with outputs of another framework"},
        {"et-inspect bundle model.bpte --input random --seed 7 --from-run -o model.bpte",
         "Add a case that expects the current outputs"},
        {"et-inspect bundle new.pte --cases-from old.bpte -o new.bpte",
         "Reuse the cases of an earlier export"},
        {"et-inspect bundle model.bpte --remove forward:0 -o model.bpte", "Remove the first case of forward"},
        {"et-inspect bundle model.bpte --list", "List the cases"}};
}

void BundleVerb::addOptions(OptionList& options) {
    options.file("MODEL", settings.file, "Program (.pte) or bundled program (.bpte)").mustBeGiven();
    addModelOptions(options, settings.model);
    options.group("Cases");
    options.text("--expected", settings.expected, "Next expected output, given like --input (repeatable)")
        .takes("VALUE");
    options.flag("--from-run", settings.fromRun, "Run the method now and expect its outputs");
    options
        .text("--remove", settings.removed,
              "Remove this case (METHOD:NUMBER), or all cases of a method (repeatable)")
        .takes("CASE");
    options.file("--cases-from", settings.casesFrom, "Add the cases of this bundled program (.bpte)");
    options.flag("--list", list, "List the resulting cases");
    addSandbox(options, settings.model);
    options.group("Output");
    options.path("-o,--output", settings.output, "Bundled program to write");
    addProgressOptions(options, progress);
}

Result<ExitCode> BundleVerb::run(const Invocation& invocation) {
    if (!list && settings.output.empty()) {
        return core::fail(core::ErrorCode::InvalidArgument, "expected --output FILE or --list");
    }
    if (settings.fromRun) {
        ET_TRY(confineModel(invocation.console, settings.model, {.files = {settings.output}}));
    }
    ET_ASSIGN(const BundleResult result, editBundle(settings, progress));
    if (result.interruption != Interruption::None) {
        const InterruptionInfo& end = infoOf(result.interruption);
        invocation.console.complain(fmt::format("{}: nothing is written", end.message));
        return end.code;
    }
    std::string said = result.added.empty() ? std::string() : fmt::format("added {}", result.added);
    if (!settings.output.empty()) {
        said = fmt::format("{}: {} case{}{}{}\n", core::printable(settings.output.string()), result.count,
                           result.count == 1 ? "" : "s", said.empty() ? "" : ", ", core::printable(said));
    }
    if (list) {
        const OutputOptions screen;
        said = inspector::report::render(result.cases, inspector::report::Format::Table,
                                         screen.style(invocation.console)) +
               said;
    }
    ET_TRY(invocation.console.out(said));
    return ExitCode::Fine;
}

}  // namespace

std::unique_ptr<Verb> makeBundleVerb() {
    return std::make_unique<BundleVerb>();
}

}  // namespace et::app
