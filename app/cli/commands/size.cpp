#include "app/cli/commands/commands.h"
#include "app/cli/output_options.h"
#include "app/pages/size/size_info.h"
#include "app/pages/size/size_picture.h"
#include "app/tasks/size/measured_size.h"
#include "inspector/format/json_text.h"

#include <array>
#include <filesystem>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace et::app {
namespace {

using core::Result;

enum class SizeFormat : std::uint8_t { Text, Json, Svg };

constexpr std::array sizeFormats{Choice{"text", SizeFormat::Text}, Choice{"json", SizeFormat::Json},
                                 Choice{"svg", SizeFormat::Svg}};
constexpr std::array sizeGroupings{Choice{"kind", SizeBy::Kind},       Choice{"module", SizeBy::Module},
                                   Choice{"dtype", SizeBy::Dtype},     Choice{"scheme", SizeBy::Scheme},
                                   Choice{"backend", SizeBy::Backend}, Choice{"tensor", SizeBy::Tensor}};
constexpr std::int64_t sizeSchema = 1;

/// Attributes the bytes of a file to their owners.
class SizeVerb final : public Verb {
  public:
    [[nodiscard]] std::string_view name() const override { return "size"; }
    [[nodiscard]] std::string_view summary() const override {
        return "Show what every byte of a program is there for, and what is in it twice";
    }
    [[nodiscard]] std::string details() const override {
        return "Every byte has one owner: the sum is the size of the files. Constants inside of delegates "
               "are "
               "found where their backend can be described; the rest of a payload is its tables. Duplicates "
               "are tensors and blobs of at least 64 bytes with the same content at several places; tensors "
               "with the "
               "same numbers in another dtype, also rounded ones, are listed apart. What has "
               "no module, dtype or backend is summed up by its kind, in parentheses. What compresses is an "
               "estimate from how often each byte comes; nothing is compressed.";
    }
    [[nodiscard]] std::vector<Example> examples() const override {
        return {{"et-inspect size model.pte", "Show what a program consists of"},
                {"et-inspect size model.pte --etrecord model.etrecord --by module --depth 2",
                 "Show which modules have the weights"},
                {"et-inspect size model.pte --data weights.ptd --by tensor", "List tensors, in both files"},
                {"et-inspect size new.pte --against old.pte --by module", "Show what grew"},
                {"et-inspect size model.pte --etrecord model.etrecord --by module --format svg -o size.svg",
                 "Draw it as a map"}};
    }
    void addOptions(OptionList& options) override {
        options.group("Input");
        options.file("MODEL", files.model, "Program (.pte), bundled program (.bpte) or weights (.ptd)")
            .mustBeGiven();
        options.file("--data", files.data, "External weights file (.ptd) (repeatable)");
        options.file("--etrecord", files.record, "ETRecord of the export, for modules");
        options.file("--against", against, "Earlier program: show what grew since then");
        options.group("Output");
        options.choice("--by", shown.by, sizeGroupings, "Sum up by (default: kind)");
        options.integer("--depth", shown.depth, "Parts of module names to keep; 0: all (default: 0)");
        options.integer("--top", shown.top, "Rows of each list; 0: all (default: 20)");
        options.flag("--weights", shown.weights, "List each weight with its bits and how it is quantized");
        options.choice("--format", format, sizeFormats, "Output format (default: text)");
        addOutputFile(options, output);
    }
    [[nodiscard]] Result<ExitCode> run(const Invocation& invocation) override;

  private:
    [[nodiscard]] Result<std::string> render(const MeasuredSize& size) const;

    SizeFiles files;
    std::filesystem::path against;
    SizeInfoOptions shown;
    SizeFormat format = SizeFormat::Text;
    OutputOptions output;
};

Result<std::string> SizeVerb::render(const MeasuredSize& size) const {
    std::optional<MeasuredSize> before;
    if (!against.empty()) {
        // The same weights files and record are used for both programs if they belong to both.
        ET_ASSIGN(before,
                  measureSize({.model = against, .data = {}, .record = files.record, .content = false}));
    }
    if (format == SizeFormat::Svg) {
        return sizePicture(size.map, shown.by, shown.depth);
    }
    if (format == SizeFormat::Text) {
        return before ? sizeChangesText(before->map, size.map, shown) : sizeText(size, shown);
    }
    inspector::report::Dict info = sizeInfo(size, shown);
    if (before) {
        info.emplace_back("total_before", before->map.total());
        info.emplace_back("changes", sizeChangesInfo(before->map, size.map, shown));
    }
    return inspector::report::jsonDocument(sizeSchema, std::move(info));
}

Result<ExitCode> SizeVerb::run(const Invocation& invocation) {
    files.content = format != SizeFormat::Svg && (against.empty() || format == SizeFormat::Json);
    ET_ASSIGN(const MeasuredSize size, measureSize(files));
    invocation.console.warnAll(size.warnings);
    ET_ASSIGN(const std::string text, render(size));
    std::vector<std::filesystem::path> inputs = files.data;
    inputs.insert(inputs.end(), {files.model, files.record, against});
    std::erase(inputs, std::filesystem::path{});
    ET_TRY(deliver(invocation.console, output, producerOf(text), inputs));
    return ExitCode::Fine;
}

}  // namespace

std::unique_ptr<Verb> makeSizeVerb() {
    return std::make_unique<SizeVerb>();
}

}  // namespace et::app
