#include "app/tasks/reduce/candidate_process.h"

#include "app/tasks/base/descriptor_stream.h"
#include "app/tasks/base/interruption.h"
#include "app/tasks/base/option_list.h"
#include "app/tasks/reduce/reduce_run.h"
#include "app/tasks/rewrite/number_list.h"
#include "app/tasks/verify/run_self.h"
#include "runtime/core/child_process.h"

#include <fmt/format.h>

#include <array>
#include <chrono>
#include <optional>
#include <utility>

namespace et::tasks {
namespace {

using core::ErrorCode;
using core::Result;

/// Descriptor number of reportPath.
constexpr int reportDescriptor = 3;
/// Starts the line that reports a written file; followed by the sizes of its inputs.
constexpr std::string_view builtWord = "built ";
/// Exit code of a command that cannot decide, as in git bisect run.
constexpr int cannotTell = 125;

std::vector<std::string> candidateArguments(const CandidateSettings& settings, std::string_view failure) {
    ReduceSettings child{.model = settings.model,
                         .options = settings.options,
                         .failure = std::string(failure),
                         .than = settings.than,
                         .folder = settings.output,
                         .version = {}};
    child.options.timeoutSeconds.reset();  // this process enforces it
    CommandArguments arguments = argumentsOf(std::move(child), &addReduceOptions);
    arguments.options.emplace_back(candidateOption);
    return arguments.add(argumentsOf(settings, &addCandidateOptions)).of("reduce");
}

std::vector<std::string> wordOf(std::string text) {
    return text.empty() ? std::vector<std::string>() : std::vector{std::move(text)};
}

void addPart(OptionList& options, PartChoice& part) {
    const auto storeInstructions = [&part](const std::string& text) -> Result<> {
        ET_ASSIGN(part.instructions, parseNumberList(text, "instructions"));
        return {};
    };
    // Options are stored in this order: the nodes refer to the instructions.
    const auto storeNodes = [&part](const std::string& text) -> Result<> {
        ET_ASSIGN(part.nodes, parseNodeChoice(text, part.instructions, "nodes"));
        return {};
    };
    options
        .custom(
            "--candidate-instructions", storeInstructions,
            [&part] { return wordOf(numberListText(part.instructions)); }, "")
        .withoutHelp();
    options
        .custom(
            "--candidate-nodes", storeNodes,
            [&part] { return wordOf(nodeChoiceText(part.nodes, part.instructions)); }, "")
        .withoutHelp();
}

std::optional<std::chrono::duration<double>> limitOf(double seconds) {
    return seconds > 0 ? std::optional(std::chrono::duration<double>(seconds)) : std::nullopt;
}

Result<> refuseInterruption(const ChildResult& end) {
    return end.cause == ChildResult::Cause::Interruption || InterruptionGuard::requested()
               ? core::fail(ErrorCode::Cancelled, "interrupted")
               : Result<>();
}

std::string howItEnded(const ChildResult& end, double seconds) {
    return end.cause == ChildResult::Cause::Timeout
               ? fmt::format("it did not finish within {} seconds", seconds)
               : core::endText(end.process);
}

/// Removes that line from a report; nothing if there is none.
std::optional<PartSizes> takeBuiltLine(std::string_view& report) {
    const std::size_t end = report.find('\n');
    if (!report.starts_with(builtWord) || end == std::string_view::npos) {
        return std::nullopt;
    }
    const std::string_view sizes = report.substr(builtWord.size(), end - builtWord.size());
    report.remove_prefix(end + 1);
    return sizes.empty() ? PartSizes() : parsePartSizes(sizes).value_or(PartSizes());
}

/// Report for a process that ended without one, except possibly the line for the written file.
CandidateReport diedOf(const CandidateSettings& settings, const ChildResult& end, double seconds) {
    std::string_view text = end.report;
    const auto sizes = takeBuiltLine(text);
    CandidateReport report{.isBuilt = sizes.has_value(), .message = howItEnded(end, seconds)};
    report.sizes = sizes.value_or(PartSizes());
    report.fails = report.isBuilt && settings.kind == FailureKind::Crash;
    report.signature = end.cause == ChildResult::Cause::Timeout ? "no end" : core::endText(end.process);
    report.got = report.message;
    report.expected = "an end";
    return report;
}

/// Exit code 0: no failure; 125: undecided. Every other code is a failure with its own signature.
Result<CandidateReport> runCheckCommand(const CandidateSettings& settings, std::string_view command,
                                        CandidateReport report, double seconds) {
    ET_ASSIGN(const ChildResult end,
              runProgram("/bin/sh", {"sh", "-c", commandFor(command, settings.output)}, limitOf(seconds)));
    ET_TRY(refuseInterruption(end));
    const bool isOver = end.cause == ChildResult::Cause::Itself && end.process.signal == 0;
    report.fails = !isOver || (end.process.code != 0 && end.process.code != cannotTell);
    report.signature = isOver ? fmt::format("exit code {}", end.process.code) : howItEnded(end, seconds);
    report.message = fmt::format("the command: {}", howItEnded(end, seconds));
    report.expected = "exit code 0";
    report.got = report.signature;
    return report;
}

}  // namespace

void addCandidateOptions(OptionList& options, CandidateSettings& candidate) {
    static constexpr std::array fills{Choice{"zeros", Fill::Zeros}, Choice{"ones", Fill::Ones}};
    const auto storeSizes = [&candidate](const std::string& text) -> Result<> {
        ET_ASSIGN(candidate.sizes, parsePartSizes(text));
        return {};
    };
    addPart(options, candidate.part);
    options.integer("--candidate-inputs", candidate.inputs, "").withoutHelp();
    options
        .custom(
            "--candidate-sizes", storeSizes,
            [&candidate] { return wordOf(candidate.sizes ? partSizesText(*candidate.sizes) : ""); }, "")
        .withoutHelp();
    options.custom("--candidate-constants", candidate.constants, &parseSizeChanges, &sizeChangesText, "")
        .withoutHelp();
    options.choice("--candidate-fill", candidate.fill, fills, "").withoutHelp();
    options.flag("--candidate-random", candidate.addsRandom, "").withoutHelp();
}

std::string commandFor(std::string_view command, const std::filesystem::path& file) {
    std::string quoted = "'";
    for (const char each : file.string()) {
        quoted += each == '\'' ? std::string("'\\''") : std::string(1, each);
    }
    quoted += '\'';
    std::string text;
    for (std::size_t at = 0; at < command.size();) {
        const std::size_t next = std::min(command.find("{}", at), command.size());
        text += command.substr(at, next - at);
        text += next < command.size() ? quoted : std::string();
        at = next + 2;
    }
    return text;
}

Result<> serveCandidate(const CandidateSettings& settings) {
    const auto say = [](std::string_view text) {
        return writeTo(reportDescriptor, "the report", producerOf(text)).transform([](Written) {});
    };
    const CandidateReport report = checkCandidate(settings, [&](const PartSizes& sizes) {
        static_cast<void>(say(fmt::format("{}{}\n", builtWord, partSizesText(sizes))));
    });
    return say(candidateJson(report));
}

Result<CandidateReport> runCandidate(const CandidateSettings& settings, std::string_view failure,
                                     double seconds) {
    ET_ASSIGN(const ChildResult end, runSelf(candidateArguments(settings, failure), limitOf(seconds)));
    ET_TRY(refuseInterruption(end));
    if (end.cause != ChildResult::Cause::Itself || end.process.signal != 0) {
        return diedOf(settings, end, seconds);
    }
    std::string_view text = end.report;
    static_cast<void>(takeBuiltLine(text));
    auto report = readCandidateJson(text);
    if (!report) {
        // The process exited by itself, for example by a plugin's exit().
        return text.empty() && end.report.empty()
                   ? CandidateReport{.message = end.said.empty() ? core::endText(end.process) : end.said}
                   : diedOf(settings, end, seconds);
    }
    if (settings.kind == FailureKind::Command && report->isBuilt) {
        return runCheckCommand(settings, failure, *std::move(report), seconds);
    }
    return report;
}

}  // namespace et::tasks
