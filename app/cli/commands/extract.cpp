#include "app/cli/commands/commands.h"
#include "app/cli/options/model_options.h"
#include "app/cli/output_options.h"
#include "app/output/rewrite/part_info.h"
#include "app/output/rewrite/payload_info.h"
#include "app/tasks/base/interruption.h"
#include "app/tasks/rewrite/part_record.h"
#include "app/tasks/rewrite/part_run.h"
#include "app/tasks/rewrite/payload_files.h"
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
               "outputs. Instructions that compute numbers (sizes, positions) for the part are included, "
               "because a program cannot take other numbers than those of the export. A bundled program "
               "(.bpte) gets a case for each case of MODEL, or one for given or random inputs, with the "
               "values that the whole program computes. Before it is written, the part is run alone and "
               "must give bit-identical results. Constants, weights, delegates and state are included. "
               "Parts of a loop and jumps into or out of the range are rejected.\n\n"
               "--payload writes the payload of a delegate as it is stored, without running it and for any "
               "backend. Its named data, and the files and sections of a container (a Core ML package, an "
               "Ethos-U stream), are written to a new folder FILE.parts.";
    }
    [[nodiscard]] std::vector<Example> examples() const override {
        return {{"et-inspect extract model.bpte --instructions 40..55 -o part.bpte",
                 "Extract 16 instructions with their inputs and outputs"},
                {"et-inspect extract model.pte --etrecord model.etrecord --module layers.3 -o part.bpte",
                 "Extract a module"},
                {"et-inspect extract model.pte --delegate 2 -o part.pte", "Extract one delegate"},
                {"et-inspect extract model.pte --delegate 2 --nodes 12..14 -o part.bpte",
                 "Extract three operators of a delegate"},
                {"et-inspect extract model.pte --payload 2 -o payload.bin",
                 "Write the payload of a delegate, and its named data to payload.bin.parts"}};
    }
    void addOptions(OptionList& options) override;
    [[nodiscard]] Result<tasks::ExitCode> run(const Invocation& invocation) override;

  private:
    [[nodiscard]] Result<tasks::ExitCode> runPayload(Console& console) const;

    tasks::PartSettings settings;
    OutputFormat format = OutputFormat::Text;
};

void ExtractCommand::addOptions(OptionList& options) {
    addExtractOptions(options, settings);
    addFormat(options, format, {OutputFormat::Text, OutputFormat::Json});
}

Result<tasks::ExitCode> ExtractCommand::runPayload(Console& console) const {
    const tasks::InterruptionGuard guard;
    ET_ASSIGN(const tasks::PayloadResult payload,
              tasks::extractPayload({.model = settings.model,
                                     .tensorData = settings.options.tensorData,
                                     .method = settings.options.method,
                                     .delegate = *settings.payload,
                                     .output = settings.output}));
    for (const std::string& name : payload.missing) {
        console.warn(
            fmt::format("no file has the data \"{}\" that the delegate requires", core::printable(name)));
    }
    return fineAfter(console.out(format == OutputFormat::Json ? inspector::format::jsonDocument(
                                                                    partSchema, output::payloadInfo(payload))
                                                              : output::payloadText(payload)));
}

Result<tasks::ExitCode> ExtractCommand::run(const Invocation& invocation) {
    Console& console = invocation.console;
    if (settings.payload) {
        return runPayload(console);
    }
    ET_TRY(confineModel(console, settings.options,
                        {.files = {settings.output, tasks::partRecordFile(settings.output)}, .folders = {}}));
    const tasks::InterruptionGuard guard;
    ET_ASSIGN(const tasks::PartResult part, tasks::takePart(settings));
    if (!part.recordProblem.empty()) {
        console.warn(fmt::format("the part has no ETRecord: {}", part.recordProblem));
    }
    return fineAfter(console.out(format == OutputFormat::Json
                                     ? inspector::format::jsonDocument(partSchema, output::partInfo(part))
                                     : output::partText(part)));
}

}  // namespace

const CommandFactory makeExtractCommand = newCommand<ExtractCommand>;

}  // namespace et::cli
