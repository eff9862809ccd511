#include "app/cli/commands/commands.h"
#include "app/cli/options/session_options.h"
#include "app/cli/output_options.h"
#include "app/pages/tensors/tensor_table.h"
#include "app/tasks/session/session_input.h"
#include "app/tasks/tensors/open_catalog.h"
#include "app/tasks/tensors/save_tensors.h"
#include "inspector/format/text_filter.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <filesystem>
#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace et::app {
namespace {

using core::ErrorCode;
using core::Result;
using inspector::TensorCatalog;
using inspector::TensorForm;
using inspector::TensorOrigin;
using inspector::report::Format;

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
class TensorsVerb final : public Verb {
  public:
    [[nodiscard]] std::string_view name() const override { return "tensors"; }
    [[nodiscard]] std::string_view summary() const override {
        return "List weights, constants, test tensors and logged values, and save them as .npy";
    }
    [[nodiscard]] std::string details() const override {
        return "FILE is a session, or programs, ETRecords, tensor data, traces, debug buffers and bundled "
               "programs in any order. Weights inside of delegates are listed where their form is known, "
               "those "
               "of XNNPACK with their scales: --real gives the numbers that quantized elements stand for, as "
               "float32. A weight without a name has the record's name where only one fits, or else the "
               "module "
               "of its first reader and what that calls it. Of logged values, those of the first run are "
               "listed.";
    }
    [[nodiscard]] std::vector<Example> examples() const override {
        return {{"et-inspect tensors model.pte model.etrecord", "List all tensors"},
                {"et-inspect tensors model.pte --only weights --statistics",
                 "Show ranges, means and NaNs of the weights"},
                {"et-inspect tensors model.pte --filter features.0 --real --save weights",
                 "Write the weights of one module as NumPy files"}};
    }
    void addOptions(OptionList& options) override;
    [[nodiscard]] Result<ExitCode> run(const Invocation& invocation) override;

  private:
    [[nodiscard]] Result<std::vector<std::size_t>> chosen(const TensorCatalog& catalog) const;

    SessionInput input;
    std::string pattern;
    std::string only;
    bool statistics = false;
    bool real = false;
    std::filesystem::path folder;
    Format format = Format::Table;
    OutputOptions output;
};

void TensorsVerb::addOptions(OptionList& options) {
    addSessionFiles(options, input).mustBeGiven();
    addJoinOptions(options, input);
    options.group("Tensors");
    options
        .text("--filter", pattern,
              "Only tensors whose name, type, place or module match this regular expression (ECMAScript)")
        .takes("REGEX");
    options.choice("--only", only, kinds(), "Only tensors of this origin");
    options.flag("--statistics", statistics,
                 "Add range, mean, standard deviation, zeros, NaNs and infinities");
    options.flag("--real", real, "Take the numbers that quantized weights stand for, not their integers");
    options.group("Output");
    options.path("--save", folder, "Write each tensor to this folder as .npy").takes(folderValue);
    options.choice("--format", format, tensorFormats, "Output format (default: table)");
    addOutputOptions(options, output);
}

Result<std::vector<std::size_t>> TensorsVerb::chosen(const TensorCatalog& catalog) const {
    std::optional<inspector::report::TextFilter> filter;
    if (!pattern.empty()) {
        ET_ASSIGN(filter, inspector::report::TextFilter::make(pattern));
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

Result<ExitCode> TensorsVerb::run(const Invocation& invocation) {
    ET_ASSIGN(const auto store, findStore(input.files));
    ET_ASSIGN(const OpenedSession opened, openInput(input, store));
    invocation.console.warnAll(opened.warnings);
    const auto catalog = catalogOf(opened.session);
    invocation.console.warnAll(catalog->problems());
    ET_ASSIGN(const std::vector<std::size_t> which, chosen(*catalog));
    const TensorForm form = real ? TensorForm::Real : TensorForm::Stored;
    std::vector<SavedTensor> saved;
    if (!folder.empty()) {
        ET_ASSIGN(saved, saveTensors(*catalog, which, form, folder));
    }
    const auto table = tensorTable(*catalog, which, {.statistics = statistics, .form = form, .saved = saved});
    inspector::report::Style style = output.style(invocation.console);
    style.adaptUnits = format == Format::Table || format == Format::Markdown;
    ET_TRY(deliver(invocation.console, output, producerOf(inspector::report::render(table, format, style)),
                   input.files));
    return ExitCode::Fine;
}

}  // namespace

std::unique_ptr<Verb> makeTensorsVerb() {
    return std::make_unique<TensorsVerb>();
}

}  // namespace et::app
