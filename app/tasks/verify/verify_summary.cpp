#include "app/tasks/verify/verify_summary.h"

namespace et::tasks {

using bundled_program::FileReport;
using bundled_program::Verdict;

VerifySummary summarize(std::span<const FileReport> reports) {
    VerifySummary sum;
    for (const FileReport& each : reports) {
        sum.passed += each.verdict == Verdict::Pass ? 1 : 0;
        sum.failed += each.verdict == Verdict::Fail ? 1 : 0;
        sum.errors += each.verdict == Verdict::Error ? 1 : 0;
        sum.cases += each.cases.size();
    }
    return sum;
}

}  // namespace et::tasks
