#include "app/output/compare/program_changes.h"

#include "inspector/program_diff/program_diff_report.h"

namespace et::output {

void addProgramChanges(CompareReport& report, const inspector::ProgramDiff& diff, bool all,
                       const Style& style) {
    report.programInfo = inspector::programDiffInfo(diff, false);
    if (!diff.same()) {
        constexpr int heading = 3;
        report.programText = inspector::programDiffText(diff, all, style);
        report.programMarkdown = "\n" + inspector::programDiffMarkdown(diff, heading);
    }
}

}  // namespace et::output
