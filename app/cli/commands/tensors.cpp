#include "app/cli/commands/commands.h"
#include "app/cli/output_options.h"
#include "app/output/tensors/tensor_table.h"
#include "app/tasks/session/session_input.h"
#include "app/tasks/tensors/open_catalog.h"
#include "app/tasks/tensors/save_tensors.h"
#include "inspector/format/text_filter.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <filesystem>
#include <optional>
#include <string>
#include <vector>

namespace et::cli {
namespace {

using core::Result;
using inspector::TensorCatalog;
using inspector::TensorForm;
using inspector::format::Format;

constexpr std::array tensorFormats{Choice{"table", Format::Table}, Choice{"tsv", Format::Tsv},
                                   Choice{"csv", Format::Csv}, Choice{"json", Format::Json},
                                   Choice{"markdown", Format::Markdown}};

/// Values of --only.
std::vector<std::string> kinds() {
    std::vector<std::string> all{"weights"};
    for (const auto& each : inspector::tensorOrigins) {
        all.emplace_back(each.name);
    }
    return all;
}

/// Lists and saves tensors.
class TensorsCommand final : public Command {
  public:
    TensorsCommand()
        : Command("tensors",
                  "List weights, constants, test tensors and logged values, and save them as .npy") {}

    [[nodiscard]] std::string details() const override {
        return "FILE is a session, or programs, ETRecords, tensor data, traces, debug buffers and bundled "
               "programs in any order. Weights inside delegates are listed if their format is supported, "
               "XNNPACK's with their scales: --real gives the dequantized values as float32. A weight "
               "without a name gets the ETRecord's name if the match is unique, else the module and argument "
               "name of its first reader. Logged values are those of the first run.";
    }
    [[nodiscard]] std::vector<Example> examples() const override {
        return {{"et-inspect tensors model.pte model.etrecord", "List all tensors"},
                {"et-inspect tensors model.pte --only weights --statistics",
                 "Show ranges, means and NaNs of weights"},
                {"et-inspect tensors model.pte --filter features.0 --real --save weights",
                 "Save the weights of one module as .npy"}};
    }
    void addOptions(OptionList& options) override;
    [[nodiscard]] Result<tasks::ExitCode> run(const Invocation& invocation) override;

  private:
    [[nodiscard]] Result<std::vector<std::size_t>> chosen(const TensorCatalog& catalog) const;

    tasks::SessionInput input;
    std::string pattern;
    std::string only;
    bool statistics = false;
    bool real = false;
    std::filesystem::path folder;
    Format format = Format::Table;
    OutputOptions output;
};

void TensorsCommand::addOptions(OptionList& options) {
    addSessionFiles(options, input).mustBeGiven();
    addJoinOptions(options, input.join);
    options.group("Tensors");
    options.text("--filter REGEX", pattern,
                 "Only tensors whose name, type, place or module match this regular expression (ECMAScript)");
    options.choice("--only", only, kinds(), "Only tensors of this origin");
    options.flag("--statistics", statistics,
                 "Add range, mean, standard deviation, zeros, NaNs and infinities");
    options.flag("--real", real, "Dequantize quantized weights instead of using their integers");
    options.group("Output");
    options.path("--save DIR", folder, "Write each tensor to this folder as .npy");
    options.choice("--format", format, tensorFormats, "Output format (default: table)");
    addOutputOptions(options, output);
}

Result<std::vector<std::size_t>> TensorsCommand::chosen(const TensorCatalog& catalog) const {
    std::optional<inspector::format::TextFilter> filter;
    if (!pattern.empty()) {
        ET_ASSIGN(filter, inspector::format::TextFilter::make(pattern));
    }
    std::vector<std::size_t> all;
    for (std::size_t i = 0; i < catalog.tensors().size(); ++i) {
        const inspector::CatalogTensor& tensor = catalog.tensors()[i];
        const auto& origin = inspector::traits(tensor.origin);
        const bool wanted = only.empty() || (only == "weights" ? origin.isWeight : only == origin.name);
        const bool matches = !filter || filter->matches(tensor.name) || filter->matches(tensor.type) ||
                             filter->matches(tensor.place) || filter->matches(tensor.module);
        if (wanted && matches) {
            all.push_back(i);
        }
    }
    return all;
}

Result<tasks::ExitCode> TensorsCommand::run(const Invocation& invocation) {
    ET_ASSIGN(const tasks::OpenedSession opened, tasks::openInput(input, inspector::SessionScope::Tensors));
    invocation.console.warnAll(opened.warnings);
    const auto catalog = tasks::catalogOf(opened.session);
    invocation.console.warnAll(catalog->problems());
    ET_ASSIGN(const std::vector<std::size_t> which, chosen(*catalog));
    const TensorForm form = real ? TensorForm::Real : TensorForm::Stored;
    std::vector<tasks::SavedTensor> saved;
    if (!folder.empty()) {
        ET_ASSIGN(saved, tasks::saveTensors(*catalog, which, form, folder));
    }
    const auto table =
        output::tensorTable(*catalog, which, {.statistics = statistics, .form = form, .saved = saved});
    inspector::format::Style style = output.style(invocation.console);
    style.adaptUnits = format == Format::Table || format == Format::Markdown;
    return fineAfter(deliver(invocation.console, output,
                             tasks::producerOf(inspector::format::render(table, format, style)),
                             input.files));
}

}  // namespace

const CommandFactory makeTensorsCommand = newCommand<TensorsCommand>;

}  // namespace et::cli
