#include "app/cli/commands/commands.h"
#include "app/cli/options/model_options.h"
#include "app/cli/output_options.h"
#include "app/pages/surgery/part_info.h"
#include "app/tasks/run/interruption.h"
#include "app/tasks/surgery/part_record.h"
#include "app/tasks/surgery/part_run.h"
#include "inspector/format/json_text.h"

#include <fmt/format.h>

#include <array>
#include <memory>
#include <string>
#include <utility>
#include <vector>

namespace et::app {
namespace {

using core::Result;

enum class PartFormat : std::uint8_t { Text, Json };
constexpr std::array partFormats{Choice{"text", PartFormat::Text}, Choice{"json", PartFormat::Json}};
constexpr std::int64_t partSchema = 1;

/// Extracts a part of a program as a separate program.
class ExtractVerb final : public Verb {
  public:
    [[nodiscard]] std::string_view name() const override { return "extract"; }
    [[nodiscard]] std::string_view summary() const override {
        return "Take instructions, a module or a delegate out of a program as a program of its own";
    }
    [[nodiscard]] std::string details() const override {
        return "What the instructions before compute becomes the input, and what is needed behind becomes "
               "the "
               "output. As a bundled program (.bpte), the part has a case for each case of MODEL, or one for "
               "given or random inputs: what the whole program computes there. The part is run alone before "
               "it "
               "is written, and has to give the same to the bit. Constants, weights, delegates and state "
               "come "
               "along. Parts of a loop are refused, and jumps into or out of the range.";
    }
    [[nodiscard]] std::vector<Example> examples() const override {
        return {{"et-inspect extract model.bpte --instructions 40..55 -o part.bpte",
                 "Take 16 instructions out, with their inputs and outputs"},
                {"et-inspect extract model.pte --etrecord model.etrecord --module layers.3 -o part.bpte",
                 "Take a module out"},
                {"et-inspect extract model.pte --delegate 2 -o part.pte", "Take one delegate out"},
                {"et-inspect extract model.pte --delegate 2 --nodes 12..14 -o part.bpte",
                 "Take three operators out of a delegate"}};
    }
    void addOptions(OptionList& options) override;
    [[nodiscard]] Result<ExitCode> run(const Invocation& invocation) override;

  private:
    PartSettings settings;
    std::size_t delegate = notGiven;
    PartFormat format = PartFormat::Text;

    static constexpr std::size_t notGiven = static_cast<std::size_t>(-1);
};

void ExtractVerb::addOptions(OptionList& options) {
    options.file("MODEL", settings.model, "Program (.pte) or bundled program (.bpte)").mustBeGiven();
    options.group("Part");
    options
        .text("--instructions", settings.instructions,
              "From one to another, both included, or a list: 3,5..9")
        .takes("FIRST..LAST");
    options
        .text("--nodes", settings.nodes,
              "Of an instruction that calls an XNNPACK delegate, just these of its operators; of several: "
              "2:3..5+7:0")
        .takes("FIRST..LAST");
    options.text("--module", settings.module, "All that is of this module; needs --etrecord").takes("PATH");
    options.text("--node", settings.node, "All that is of this Edge node; needs --etrecord").takes("NAME");
    options.integer("--delegate", delegate, "The first call of this delegate").takes("N");
    options.file("--etrecord", settings.options.record,
                 "ETRecord of the export, for modules and nodes; the part gets its own beside it");
    addModelOptions(options, settings.options);
    options.text("--inputs", settings.options.inputs, "The same as --input").takes("VALUE").withoutHelp();
    addSandbox(options, settings.options);
    options.group("Output");
    options.path("-o,--output", settings.output, "Program (.pte) or bundled program (.bpte) to write")
        .takes(fileValue)
        .mustBeGiven();
    options.choice("--format", format, partFormats, "Output format (default: text)");
}

Result<ExitCode> ExtractVerb::run(const Invocation& invocation) {
    Console& console = invocation.console;
    if (delegate != notGiven) {
        settings.delegate = delegate;
    }
    ET_TRY(confineModel(console, settings.options,
                        {.files = {settings.output, partRecordFile(settings.output)}, .folders = {}}));
    const InterruptionGuard guard;
    ET_ASSIGN(const PartResult part, takePart(settings));
    if (!part.recordProblem.empty()) {
        console.warn(fmt::format("the part has no record: {}", part.recordProblem));
    }
    std::string text;
    if (format == PartFormat::Json) {
        text = inspector::report::jsonDocument(partSchema, partInfo(part));
    } else {
        text = partText(part);
    }
    ET_TRY(console.out(text));
    return ExitCode::Fine;
}

}  // namespace

std::unique_ptr<Verb> makeExtractVerb() {
    return std::make_unique<ExtractVerb>();
}

}  // namespace et::app
