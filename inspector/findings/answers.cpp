#include "inspector/findings/answers.h"

#include "inspector/comparison/comparison.h"
#include "inspector/comparison/headline.h"
#include "inspector/format/change_text.h"
#include "inspector/format/quantities.h"
#include "inspector/names/operator_names.h"

#include <fmt/format.h>

#include <algorithm>
#include <memory>
#include <utility>

namespace et::inspector {
namespace {

using Mood = Answer::Mood;

constexpr const char* unknown = "–";

Answer timeAnswer(const Summary& summary, std::span<const events::SlowOperator> slowest) {
    Answer answer{.question = "Time", .value = unknown, .detail = "open a trace (.etdp), or run the program"};
    if (summary.dashboard.runs.empty()) {
        return answer;
    }
    const RunSplit& run = summary.dashboard.runs.front();
    const double time = run.samples.empty() ? run.total : summarize(run.samples).p50;
    answer.value = format::readableTime(time, summary.dashboard.scale);
    answer.detail = run.runs == 1 ? "one run" : fmt::format("typical of {} runs", run.runs);
    if (!slowest.empty()) {
        const events::SlowOperator& most = slowest.front();
        answer.detail =
            fmt::format("slowest: {}, {}{}", core::printable(most.name), format::readablePercent(most.share),
                        most.source.empty() ? "" : ", " + core::printable(most.source));
        answer.operatorAt = 0;
    }
    return answer;
}

std::size_t countCases(const Session& session) {
    std::size_t count = 0;
    if (session.bundle != nullptr) {
        for (const bundled_program::TestSuite& suite : session.bundle->suites) {
            count += suite.cases.size();
        }
    }
    return count;
}

Answer testAnswer(const Session& session, std::span<const bundled_program::CaseReport> verdicts) {
    Answer answer{.question = "Correct?", .value = unknown, .detail = {}};
    if (verdicts.empty()) {
        const std::size_t count = countCases(session);
        answer.value = count == 0 ? unknown : "not tested";
        answer.detail = count == 0 ? "open a bundled program (.bpte) with test cases"
                                   : fmt::format("{} test case{} to run", count, format::plural(count));
        return answer;
    }
    const auto isPass = [](const auto& each) { return each.verdict == bundled_program::Verdict::Pass; };
    const auto passed = static_cast<std::size_t>(std::ranges::count_if(verdicts, isPass));
    const std::size_t failed = verdicts.size() - passed;
    answer.mood = failed == 0 ? Mood::Good : Mood::Bad;
    answer.value = failed == 0 ? fmt::format("✓ {} of {} passed", passed, verdicts.size())
                               : fmt::format("✗ {} of {} failed", failed, verdicts.size());
    if (const auto wrong = std::ranges::find_if_not(verdicts, isPass); wrong != verdicts.end()) {
        answer.detail = fmt::format("{} case {}: {}", core::printable(wrong->method), wrong->index,
                                    core::printable(wrong->message));
    }
    return answer;
}

Answer memoryAnswer(const Summary& summary) {
    Answer answer{.question = "Memory", .value = unknown, .detail = "open a program (.pte)"};
    const auto largest = std::ranges::max_element(summary.dashboard.memory, {}, &MethodMemory::peak);
    if (largest == summary.dashboard.memory.end()) {
        return answer;
    }
    answer.value = largest->peak > 0 ? fmt::format("{} peak", format::readableBytes(largest->peak))
                                     : fmt::format("{} planned", format::readableBytes(largest->planned));
    const auto tensor = std::ranges::find(summary.findings, "peak-tensor", &Finding::rule);
    answer.detail = tensor != summary.findings.end()
                        ? tensor->title
                        : fmt::format("of {} planned", format::readableBytes(largest->planned));
    return answer;
}

Answer changeAnswer(const Session& session) {
    Answer answer{.question = "Changed?", .value = unknown, .detail = "open a second trace to compare with"};
    if (session.blocks == nullptr || session.others.empty()) {
        return answer;
    }
    const auto measured = [](const EventBlocks& blocks, const std::filesystem::path& file) {
        return std::make_shared<const Measurement>(makeMeasurement(blocks, file.string()));
    };
    const OtherTrace& other = session.others.back();
    const auto compared = compareMeasurements(measured(*session.blocks, session.files.trace),
                                              measured(*other.blocks, other.files.trace));
    if (!compared) {
        answer.detail = compared.error().message;
        return answer;
    }
    const MethodComparison& method = (*compared)->methods.front();
    const TimeVerdict verdict = method.total.verdict;
    answer.detail = headline(method, (*compared)->a->cycles);
    answer.value = verdict == TimeVerdict::Same        ? "same time"
                   : verdict == TimeVerdict::Undecided ? "undecided"
                   : method.total.ratio                ? format::readableChange(*method.total.ratio)
                                                       : std::string(name(verdict));
    answer.mood = verdict == TimeVerdict::Slower   ? Mood::Bad
                  : verdict == TimeVerdict::Faster ? Mood::Good
                                                   : Mood::Plain;
    return answer;
}

}  // namespace

Answers answers(const Session& session, const Summary& summary,
                std::span<const bundled_program::CaseReport> verdicts) {
    Answers all;
    if (session.blocks != nullptr) {
        all.slowest = summary.slowest;
        all.scale = session.blocks->options().target;
    }
    all.tiles = {timeAnswer(summary, all.slowest), testAnswer(session, verdicts), memoryAnswer(summary),
                 changeAnswer(session)};
    return all;
}

std::string missingProgramHint(const Session& session) {
    if (session.blocks == nullptr || session.record == nullptr || session.program != nullptr) {
        return {};
    }
    const bool calls = std::ranges::any_of(session.blocks->blocks(), [](const Block& block) {
        return std::ranges::any_of(
            block.events, [](const Event& event) { return event.name == names::detail::delegateCall; });
    });
    return calls ? "add the program (.pte) to name the operators inside delegates" : std::string();
}

}  // namespace et::inspector
