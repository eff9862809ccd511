#include "app/pages/compare/program_changes.h"

#include "inspector/program_diff/program_diff_report.h"

namespace et::app {

void addProgramChanges(CompareReport& report, const inspector::ProgramDiff& diff, bool all,
                       const inspector::report::Style& style) {
    report.programInfo = inspector::report::programDiffInfo(diff, false);
    if (!diff.same()) {
        constexpr int heading = 3;
        report.programText = inspector::report::programDiffText(diff, all, style);
        report.programMarkdown = "\n" + inspector::report::programDiffMarkdown(diff, heading);
    }
}

}  // namespace et::app
