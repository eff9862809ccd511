#include "app/cli/commands/commands.h"
#include "app/cli/options/model_options.h"
#include "app/cli/output_options.h"
#include "app/output/rewrite/part_info.h"
#include "app/tasks/base/interruption.h"
#include "app/tasks/rewrite/part_record.h"
#include "app/tasks/rewrite/part_run.h"
#include "inspector/format/json_text.h"

#include <fmt/format.h>

#include <string>
#include <utility>
#include <vector>

namespace et::cli {
namespace {

using core::Result;

constexpr std::int64_t partSchema = 1;

/// Extracts a part of a program as a separate program.
class ExtractCommand final : public Command {
  public:
    ExtractCommand()
        : Command("extract", "Extract instructions, a module or a delegate as a separate program") {}

    [[nodiscard]] std::string details() const override {
        return "Values computed by earlier instructions become inputs; values needed by later ones become "
               "outputs. A bundled program (.bpte) gets a case for each case of MODEL, or one for given or "
               "random inputs, with the values that the whole program computes. Before it is written, the "
               "part is run alone and must give bit-identical results. Constants, weights, delegates and "
               "state are included. Parts of a loop and jumps into or out of the range are rejected.";
    }
    [[nodiscard]] std::vector<Example> examples() const override {
        return {{"et-inspect extract model.bpte --instructions 40..55 -o part.bpte",
                 "Extract 16 instructions with their inputs and outputs"},
                {"et-inspect extract model.pte --etrecord model.etrecord --module layers.3 -o part.bpte",
                 "Extract a module"},
                {"et-inspect extract model.pte --delegate 2 -o part.pte", "Extract one delegate"},
                {"et-inspect extract model.pte --delegate 2 --nodes 12..14 -o part.bpte",
                 "Extract three operators of a delegate"}};
    }
    void addOptions(OptionList& options) override;
    [[nodiscard]] Result<tasks::ExitCode> run(const Invocation& invocation) override;

  private:
    tasks::PartSettings settings;
    std::size_t delegate = notGiven;
    OutputFormat format = OutputFormat::Text;

    static constexpr std::size_t notGiven = static_cast<std::size_t>(-1);
};

void ExtractCommand::addOptions(OptionList& options) {
    options.file("MODEL", settings.model, "Program (.pte) or bundled program (.bpte)").mustBeGiven();
    options.group("Part");
    options.text("--instructions FIRST..LAST", settings.instructions,
                 "First and last instruction, inclusive, or a list: 3,5..9");
    options.text(
        "--nodes FIRST..LAST", settings.nodes,
        "Only these operators of an instruction that calls an XNNPACK delegate; of several: 2:3..5+7:0");
    options.text("--module PATH", settings.module, "All instructions of this module; needs --etrecord");
    options.text("--node NAME", settings.node, "All instructions of this Edge node; needs --etrecord");
    options.integer("--delegate N", delegate, "First call of this delegate");
    options.file(
        "--etrecord", settings.options.record,
        "ETRecord of the export, for modules and nodes; a matching ETRecord is written next to the part");
    addModelOptions(options, settings.options);
    options.text("--inputs VALUE", settings.options.inputs, "Alias of --input").withoutHelp();
    addSandbox(options, settings.options);
    options.group("Output");
    options.path("-o,--output FILE", settings.output, "Program (.pte) or bundled program (.bpte) to write")
        .mustBeGiven();
    addFormat(options, format, {OutputFormat::Text, OutputFormat::Json});
}

Result<tasks::ExitCode> ExtractCommand::run(const Invocation& invocation) {
    Console& console = invocation.console;
    if (delegate != notGiven) {
        settings.delegate = delegate;
    }
    ET_TRY(confineModel(console, settings.options,
                        {.files = {settings.output, tasks::partRecordFile(settings.output)}, .folders = {}}));
    const tasks::InterruptionGuard guard;
    ET_ASSIGN(const tasks::PartResult part, tasks::takePart(settings));
    if (!part.recordProblem.empty()) {
        console.warn(fmt::format("the part has no ETRecord: {}", part.recordProblem));
    }
    std::string text;
    if (format == OutputFormat::Json) {
        text = inspector::format::jsonDocument(partSchema, output::partInfo(part));
    } else {
        text = output::partText(part);
    }
    return fineAfter(console.out(text));
}

}  // namespace

const CommandFactory makeExtractCommand = newCommand<ExtractCommand>;

}  // namespace et::cli
