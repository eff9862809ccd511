#include "app/cli/commands/commands.h"
#include "app/cli/options/model_options.h"
#include "app/cli/options/progress_options.h"
#include "app/cli/output_options.h"
#include "app/cli/version.h"
#include "app/pages/surgery/reduction_info.h"
#include "app/tasks/reduce/candidate_process.h"
#include "app/tasks/reduce/reduce_run.h"
#include "app/tasks/run/interruption.h"
#include "app/tasks/run/watch.h"
#include "app/tasks/surgery/number_list.h"
#include "inspector/format/json_text.h"

#include <fmt/format.h>

#include <array>
#include <memory>
#include <optional>
#include <string>
#include <utility>

namespace et::app {
namespace {

using core::ErrorCode;
using core::Result;

enum class ReduceFormat : std::uint8_t { Text, Json };
constexpr std::array reduceFormats{Choice{"text", ReduceFormat::Text}, Choice{"json", ReduceFormat::Json}};
constexpr std::int64_t reduceSchema = 1;

/// Finds a small part of a program that reproduces its failure.
class ReduceVerb final : public Verb {
  public:
    [[nodiscard]] std::string_view name() const override { return "reduce"; }
    [[nodiscard]] std::string_view summary() const override {
        return "Find the smallest part of a program that fails in the same way";
    }
    [[nodiscard]] std::string details() const override;
    [[nodiscard]] std::vector<Glossary> glossaries() const override;
    [[nodiscard]] std::vector<Example> examples() const override;
    void addOptions(OptionList& options) override;
    [[nodiscard]] Result<ExitCode> run(const Invocation& invocation) override;

  private:
    [[nodiscard]] Result<ExitCode> serve(Console& console) const;
    [[nodiscard]] Result<ExitCode> reduce(Console& console);

    static constexpr std::size_t notGiven = static_cast<std::size_t>(-1);

