#include "inspector/generate/growth.h"

#include "app/cli/commands/commands.h"
#include "app/cli/options/group_options.h"
#include "app/cli/output_options.h"
#include "app/output/generate/growth_report.h"
#include "app/tasks/base/output_file.h"
#include "app/tasks/session/trace_input.h"
#include "backends/host_caches.h"
#include "inspector/memory/host_cache_text.h"

#include <array>
#include <filesystem>
#include <string>
#include <vector>

namespace et::cli {
namespace {

using core::Result;
using inspector::events::GroupBy;
using inspector::format::Format;

constexpr std::array growthGroupings{Choice{"op", GroupBy::Op}, Choice{"module", GroupBy::Module}};
constexpr std::array growthFormats{
    Choice{"table", Format::Table}, Choice{"tsv", Format::Tsv},           Choice{"csv", Format::Csv},
    Choice{"json", Format::Json},   Choice{"markdown", Format::Markdown},
};

/// Shows which part of a language model's time grows with the context.
class GrowthCommand final : public Command {
  public:
    GrowthCommand()
        : Command("growth", "Show which operators of a language model take longer as the context grows") {}

    [[nodiscard]] std::string details() const override {
        return "Fits a line, without outliers, to the times of each operator or module in the calls of a "
               "phase over the position of their token in the context. Constant means that the change from "
               "the first to the last position is noise or less than 5 % of the time. Growing ones have an "
               "exponent: 1 is linear. If a trace has no positions, calls are counted instead.";
    }
    [[nodiscard]] std::vector<Example> examples() const override {
        return {
            {"et-inspect growth trace.etdp model.etrecord", "Show which operators take longer during decode"},
            {"et-inspect growth trace.etdp model.etrecord --by module --depth 3 --merge-layers",
             "Show which modules take longer, with all layers combined"},
            {"et-inspect growth trace.etdp --svg growth.svg", "Draw the times over the position"}};
    }
    void addOptions(OptionList& options) override {
        addTraceInput(options, input);
        options.group("Rows");
        options.choice("--by", growth.by, growthGroupings, "Aggregate by operator or module (default: op)");
        addRollUpOptions(options, growth.modules);
        options.text("--phase NAME", growth.phase, "Phase to analyze (default: decode)");
        options.group("Output");
        options.choice("--format", format, growthFormats, "Output format (default: table)");
        options.path("--svg", svgPath, "Also write a plot to this file (SVG)");
        addOutputOptions(options, output);
    }
    [[nodiscard]] Result<tasks::ExitCode> run(const Invocation& invocation) override;

  private:
    tasks::TraceInput input;
    inspector::GrowthOptions growth;
    Format format = Format::Table;
    std::filesystem::path svgPath;
    OutputOptions output;
};

Result<tasks::ExitCode> GrowthCommand::run(const Invocation& invocation) {
    input.join.byPhase = true;
    ET_ASSIGN(const tasks::OpenedSession opened, tasks::openTraceInput(input));
    invocation.console.warnAll(opened.warnings);
    const inspector::EventBlocks& blocks = *opened.session->blocks;
    ET_ASSIGN(const inspector::Growth found, inspector::computeGrowth(blocks, growth));
    const executor::KvCachePlan caches = opened.session->program == nullptr
                                             ? executor::KvCachePlan()
                                             : backends::hostCachePlan(*opened.session->program);
    std::string text;
    if (format == Format::Json) {
        text = output::growthJson(found, std::string(phaseSourceName(blocks.phases().source)), caches);
    } else {
        inspector::format::Style style = output.style(invocation.console);
        style.adaptUnits = style.width > 0 || output.toTerminal(invocation.console);
        text = inspector::format::render(output::growthTable(found), format, style);
        text += format == Format::Table ? output::growthSummary(found) + "\n" : "";
        if (const std::string line = inspector::hostCacheText(caches);
            format == Format::Table && !line.empty()) {
            text += line + "\n";
        }
    }
    const std::vector<std::filesystem::path> inputs = tasks::inputsOf(*opened.session);
    ET_TRY(deliver(invocation.console, output, tasks::producerOf(text), inputs));
    if (!svgPath.empty()) {
        ET_TRY(tasks::refuseToReplace(svgPath, inputs));
        ET_TRY(tasks::writeFile(svgPath, tasks::producerOf(output::growthPicture(found))));
    }
    return tasks::ExitCode::Fine;
}

}  // namespace

const CommandFactory makeGrowthCommand = newCommand<GrowthCommand>;

}  // namespace et::cli
