#include "app/cli/commands/commands.h"
#include "app/cli/option_types.h"
#include "app/cli/options/model_options.h"
#include "app/cli/options/progress_options.h"
#include "app/cli/output_options.h"
#include "app/tasks/bundle/case_maker.h"
#include "app/tasks/bundle/suites.h"
#include "app/tasks/output_file.h"
#include "app/tasks/program_file.h"
#include "app/tasks/run/interruption.h"
#include "app/tasks/run/model.h"
#include "app/tasks/run/watch.h"
#include "bundled_program/case_check.h"
#include "bundled_program/writer.h"
#include "inspector/format/table.h"

#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <filesystem>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace et::cli {
namespace {

namespace fs = std::filesystem;
using bundled_program::Bundle;
using core::ErrorCode;
using core::Result;

/// Puts test cases into a program's bundle, takes them out, lists them.
class BundleVerb final : public Verb {
  public:
    [[nodiscard]] std::string_view name() const override { return "bundle"; }
    [[nodiscard]] std::string_view summary() const override {
        return "Make a bundled program: a program with inputs and the outputs to expect, for 'verify'";
    }
    [[nodiscard]] std::string details() const override;
    [[nodiscard]] std::vector<Glossary> glossaries() const override;
    [[nodiscard]] std::vector<Example> examples() const override;
    void addOptions(CLI::App& app) override;
    [[nodiscard]] Result<ExitCode> run(const Invocation& invocation) override;

  private:
    [[nodiscard]] Result<> check() const;
    [[nodiscard]] bool addsCase() const { return fromRun || !expected.empty() || !settings.inputs.empty(); }
    [[nodiscard]] Result<> copyCases(const program::Program& program, Suites& suites);
    [[nodiscard]] Result<std::string> addCase(const program::Program& program, Suites& suites);
    [[nodiscard]] Result<> runOnce(const InputSet& inputs, CaseMaker& maker);
    [[nodiscard]] Result<> write(core::Bytes program, const Suites& suites) const;

