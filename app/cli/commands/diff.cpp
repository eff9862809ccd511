#include "app/cli/commands/commands.h"
#include "app/cli/output_options.h"
#include "app/tasks/compare/file_diff.h"
#include "inspector/program_diff/program_diff_report.h"

#include <array>
#include <filesystem>
#include <memory>
#include <string>
#include <vector>

namespace et::app {
namespace {

namespace fs = std::filesystem;
namespace report = inspector::report;
using core::Result;
using inspector::ProgramDiff;

enum class DiffFormat : std::uint8_t { Table, Json, Markdown };
constexpr std::array diffFormats{Choice{"table", DiffFormat::Table}, Choice{"json", DiffFormat::Json},
                                 Choice{"markdown", DiffFormat::Markdown}};

/// Compares two programs.
class DiffVerb final : public Verb {
  public:
    [[nodiscard]] std::string_view name() const override { return "diff"; }
    [[nodiscard]] std::string_view summary() const override {
        return "Compare two programs: operators, arguments, delegates, memory, weights";
    }
    [[nodiscard]] std::string details() const override {
        return "Programs are compared by meaning: instructions are aligned by operator, arguments and "
               "dataflow, so that an inserted instruction is one addition; numbering of values, order of "
               "tables and position of segments do not matter. Delegates whose payload this build can read "
               "are compared node by node, others byte by byte. For a changed constant, the number of "
               "changed "
               "elements and the size of the change are given. Signs: + added, - removed, ~ changed, > "
               "moved. "
               "Exit codes: 0, the same (apart from file sizes); 1, different; 3, a file cannot be read.";
    }
    [[nodiscard]] std::vector<Example> examples() const override {
        return {{"et-inspect diff old.pte new.pte", "Show what a new export changed"},
                {"et-inspect diff portable.pte xnnpack.bpte --method forward", "Show what was delegated"},
                {"et-inspect diff old.pte new.pte --format markdown -o comment.md",
                 "Write it as a comment for a pull request"}};
    }
    void addOptions(OptionList& options) override;
    [[nodiscard]] Result<ExitCode> run(const Invocation& invocation) override;

  private:
    [[nodiscard]] std::string render(const ProgramDiff& diff, const Console& console) const;

    DiffQuestion question;
    DiffFormat format = DiffFormat::Table;
    bool all = false;
    OutputOptions output;
};

void DiffVerb::addOptions(OptionList& options) {
    options.group("Input");
    options.file("BEFORE", question.before, "Program (.pte) or bundled program (.bpte)").mustBeGiven();
    options.file("AFTER", question.after, "Program or bundled program to compare with it").mustBeGiven();
    options.text("--method", question.method, "Compare only this method").takes("NAME");
    options.file(
        "--data", question.dataBefore,
        "External weights file (.ptd) of BEFORE, and of AFTER unless --data-after is given (repeatable)");
    options.file("--data-after", question.dataAfter, "External weights file (.ptd) of AFTER (repeatable)");
    options.group("Output");
    options.choice("--format", format, diffFormats, "Output format (default: table)");
    options.flag("--all", all, "List what is the same, too");
    addOutputOptions(options, output);
}

std::string DiffVerb::render(const ProgramDiff& diff, const Console& console) const {
    switch (format) {
        case DiffFormat::Json:
            return report::programDiffJson(diff, all);
        case DiffFormat::Markdown:
            return report::programDiffMarkdown(diff);
        case DiffFormat::Table:
            break;
    }
    return report::programDiffText(diff, all, output.style(console));
}

Result<ExitCode> DiffVerb::run(const Invocation& invocation) {
    ET_ASSIGN(const ProgramDiff diff, diffFiles(question));
    ET_TRY(
        deliver(invocation.console, output, producerOf(render(diff, invocation.console)), question.inputs()));
    return diff.same() ? ExitCode::Fine : ExitCode::CheckFailed;
}

}  // namespace

std::unique_ptr<Verb> makeDiffVerb() {
    return std::make_unique<DiffVerb>();
}

}  // namespace et::app
