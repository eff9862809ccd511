#include "app/cli/commands/commands.h"
#include "app/cli/output_options.h"
#include "app/tasks/base/file_options.h"
#include "app/tasks/compare/file_diff.h"
#include "inspector/program_diff/program_diff_report.h"

#include <string>
#include <vector>

namespace et::cli {
namespace {

using core::Result;
using inspector::ProgramDiff;

/// Compares two programs.
class DiffCommand final : public Command {
  public:
    DiffCommand()
        : Command("diff", "Compare two programs: operators, arguments, delegates, memory, weights") {}

    [[nodiscard]] std::string details() const override {
        return "Programs are compared by meaning: instructions are aligned by operator, arguments and "
               "dataflow, so an inserted instruction is one addition; numbering of values, order of tables "
               "and position of segments are ignored. Delegates with a supported payload are compared node "
               "by node, others byte by byte. For a changed constant, the number of changed elements and the "
               "size of the change are given. Signs: + added, - removed, ~ changed, > moved. Exit codes: 0, "
               "the same (apart from file sizes); 1, different; 3, a file cannot be read.";
    }
    [[nodiscard]] std::vector<Example> examples() const override {
        return {{"et-inspect diff old.pte new.pte", "Show the changes of a new export"},
                {"et-inspect diff portable.pte xnnpack.bpte --method forward",
                 "Show which operators were delegated"},
                {"et-inspect diff old.pte new.pte --format markdown -o comment.md",
                 "Write it as a comment for a pull request"}};
    }
    void addOptions(OptionList& options) override;
    [[nodiscard]] Result<tasks::ExitCode> run(const Invocation& invocation) override;

  private:
    [[nodiscard]] std::string render(const ProgramDiff& diff, const Console& console) const;

    tasks::DiffQuery question;
    OutputFormat format = OutputFormat::Table;
    bool all = false;
    OutputOptions output;
};

void DiffCommand::addOptions(OptionList& options) {
    options.group("Input");
    options.file("BEFORE", question.before, "Program (.pte), bundled program (.bpte) or package (.ptn)")
        .takesFiles(tasks::anyProgram)
        .mustBeGiven();
    options
        .file("AFTER", question.after,
              "Program (.pte), bundled program (.bpte) or package (.ptn) to compare with BEFORE")
        .takesFiles(tasks::anyProgram)
        .mustBeGiven();
    options.text("--method NAME", question.method, "Compare only this method");
    options
        .file(
            "--data", question.dataBefore,
            "External weights file (.ptd) of BEFORE, and of AFTER unless --data-after is given (repeatable)")
        .takesFiles({SessionFile::TensorData})
        .accompanies(0);
    options.file("--data-after", question.dataAfter, "External weights file (.ptd) of AFTER (repeatable)")
        .takesFiles({SessionFile::TensorData})
        .accompanies(1);
    options.group("Output");
    addFormat(options, format, {OutputFormat::Table, OutputFormat::Json, OutputFormat::Markdown});
    options.flag("--all", all, "Also list unchanged parts");
    addOutputOptions(options, output);
}

std::string DiffCommand::render(const ProgramDiff& diff, const Console& console) const {
    if (format == OutputFormat::Json) {
        return inspector::programDiffJson(diff, all);
    }
    if (format == OutputFormat::Markdown) {
        return inspector::programDiffMarkdown(diff);
    }
    return inspector::programDiffText(diff, all, output.style(console));
}

Result<tasks::ExitCode> DiffCommand::run(const Invocation& invocation) {
    ET_ASSIGN(const ProgramDiff diff, tasks::diffFiles(question));
    ET_TRY(deliver(invocation.console, output, tasks::producerOf(render(diff, invocation.console)),
                   question.inputs()));
    return diff.same() ? tasks::ExitCode::Fine : tasks::ExitCode::CheckFailed;
}

}  // namespace

const CommandFactory makeDiffCommand = newCommand<DiffCommand>;

}  // namespace et::cli