    ReduceSettings settings;
    std::string candidate;
    std::string candidateNodes;
    std::size_t candidateInputs = notGiven;
    std::string candidateSizes;
    std::string candidateConstants;
    std::string candidateFill;
    bool candidateRandom = false;
    ReduceFormat format = ReduceFormat::Text;
    ProgressOptions progress;
};

std::string ReduceVerb::details() const {
    return "Instructions are left out from both ends and in between, then operators of the XNNPACK delegate "
           "that "
           "is left, as long as the rest fails in the same way. What those left out compute goes in. Every "
           "candidate is made and run in a process of its own.\n"
           "A command is run by sh with the candidate's path for each {}: a bundled program where MODEL is "
           "one, else a program. Exit code 0 says that it does not fail, 125 that nobody can tell, and any "
           "other that it fails; it is the same failure if the code is the one that the whole gives.\n"
           "The folder gets the part, with its inputs and what it should give, and a README.md to attach to "
           "a "
           "report. Ctrl-C leaves the smallest part so far, and --resume goes on from there. Exit codes: 0; "
           "1, the whole does not fail in "
           "this "
           "way; 3, a file cannot be read.";
}

std::vector<Glossary> ReduceVerb::glossaries() const {
    Glossary ways{.title = "Ways to fail", .terms = {}};
    for (const FailureKind each :
         {FailureKind::Gap, FailureKind::Verify, FailureKind::Crash, FailureKind::Nan, FailureKind::Slower}) {
        ways.terms.push_back({std::string(traitsOf(each).name), std::string(traitsOf(each).meaning)});
    }
    return {ways};
}

std::vector<Example> ReduceVerb::examples() const {
    return {{"et-inspect reduce model.bpte --etrecord model.etrecord --fails gap -o reduced",
             "Reduce to an operator that does not compute what the graph says"},
            {"et-inspect reduce model.pte --plugin ./libmine.so --fails crash -o reduced",
             "Reduce to what crashes"},
            {"et-inspect reduce model.pte --fails slower --than yesterday.etdp -o reduced",
             "Reduce to what takes longer than in a trace"},
            {"et-inspect reduce model.bpte --fails './on_device.sh {}' -o reduced",
             "Ask a script of yours, which fails on what is wrong"}};
}

void ReduceVerb::addOptions(OptionList& options) {
    options.file("MODEL", settings.model, "Program (.pte) or bundled program (.bpte)").mustBeGiven();
    options.group("Failure");
    options
        .text("--fails", settings.failure,
              "gap, verify, crash, nan, slower (see below), or a command with {}")
        .takes("HOW")
        .mustBeGiven();
    options
        .text("--than", settings.than,
              "What it is slower than: a time of an execution (5ms), or a trace of the program where it is "
              "faster (default: itself without the plugins)")
        .takes("TIME|TRACE");
    options.file("--etrecord", settings.options.record,
                 "ETRecord of the export: says what parts should give, and where operators come from");
    addModelOptions(options, settings.options);
    addCase(options, settings.options);
    addSandbox(options, settings.options);
    options.group("Output");
    options.path("-o,--output", settings.folder, "Folder for the result, which must not hold one")
        .takes(folderValue)
        .mustBeGiven();
    options.flag("--resume", settings.resume, "Go on with a reduction that was interrupted");
    options.choice("--format", format, reduceFormats, "Output format (default: text)");
    addProgressOptions(options, progress);
    options.text(std::string(candidateOption), candidate, "").takes("LIST").withoutHelp();
    options.text(std::string(candidateNodesOption), candidateNodes, "").takes("LIST").withoutHelp();
    options.integer(std::string(candidateInputsOption), candidateInputs, "").takes("N").withoutHelp();
    options.text(std::string(candidateSizesOption), candidateSizes, "").takes("LIST").withoutHelp();
    options.text(std::string(candidateConstantsOption), candidateConstants, "").takes("LIST").withoutHelp();
    options.text(std::string(candidateFillOption), candidateFill, "").takes("FILL").withoutHelp();
    options.flag(std::string(candidateRandomOption), candidateRandom, "").withoutHelp();
}

/// Runs one candidate, as its separate process.
Result<ExitCode> ReduceVerb::serve(Console& console) const {
    CandidateSettings what{
        .model = settings.model,
        .options = settings.options,
        .than = settings.than,
        .part = {},
        .addsRandom = candidateRandom,
        .inputs = candidateInputs == notGiven ? std::nullopt : std::optional(candidateInputs),
        .fill = fillOf(candidateFill),
        .output = settings.folder};
    ET_ASSIGN(what.kind, parseFailure(settings.failure));
    if (candidate != allInstructions) {
        ET_ASSIGN(what.part.instructions, parseNumberList(candidate, candidateOption));
    }
    if (!candidateNodes.empty()) {
        ET_ASSIGN(what.part.nodes,
                  parseNodeChoice(candidateNodes, what.part.instructions, candidateNodesOption));
    }
    if (!candidateSizes.empty()) {
        ET_ASSIGN(what.sizes, parsePartSizes(candidateSizes));
    }
    if (!candidateConstants.empty()) {
        ET_ASSIGN(what.constants, parseSizeChanges(candidateConstants));
    }
    ET_TRY(confineModel(console, settings.options, {.files = {what.output}, .folders = {}}));
    const InterruptionGuard guard;
    ET_TRY(serveCandidate(what));
    return ExitCode::Fine;
}

Result<ExitCode> ReduceVerb::reduce(Console& console) {
    settings.version = version;
    settings.candidateSeconds = settings.options.executionSeconds;
    ET_ASSIGN(const std::string lack, sandboxLack(settings.options.sandbox));
    if (!lack.empty()) {
        console.warn(lack);
    }
    const InterruptionGuard guard;
    Watch watch(progress, settings.options.timeoutSeconds);
    auto reduced = reduceProgram(settings, watch);
    watch.finish();
    const InterruptionInfo& end = infoOf(InterruptionGuard::cause());
    if (!reduced && reduced.error().code == ErrorCode::Cancelled) {
        console.complain(end.message);
        return end.code;
    }
    ET_ASSIGN(const Reduction reduction, std::move(reduced));
    ET_TRY(console.out(format == ReduceFormat::Json
                           ? inspector::report::jsonDocument(reduceSchema, reductionInfo(reduction))
                           : reductionText(reduction, settings.folder)));
    if (end.cause != Interruption::None) {
        console.complain(fmt::format("{} after {} candidates", end.message, reduction.candidates));
        return end.code;
    }
    return ExitCode::Fine;
}

Result<ExitCode> ReduceVerb::run(const Invocation& invocation) {
    return candidate.empty() ? reduce(invocation.console) : serve(invocation.console);
}

}  // namespace

std::unique_ptr<Verb> makeReduceVerb() {
    return std::make_unique<ReduceVerb>();
}

}  // namespace et::app
