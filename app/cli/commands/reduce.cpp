#include "app/cli/commands/commands.h"
#include "app/cli/interruption_report.h"
#include "app/cli/options/model_options.h"
#include "app/cli/output_options.h"
#include "app/cli/version.h"
#include "app/output/rewrite/reduction_info.h"
#include "app/tasks/base/interruption.h"
#include "app/tasks/base/progress_reporter.h"
#include "app/tasks/reduce/candidate_process.h"
#include "app/tasks/reduce/reduce_run.h"
#include "inspector/format/json_text.h"

#include <fmt/format.h>

#include <string>
#include <utility>

namespace et::cli {
namespace {

using core::ErrorCode;
using core::Result;

constexpr std::int64_t reduceSchema = 1;

/// Finds a small part of a program that reproduces its failure.
class ReduceCommand final : public Command {
  public:
    ReduceCommand() : Command("reduce", "Find the smallest part of a program that reproduces a failure") {}

    [[nodiscard]] std::string details() const override {
        return "Removes instructions at both ends and in between, then operators of the remaining XNNPACK "
               "delegate, as long as the rest fails in the same way. Values computed by removed instructions "
               "become inputs. Every candidate is built and run in a separate process.\nA command is run by "
               "sh with the candidate's path for each {}: a bundled program if MODEL is one, else a program. "
               "Exit code 0 means that it passes, 125 that the result is unknown, and any other that it "
               "fails; the failure is the same if the exit code equals that of the whole program.\nThe "
               "folder gets the part with its inputs and expected outputs, and a README.md to attach to a "
               "report. Ctrl-C keeps the smallest part found so far, and --resume continues from there. Exit "
               "codes: 0; 1, the whole program does not fail in this way; 3, a file cannot be read.";
    }
    [[nodiscard]] std::vector<Glossary> glossaries() const override {
        Glossary ways{.title = "Failures", .terms = {}};
        for (const tasks::FailureKind each :
             {tasks::FailureKind::Gap, tasks::FailureKind::Verify, tasks::FailureKind::Crash,
              tasks::FailureKind::Nan, tasks::FailureKind::Slower}) {
            ways.terms.push_back(
                {std::string(tasks::infoOf(each).name), std::string(tasks::infoOf(each).meaning)});
        }
        return {ways};
    }
    [[nodiscard]] std::vector<Example> examples() const override {
        return {{"et-inspect reduce model.bpte --etrecord model.etrecord --fails gap -o reduced",
                 "Reduce to an operator that differs from the graph"},
                {"et-inspect reduce model.pte --plugin ./libmine.so --fails crash -o reduced",
                 "Reduce to a crash"},
                {"et-inspect reduce model.pte --fails slower --against yesterday.etdp -o reduced",
                 "Reduce to operators that are slower than in a trace"},
                {"et-inspect reduce model.bpte --fails './on_device.sh {}' -o reduced",
                 "Check with a script that fails on wrong results"}};
    }
    void addOptions(OptionList& options) override;
    [[nodiscard]] Result<tasks::ExitCode> run(const Invocation& invocation) override;

  private:
    [[nodiscard]] Result<tasks::ExitCode> serve(Console& console);
    [[nodiscard]] Result<tasks::ExitCode> reduce(Console& console);

    tasks::ReduceSettings settings;
    bool isCandidate = false;
    tasks::CandidateSettings candidate;
    OutputFormat format = OutputFormat::Text;
    tasks::ProgressOptions progress;
};

void ReduceCommand::addOptions(OptionList& options) {
    addReduceOptions(options, settings);
    addFormat(options, format, {OutputFormat::Text, OutputFormat::Json});
    addProgressOptions(options, progress);
    options.flag(tasks::candidateOption, isCandidate, "").withoutHelp();
    addCandidateOptions(options, candidate);
}

/// Runs one candidate, as its separate process.
Result<tasks::ExitCode> ReduceCommand::serve(Console& console) {
    candidate.model = settings.model;
    candidate.options = settings.options;
    candidate.than = settings.than;
    candidate.output = settings.folder;
    ET_ASSIGN(candidate.kind, tasks::parseFailure(settings.failure));
    ET_TRY(confineModel(console, settings.options, {.files = {candidate.output}, .folders = {}}));
    const tasks::InterruptionGuard guard;
    return fineAfter(tasks::serveCandidate(candidate));
}

Result<tasks::ExitCode> ReduceCommand::reduce(Console& console) {
    settings.version = version;
    settings.candidateSeconds = settings.options.executionSeconds;
    ET_ASSIGN(const std::string lack, tasks::sandboxLack(settings.options.sandbox));
    if (!lack.empty()) {
        console.warn(lack);
    }
    const tasks::InterruptionGuard guard;
    tasks::ProgressReporter watch(progress, settings.options.timeoutSeconds);
    auto reduced = tasks::reduceProgram(settings, watch);
    watch.finish();
    if (!reduced && reduced.error().code == ErrorCode::Cancelled) {
        return reportInterruption(console);
    }
    ET_ASSIGN(const tasks::Reduction reduction, std::move(reduced));
    ET_TRY(console.out(format == OutputFormat::Json
                           ? inspector::format::jsonDocument(reduceSchema, output::reductionInfo(reduction))
                           : output::reductionText(reduction, settings.folder)));
    return unlessInterrupted(console, tasks::ExitCode::Fine,
                             fmt::format("after {} candidates", reduction.candidates));
}

Result<tasks::ExitCode> ReduceCommand::run(const Invocation& invocation) {
    return isCandidate ? serve(invocation.console) : reduce(invocation.console);
}

}  // namespace

const CommandFactory makeReduceCommand = newCommand<ReduceCommand>;

}  // namespace et::cli
