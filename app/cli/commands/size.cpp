#include "app/cli/commands/commands.h"
#include "app/cli/output_options.h"
#include "app/output/size/size_info.h"
#include "app/output/size/size_picture.h"
#include "app/tasks/base/file_options.h"
#include "app/tasks/model/model_options.h"
#include "app/tasks/size/measured_size.h"
#include "inspector/format/json_text.h"

#include <array>
#include <filesystem>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace et::cli {
namespace {

using core::Result;

constexpr std::array sizeGroupings{
    Choice{"kind", inspector::SizeBy::Kind},       Choice{"module", inspector::SizeBy::Module},
    Choice{"dtype", inspector::SizeBy::Dtype},     Choice{"scheme", inspector::SizeBy::Scheme},
    Choice{"backend", inspector::SizeBy::Backend}, Choice{"tensor", inspector::SizeBy::Tensor}};
constexpr std::int64_t sizeSchema = 1;

/// Attributes the bytes of a file to their owners.
class SizeCommand final : public Command {
  public:
    SizeCommand() : Command("size", "Show the purpose of every byte of a program, and duplicates") {}

    [[nodiscard]] std::string details() const override {
        return "Every byte has one owner: the sum is the size of the files. Constants inside delegates are "
               "located if their backend can be described; the rest of a payload is its tables. Duplicates "
               "are tensors and blobs of at least 64 bytes with the same content in several places; tensors "
               "with the same values in another dtype, including rounded ones, are listed separately. Data "
               "without a module, dtype or backend is grouped by its kind, in parentheses. Compressibility "
               "is an estimate from the frequency of byte values; nothing is compressed.";
    }
    [[nodiscard]] std::vector<Example> examples() const override {
        return {
            {"et-inspect size model.pte", "Show the parts of a program"},
            {"et-inspect size model.pte --etrecord model.etrecord --by module --depth 2",
             "Show weights by module"},
            {"et-inspect size model.pte --data weights.ptd --by tensor", "List tensors, in both files"},
            {"et-inspect size new.pte --against old.pte --by module", "Show growth since an earlier program"},
            {"et-inspect size model.pte --etrecord model.etrecord --by module --format svg -o size.svg",
             "Draw a size map"}};
    }
    void addOptions(OptionList& options) override {
        options.group("Input");
        options
            .file("MODEL", files.model,
                  "Program (.pte), bundled program (.bpte), package (.ptn) or weights (.ptd)")
            .takesFiles({SessionFile::Bundle, SessionFile::Program, SessionFile::TensorData})
            .mustBeGiven();
        addTensorData(options, files.data);
        addRecordFile(options, "--etrecord", files.record, "ETRecord of the export, for modules");
        tasks::addCacheOptions(options, files.caches);
        options.file("--against", against, "Earlier program to compare with").takesFiles(tasks::anyProgram);
        options.group("Output");
        options.choice("--by", shown.by, sizeGroupings, "Group by (default: kind)");
        options.integer("--depth", shown.modules.depth,
                        "Number of levels of module names to keep; 0: all (default: 0)");
        options.flag("--merge-layers", shown.modules.mergeLayers,
                     "Combine modules that differ only in a number: layers.*.attention");
        options.integer("--top", shown.top, "Number of rows per list; 0: all (default: 20)");
        options.flag("--weights", shown.weights, "List each weight with its bits and quantization scheme");
        addFormat(options, format, {OutputFormat::Text, OutputFormat::Json, OutputFormat::Svg});
        addOutputFile(options, output);
    }
    [[nodiscard]] Result<tasks::ExitCode> run(const Invocation& invocation) override;

  private:
    [[nodiscard]] Result<std::string> render(const tasks::MeasuredSize& size) const;

    tasks::SizeFiles files;
    std::filesystem::path against;
    output::SizeInfoOptions shown;
    OutputFormat format = OutputFormat::Text;
    OutputOptions output;
};

Result<std::string> SizeCommand::render(const tasks::MeasuredSize& size) const {
    std::optional<tasks::MeasuredSize> before;
    if (!against.empty()) {
        // The same weights files and record are used for both programs if they belong to both.
        ET_ASSIGN(before, tasks::measureSize(
                              {.model = against, .data = {}, .record = files.record, .content = false}));
    }
    if (format == OutputFormat::Svg) {
        return output::sizePicture(size.map, shown.by, shown.modules);
    }
    if (format == OutputFormat::Text) {
        return before ? output::sizeChangesText(before->map, size.map, shown) : output::sizeText(size, shown);
    }
    inspector::format::Dict info = output::sizeInfo(size, shown);
    if (before) {
        info.emplace_back("total_before", before->map.total());
        info.emplace_back("changes", output::sizeChangesInfo(before->map, size.map, shown));
    }
    return inspector::format::jsonDocument(sizeSchema, std::move(info));
}

Result<tasks::ExitCode> SizeCommand::run(const Invocation& invocation) {
    files.content = format != OutputFormat::Svg && (against.empty() || format == OutputFormat::Json);
    ET_ASSIGN(const tasks::MeasuredSize size, tasks::measureSize(files));
    invocation.console.warnAll(size.warnings);
    ET_ASSIGN(const std::string text, render(size));
    std::vector<std::filesystem::path> inputs = files.data;
    inputs.insert(inputs.end(), {files.model, files.record, against});
    std::erase(inputs, std::filesystem::path{});
    return fineAfter(deliver(invocation.console, output, tasks::producerOf(text), inputs));
}

}  // namespace

const CommandFactory makeSizeCommand = newCommand<SizeCommand>;

}  // namespace et::cli
