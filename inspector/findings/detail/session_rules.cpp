#include "inspector/findings/detail/rules.h"
#include "runtime/program/schema_version.h"

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

void findNewerSchemas(const RuleInput& input, Findings& out) {
    const auto& program = input.session.program;
    const std::string remark = program ? program::schemaVersionRemark(program->version) : std::string();
    if (remark.empty()) {
        return;
    }
    Finding finding;
    finding.share = 1;
    finding.title = remark;
    finding.explanation =
        "ExecuTorch's runtime refuses to load this program, although et-inspect runs it. Export with the "
        "version of ExecuTorch that runs it.";
    out.push_back(std::move(finding));
}

}  // namespace et::inspector::findings::detail
