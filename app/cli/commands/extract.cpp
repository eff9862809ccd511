#include "app/cli/commands/commands.h"
#include "app/cli/options/model_options.h"
#include "app/cli/output_options.h"
#include "app/output/rewrite/part_info.h"
#include "app/tasks/base/interruption.h"
#include "app/tasks/rewrite/part_record.h"
#include "app/tasks/rewrite/part_run.h"
#include "inspector/format/json_text.h"

#include <fmt/format.h>

#include <array>
#include <memory>
#include <string>
#include <utility>
#include <vector>

namespace et::cli {
namespace {

using core::Result;

enum class PartFormat : std::uint8_t { Text, Json };
constexpr std::array partFormats{Choice{"text", PartFormat::Text}, Choice{"json", PartFormat::Json}};
constexpr std::int64_t partSchema = 1;

/// Extracts a part of a program as a separate program.
class ExtractCommand final : public Command {
  public:
    [[nodiscard]] std::string_view name() const override { return "extract"; }
    [[nodiscard]] std::string_view summary() const override {
        return "Extract instructions, a module or a delegate as a separate program";
    }
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
    PartFormat format = PartFormat::Text;

    static constexpr std::size_t notGiven = static_cast<std::size_t>(-1);
};

void ExtractCommand::addOptions(OptionList& options) {
    options.file("MODEL", settings.model, "Program (.pte) or bundled program (.bpte)").mustBeGiven();
    options.group("Part");
    options
        .text("--instructions", settings.instructions,
              "First and last instruction, inclusive, or a list: 3,5..9")
        .takes("FIRST..LAST");
    options
        .text("--nodes", settings.nodes,
              "Only these operators of an instruction that calls an XNNPACK delegate; of several: 2:3..5+7:0")
        .takes("FIRST..LAST");
    options.text("--module", settings.module, "All instructions of this module; needs --etrecord")
        .takes("PATH");
    options.text("--node", settings.node, "All instructions of this Edge node; needs --etrecord")
        .takes("NAME");
    options.integer("--delegate", delegate, "First call of this delegate").takes("N");
    options.file(
        "--etrecord", settings.options.record,
        "ETRecord of the export, for modules and nodes; a matching ETRecord is written next to the part");
    addModelOptions(options, settings.options);
    options.text("--inputs", settings.options.inputs, "Alias of --input").takes("VALUE").withoutHelp();
    addSandbox(options, settings.options);
    options.group("Output");
    options.path("-o,--output", settings.output, "Program (.pte) or bundled program (.bpte) to write")
        .takes(fileValue)
        .mustBeGiven();
    options.choice("--format", format, partFormats, "Output format (default: text)");
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
    if (format == PartFormat::Json) {
        text = inspector::format::jsonDocument(partSchema, output::partInfo(part));
    } else {
        text = output::partText(part);
    }
    ET_TRY(console.out(text));
    return tasks::ExitCode::Fine;
}

}  // namespace

std::unique_ptr<Command> makeExtractCommand() {
    return std::make_unique<ExtractCommand>();
}

}  // namespace et::cli
