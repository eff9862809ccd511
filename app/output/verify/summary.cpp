#include "app/output/verify/summary.h"

#include <fmt/format.h>

#include <algorithm>

namespace et::output {

using bundled_program::CaseReport;
using bundled_program::FileReport;
using bundled_program::Verdict;

std::string summaryLine(std::span<const FileReport> reports) {
    const tasks::VerifySummary sum = tasks::summarize(reports);
    return fmt::format("{} file{}: {} pass, {} fail, {} error ({} case{})", reports.size(),
                       reports.size() == 1 ? "" : "s", sum.passed, sum.failed, sum.errors, sum.cases,
                       sum.cases == 1 ? "" : "s");
}

std::string unsavedText(const FileReport& report) {
    return fmt::format("cannot save its files: {}", report.unsaved);
}

std::vector<Problem> problems(const FileReport& report) {
    std::vector<Problem> found;
    if (report.cases.empty() && report.verdict != Verdict::Pass) {
        found.push_back({.verdict = report.verdict, .message = report.message});
    }
    for (auto first = report.cases.begin(); first != report.cases.end();) {
        const auto last = std::find_if_not(first, report.cases.end(), [&](const CaseReport& each) {
            return each.verdict == first->verdict && each.method == first->method &&
                   each.message == first->message;
        });
        if (first->verdict != Verdict::Pass) {
            const std::string numbers = last - first == 1
                                            ? fmt::format("case {}", first->index)
                                            : fmt::format("cases {} to {}", first->index, (last - 1)->index);
            found.push_back({.verdict = first->verdict,
                             .message = fmt::format("{}, {}: {}", first->method, numbers, first->message)});
        }
        first = last;
    }
    for (const std::string& each : report.memoryErrors) {
        found.push_back({.verdict = Verdict::Fail, .message = fmt::format("memory error: {}", each)});
    }
    if (!report.unsaved.empty()) {
        found.push_back({.verdict = Verdict::Error, .message = unsavedText(report)});
    }
    return found;
}

tasks::ExitCode exitCodeOf(std::span<const FileReport> reports) {
    const tasks::VerifySummary sum = tasks::summarize(reports);
    const bool isUnsaved =
        std::ranges::any_of(reports, [](const FileReport& each) { return !each.unsaved.empty(); });
    if (std::ranges::any_of(reports, &FileReport::timedOut)) {
        return tasks::ExitCode::TimedOut;
    }
    if (std::ranges::any_of(reports, [](const FileReport& each) { return !each.memoryErrors.empty(); })) {
        return tasks::ExitCode::MemoryFault;
    }
    return sum.errors > 0 || isUnsaved ? tasks::ExitCode::Unreadable
           : sum.failed > 0            ? tasks::ExitCode::CheckFailed
                                       : tasks::ExitCode::Fine;
}

}  // namespace et::output
