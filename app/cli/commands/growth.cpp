#include "inspector/generation/growth.h"

#include "app/cli/commands/commands.h"
#include "app/cli/options/group_options.h"
#include "app/cli/options/session_options.h"
#include "app/cli/output_options.h"
#include "app/pages/language/growth_report.h"
#include "app/tasks/output_file.h"
#include "app/tasks/session/trace_input.h"

#include <array>
#include <filesystem>
#include <memory>
#include <string>
#include <vector>

namespace et::app {
namespace {

using core::Result;
using inspector::report::Format;
using inspector::report::GroupBy;

constexpr std::array growthGroupings{Choice{"op", GroupBy::Op}, Choice{"module", GroupBy::Module}};
constexpr std::array growthFormats{
    Choice{"table", Format::Table}, Choice{"tsv", Format::Tsv},           Choice{"csv", Format::Csv},
    Choice{"json", Format::Json},   Choice{"markdown", Format::Markdown},
};

/// Shows which part of a language model's time grows with the context.
class GrowthVerb final : public Verb {
  public:
    [[nodiscard]] std::string_view name() const override { return "growth"; }
    [[nodiscard]] std::string_view summary() const override {
        return "Show which operators of a language model take longer the longer the context is";
    }
    [[nodiscard]] std::string details() const override {
        return "The times of each operator or module in the calls of a phase are set against the position of "
               "their token in the context, and a line is fitted to them, without outliers. Constant: what "
               "changes from the first to the last position is chance, or less than 5 % of the time. What "
               "grows has an exponent: 1 is linear. Where a trace has no positions, calls are counted "
               "instead.";
    }
    [[nodiscard]] std::vector<Example> examples() const override {
        return {{"et-inspect growth trace.etdp model.etrecord", "Show which operators grow in decode"},
                {"et-inspect growth trace.etdp model.etrecord --by module --depth 3 --merge-layers",
                 "Show which modules do, all layers as one"},
                {"et-inspect growth trace.etdp --svg growth.svg", "Draw the times over the position"}};
    }
    void addOptions(OptionList& options) override {
        addTraceInput(options, input);
        options.group("Rows");
        options.choice("--by", growth.by, growthGroupings, "Sum up by operator or module (default: op)");
        addRollUpOptions(options, growth.modules);
        options.text("--phase", growth.phase, "Phase whose calls to look at (default: decode)").takes("NAME");
        options.group("Output");
        options.choice("--format", format, growthFormats, "Output format (default: table)");
        options.path("--svg", svgPath, "Write a picture to this file (SVG), too");
        addOutputOptions(options, output);
    }
    [[nodiscard]] Result<ExitCode> run(const Invocation& invocation) override;

  private:
    TraceInput input;
    inspector::GrowthOptions growth;
    Format format = Format::Table;
    std::filesystem::path svgPath;
    OutputOptions output;
};

Result<ExitCode> GrowthVerb::run(const Invocation& invocation) {
    input.join.byPhase = true;
    ET_ASSIGN(const OpenedSession opened, openTraceInput(input));
    invocation.console.warnAll(opened.warnings);
    const inspector::EventBlocks& blocks = *opened.session->blocks;
    ET_ASSIGN(const inspector::Growth found, inspector::growthOf(blocks, growth));
    std::string text;
    if (format == Format::Json) {
        text = growthJson(found, std::string(phaseSourceName(blocks.phases().source)));
    } else {
        inspector::report::Style style = output.style(invocation.console);
        style.adaptUnits = style.width > 0 || output.toTerminal(invocation.console);
        text = inspector::report::render(growthTable(found), format, style);
        text += format == Format::Table ? growthSummary(found) + "\n" : "";
    }
    if (output.toTerminal(invocation.console)) {
        text = output.style(invocation.console).colour ? text : terminalSafe(text);
    }
    const std::vector<std::filesystem::path> inputs = inputsOf(*opened.session);
    ET_TRY(deliver(invocation.console, output, producerOf(text), inputs));
    if (!svgPath.empty()) {
        ET_TRY(refuseToReplace(svgPath, inputs));
        ET_TRY(writeFile(svgPath, producerOf(growthPicture(found))));
    }
    return ExitCode::Fine;
}

}  // namespace

std::unique_ptr<Verb> makeGrowthVerb() {
    return std::make_unique<GrowthVerb>();
}

}  // namespace et::app
