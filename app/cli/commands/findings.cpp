#include "inspector/findings/findings.h"

#include "app/cli/commands/commands.h"
#include "app/cli/options/limit_options.h"
#include "app/cli/options/session_options.h"
#include "app/cli/output_options.h"
#include "app/pages/findings/findings_text.h"
#include "app/tasks/session/session_input.h"

#include <array>
#include <memory>
#include <string>
#include <vector>

namespace et::app {
namespace {

using core::ErrorCode;
using core::fail;
using core::Result;
using inspector::report::Format;

constexpr std::array findingsFormats{Choice{"table", Format::Table}, Choice{"json", Format::Json},
                                     Choice{"tsv", Format::Tsv}};

/// Finds causes of wasted time or memory.
class FindingsVerb final : public Verb {
  public:
    [[nodiscard]] std::string_view name() const override { return "findings"; }
    [[nodiscard]] std::string_view summary() const override { return "Find what wastes time or memory"; }
    [[nodiscard]] std::string details() const override {
        return "FILE is a session written by 'et-inspect session save', or programs, ETRecords, traces, "
               "debug "
               "buffers and bundled programs in any order. Each finding names its rule, its cost and the "
               "reason; the one with the largest share of the run time or of the memory comes first. Rules "
               "whose files are missing find nothing; finding nothing is not an error.";
    }
    [[nodiscard]] std::vector<Example> examples() const override {
        return {
            {"et-inspect findings trace.etdp model.pte model.etrecord", "Find wasted time and memory"},
            {"et-inspect findings model.pte --format json", "Check the program alone, for scripts"},
            {"et-inspect findings session.db --format tsv -o findings.tsv",
             "Write the findings of a session for a spreadsheet"},
            {"et-inspect findings trace.etdp model.pte --limits",
             "Also find operators far from what this machine can do"},
            {"et-inspect findings --rules", "List the rules"},
        };
    }
    void addOptions(OptionList& options) override;
    [[nodiscard]] Result<ExitCode> run(const Invocation& invocation) override;

  private:
    SessionInput input;
    bool listRules = false;
    bool withLimits = false;
    LimitOptions limits;
    Format format = Format::Table;
    OutputOptions output;
};

void FindingsVerb::addOptions(OptionList& options) {
    addSessionFiles(options, input);
    addJoinOptions(options, input);
    options.group("Limits of the machine");
    options.flag(
        "--limits", withLimits,
        "Find operators far from what this machine can do, too ('et-inspect machine'); the program must be "
        "among the files. --machine means this, too");
    addLimitOptions(options, limits);
    options.group("Output");
    options.flag("--rules", listRules, "List the rules");
    options.choice("--format", format, findingsFormats, "Output format (default: table)");
    addOutputOptions(options, output);
}

Result<ExitCode> FindingsVerb::run(const Invocation& invocation) {
    const inspector::report::Style style = output.style(invocation.console);
    if (listRules) {
        ET_TRY(deliver(invocation.console, output, producerOf(rulesText(format, style)), {}));
        return ExitCode::Fine;
    }
    if (input.files.empty()) {
        return fail(ErrorCode::InvalidArgument, "expected a session or other files");
    }
    ET_ASSIGN(const auto store, findStore(input.files));
    ET_ASSIGN(const OpenedSession opened, openInput(input, store));
    invocation.console.warnAll(opened.warnings);
    std::shared_ptr<const inspector::report::EventLimits> known;
    if (withLimits || !limits.machine.empty()) {
        ET_ASSIGN(known, sessionLimits(*opened.session, limits,
                                       [&](const std::string& line) { invocation.console.warn(line); }));
    }
    const std::string text = findingsText(inspector::findings(*opened.session, known.get()), format, style);
    ET_TRY(deliver(invocation.console, output, producerOf(text), input.files));
    return ExitCode::Fine;
}

}  // namespace

std::unique_ptr<Verb> makeFindingsVerb() {
    return std::make_unique<FindingsVerb>();
}

}  // namespace et::app