    fs::path file;
    ModelOptions settings;
    std::vector<std::string> expected;
    bool fromRun = false;
    std::vector<std::string> removed;
    fs::path casesFrom;
    bool list = false;
    OutputOptions output;
    ProgressOptions progress;
    std::shared_ptr<const Bundle> other;  ///< of casesFrom; its cases are borrowed
    std::unique_ptr<Model> model;
    std::optional<InputSet> inputSet, expectedSet;
    std::optional<CaseMaker> maker;
    Interruption interrupted = Interruption::None;
};

std::string BundleVerb::details() const {
    return "Of a program it makes a bundled program; to a bundled program it adds a case, behind those it "
           "has. One call "
           "adds one case. The case has to fit the method: as many inputs and outputs, of the same kinds, "
           "dtypes and "
           "sizes (up to the bounds, where a shape may change), and tensors in the order of dimensions in "
           "memory that "
           "the method plans, into which they are brought. The new file may replace the one that is read. "
           "--remove "
           "comes before the new case, and counts cases as they are in the file.";
}

std::vector<Glossary> BundleVerb::glossaries() const {
    Glossary glossary{.title = "Values", .terms = {}};
    glossary.terms.push_back({"FILE.npy", "an array of NumPy's"});
    glossary.terms.push_back(
        {"FILE.npz", "several, in the order of their numbers (arr_0, arr_1, ...) or of the file"});
    glossary.terms.push_back({"FILE.pt", "the tensors that torch.save() wrote, in order"});
    glossary.terms.push_back({"FILE", "raw bytes of the dtype and sizes that the method plans"});
    glossary.terms.push_back({"NUMBER", "a number or True or False; for a tensor, all of its elements"});
    for (const InputWord& each : inputWords()) {
        glossary.terms.push_back({std::string(each.word), std::string(each.meaning)});
    }
    return {glossary};
}

std::vector<Example> BundleVerb::examples() const {
    return {{"et-inspect bundle model.pte --input a.npy --input b.npy --expected out.npy -o model.bpte",
             "A case with what another framework gave"},
            {"et-inspect bundle model.bpte --input random --seed 7 --from-run -o model.bpte",
             "One more case, with what the program itself gives now"},
            {"et-inspect bundle new.pte --cases-from old.bpte -o new.bpte",
             "The cases of before for a new export"},
            {"et-inspect bundle model.bpte --remove forward:0 -o model.bpte",
             "Without the first case of forward"},
            {"et-inspect bundle model.bpte --list", "What cases there are"}};
}

void BundleVerb::addOptions(CLI::App& app) {
    app.add_option("MODEL", file, "Program (.pte) or bundled program (.bpte)")
        ->type_name(fileValue)
        ->required();
    addModelOptions(app, settings);
    app.remove_option(app.get_option("--case"));
    app.option_defaults()->group("Cases");
    addRepeatable(app, "--expected", expected, "The next output to expect, as --input has it")
        ->type_name("VALUE");
    app.add_flag("--from-run", fromRun, "Run the method now and expect what it gives");
    addRepeatable(app, "--remove", removed, "Take this case out (METHOD:NUMBER), or all cases of a method")
        ->type_name("CASE");
    app.add_option("--cases-from", casesFrom, "Add the cases of this bundled program (.bpte)")
        ->type_name(fileValue);
    app.add_flag("--list", list, "List the cases, as they are after all else");
    app.option_defaults()->group("Output");
    app.add_option("-o,--output", output.path, "The bundled program to write, whole or not at all")
        ->type_name(fileValue);
    addProgressOptions(app, progress);
}

Result<> BundleVerb::check() const {
    if (fromRun && !expected.empty()) {
        return core::fail(ErrorCode::InvalidArgument, "--from-run and --expected exclude each other");
    }
    if (!list && output.path.empty()) {
        return core::fail(ErrorCode::InvalidArgument, "say where to write to (--output), or --list");
    }
    if (!settings.inputs.empty() && !fromRun && expected.empty()) {
        return core::fail(ErrorCode::InvalidArgument,
                          "a case needs outputs to expect: --expected for each, or --from-run");
    }
    return {};
}

Result<> BundleVerb::copyCases(const program::Program& program, Suites& suites) {
    ET_ASSIGN(other, Bundle::open(casesFrom));
    for (const bundled_program::TestSuite& suite : other->suites) {
        ET_ASSIGN(const program::Method* method, chooseMethod(program, std::string(suite.method)));
        for (std::size_t i = 0; i < suite.cases.size(); ++i) {
            if (auto fits = bundled_program::checkCase(*method, suite.cases[i]); !fits) {
                fits.error().message = fmt::format("case {}: {}", i, fits.error().message);
                return std::unexpected(std::move(fits).error().in(casesFrom.string()));
            }
            suites.add(method->name, suite.cases[i]);
        }
    }
    return {};
}

Result<> BundleVerb::runOnce(const InputSet& inputs, CaseMaker& into) {
    const InterruptionGuard guard;
    Watch watch(progress, settings.timeoutSeconds);
    watch.begin("run", 1);
    ET_ASSIGN(model, Model::open(file, settings, nullptr));
    const auto ran = model->execute(inputs);
    watch.finish();
    interrupted = InterruptionGuard::cause();
    ET_TRY(ran);
    return into.setExpected(*model->method);
}

Result<std::string> BundleVerb::addCase(const program::Program& program, Suites& suites) {
    ET_ASSIGN(const program::Method* method, chooseMethod(program, settings.method));
    const std::uint64_t most = settings.memoryBytes.value_or(executor::Limits().memoryBytes);
    maker.emplace(*method);
    ET_ASSIGN(inputSet, makeInputs(*method, settings.inputs, settings.seed, most));
    ET_TRY(maker->setInputs(*inputSet));
    if (fromRun) {
        ET_TRY(runOnce(*inputSet, *maker));
    } else {
        ET_ASSIGN(expectedSet, makeOutputs(*method, expected, most));
        ET_TRY(maker->setExpected(*expectedSet));
    }
    ET_TRY(bundled_program::checkCase(*method, maker->made()));
    const std::size_t number = suites.add(method->name, maker->made());
    return fmt::format("added {}:{}", method->name, number);
}

Result<> BundleVerb::write(core::Bytes program, const Suites& suites) const {
    std::vector<fs::path> inputs = Model::files(file, settings);
    inputs.erase(inputs.begin());
    inputs.insert(inputs.end(), expected.begin(), expected.end());
    ET_TRY(refuseToReplace(output.path, inputs));
    auto bytes = bundled_program::writeBundle(program, suites.all());
    if (!bytes) {
        return std::unexpected(std::move(bytes).error().in(output.path));
    }
    return writeFile(output.path, producerOf({reinterpret_cast<const char*>(bytes->data()), bytes->size()}));
}

Result<ExitCode> BundleVerb::run(const Invocation& invocation) {
    ET_TRY(check());
    ET_ASSIGN(const ProgramFile opened, ProgramFile::open(file));
    Suites suites(opened.bundle ? opened.bundle->suites : std::vector<bundled_program::TestSuite>());
    ET_TRY(suites.remove(removed));
    if (!casesFrom.empty()) {
        ET_TRY(copyCases(*opened.program, suites));
    }
    std::string said;
    if (addsCase()) {
        auto added = addCase(*opened.program, suites);
        if (interrupted != Interruption::None) {
            const InterruptionInfo& end = infoOf(interrupted);
            invocation.console.complain(fmt::format("{}: nothing is written", end.message));
            return end.code;
        }
        ET_ASSIGN(said, std::move(added));
    }
    if (!output.path.empty()) {
        ET_TRY(write(opened.program->bytes, suites));
        said = fmt::format("{}: {} case{}{}{}\n", core::printable(output.path), suites.cases(),
                           suites.cases() == 1 ? "" : "s", said.empty() ? "" : ", ", core::printable(said));
    }
    if (list) {
        OutputOptions screen;
        said = inspector::report::render(suites.table(), inspector::report::Format::Table,
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

}  // namespace et::cli
