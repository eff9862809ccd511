#include "inspector/findings/detail/rules.h"

namespace et::inspector::findings::detail {

void findContradictions(const RuleInput& input, Findings& out) {
    for (const FileBelonging& file : input.files) {
        for (const std::string& wrong : file.contradictions) {
            Finding finding;
            finding.share = 1;  // must be fixed before other results can be trusted
            finding.title = wrong;
            finding.explanation =
                "These files contradict each other: tables that join them are wrong. Open files from the "
                "same export.";
            out.push_back(std::move(finding));
        }
    }
}

}  // namespace et::inspector::findings::detail
