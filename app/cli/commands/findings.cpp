#include "inspector/findings/findings.h"

#include "app/cli/commands/commands.h"
#include "app/cli/output_options.h"
#include "app/output/findings/findings_text.h"
#include "app/tasks/machine/session_limits.h"
#include "app/tasks/session/session_input.h"

#include <array>
#include <memory>
#include <string>
#include <vector>

namespace et::cli {
namespace {

using core::ErrorCode;
using core::fail;
using core::Result;
using inspector::format::Format;

constexpr std::array findingsFormats{Choice{"table", Format::Table}, Choice{"json", Format::Json},
                                     Choice{"tsv", Format::Tsv}, Choice{"markdown", Format::Markdown}};

/// Finds causes of wasted time or memory.
class FindingsCommand final : public Command {
  public:
    FindingsCommand() : Command("findings", "Find wasted time and memory") {}

    [[nodiscard]] std::string details() const override {
        return "FILE is a session written by 'et-inspect session save', or programs, ETRecords, traces, "
               "debug buffers and bundled programs in any order. Each finding names its rule, its cost and "
               "the reason; findings are sorted by their share of run time or memory. Rules whose files are "
               "missing are skipped; finding nothing is not an error.";
    }
    [[nodiscard]] std::vector<Example> examples() const override {
        return {
            {"et-inspect findings trace.etdp model.pte model.etrecord", "Find wasted time and memory"},
            {"et-inspect findings model.pte --format json", "Check the program alone, for scripts"},
            {"et-inspect findings session.db --format tsv -o findings.tsv",
             "Write the findings of a session for a spreadsheet"},
            {"et-inspect findings trace.etdp model.pte --limits",
             "Also find operators far below the limits of this machine"},
            {"et-inspect findings --rules", "List the rules"},
        };
    }
    void addOptions(OptionList& options) override;
    [[nodiscard]] Result<tasks::ExitCode> run(const Invocation& invocation) override;

  private:
    tasks::SessionInput input;
    bool listRules = false;
    bool withLimits = false;
    tasks::LimitOptions limits;
    Format format = Format::Table;
    OutputOptions output;
};

void FindingsCommand::addOptions(OptionList& options) {
    addSessionFiles(options, input);
    addJoinOptions(options, input.join);
    options.group("Limits of the machine");
    options.flag("--limits", withLimits,
                 "Also find operators far below the limits of this machine ('et-inspect machine'); the "
                 "program must be among the files. Implied by --machine");
    addLimitOptions(options, limits);
    options.group("Output");
    options.flag("--rules", listRules, "List the rules");
    options.choice("--format", format, findingsFormats, "Output format (default: table)");
    addOutputOptions(options, output);
}

Result<tasks::ExitCode> FindingsCommand::run(const Invocation& invocation) {
    const inspector::format::Style style = output.style(invocation.console);
    if (listRules) {
        return fineAfter(
            deliver(invocation.console, output, tasks::producerOf(output::rulesText(format, style)), {}));
    }
    if (input.files.empty()) {
        return fail(ErrorCode::InvalidArgument,
                    "expected a session or other files; see 'et-inspect findings --help'");
    }
    ET_ASSIGN(const tasks::OpenedSession opened, tasks::openInput(input));
    invocation.console.warnAll(opened.warnings);
    std::shared_ptr<const inspector::events::EventLimits> known;
    if (withLimits || !limits.machine.empty()) {
        ET_ASSIGN(known, tasks::sessionLimits(*opened.session, limits, [&](const std::string& line) {
                      invocation.console.warn(line);
                  }));
    }
    const std::string text =
        output::findingsText(inspector::deriveFindings(*opened.session, known.get()), format, style);
    return fineAfter(deliver(invocation.console, output, tasks::producerOf(text), input.files));
}

}  // namespace

const CommandFactory makeFindingsCommand = newCommand<FindingsCommand>;

}  // namespace et::cli
