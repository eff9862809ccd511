#include "app/cli/commands/commands.h"
#include "app/cli/output_options.h"
#include "app/pages/size/size_info.h"
#include "app/tasks/size/measured_size.h"
#include "inspector/format/json_text.h"

#include <algorithm>
#include <array>
#include <filesystem>
#include <iterator>
#include <memory>
#include <string>
#include <utility>
#include <vector>

namespace et::app {
namespace {

using core::Result;

enum class SizeFormat : std::uint8_t { Text, Json };

constexpr std::array sizeFormats{Choice{"text", SizeFormat::Text}, Choice{"json", SizeFormat::Json}};
constexpr std::array sizeGroupings{Choice{"kind", SizeBy::Kind}, Choice{"module", SizeBy::Module},
                                   Choice{"dtype", SizeBy::Dtype}, Choice{"backend", SizeBy::Backend},
                                   Choice{"tensor", SizeBy::Tensor}};
constexpr std::int64_t sizeSchema = 1;

/// Says who owns the bytes of a file.
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
               "are tensors and blobs of at least 64 bytes with the same content at several places. What has "
               "no module, dtype or backend is summed up by its kind, in parentheses.";
    }
    [[nodiscard]] std::vector<Example> examples() const override {
        return {{"et-inspect size model.pte", "Show what a program consists of"},
                {"et-inspect size model.pte --etrecord model.etrecord --by module --depth 2",
                 "Show which modules have the weights"},
                {"et-inspect size model.pte --data weights.ptd --by tensor", "List tensors, in both files"}};
    }
    void addOptions(OptionList& options) override {
        options.group("Input");
        options.file("MODEL", files.model, "Program (.pte), bundled program (.bpte) or weights (.ptd)")
            .mustBeGiven();
        options.file("--data", files.data, "External weights file (.ptd) (repeatable)");
        options.file("--etrecord", files.record, "ETRecord of the export, for modules");
        options.group("Output");
        options.choice("--by", shown.by, sizeGroupings, "Sum up by (default: kind)");
        options.integer("--depth", shown.depth, "Parts of module names to keep; 0: all (default: 0)");
        options.integer("--top", shown.top, "Rows of each list; 0: all (default: 20)");
        options.choice("--format", format, sizeFormats, "Output format (default: text)");
        addOutputFile(options, output);
    }
    [[nodiscard]] Result<ExitCode> run(const Invocation& invocation) override;

  private:
    SizeFiles files;
    SizeInfoOptions shown;
    SizeFormat format = SizeFormat::Text;
    OutputOptions output;
};

Result<ExitCode> SizeVerb::run(const Invocation& invocation) {
    ET_ASSIGN(const MeasuredSize size, measureSize(files));
    invocation.console.warnAll(size.warnings);
    std::string text;
    if (format == SizeFormat::Json) {
        inspector::report::Dict info{{"schema", sizeSchema}};
        std::ranges::move(sizeInfo(size, shown), std::back_inserter(info));
        inspector::report::appendJson(text, info);
        text += "\n";
    } else {
        text = sizeText(size, shown);
    }
    std::vector<std::filesystem::path> inputs = files.data;
    inputs.push_back(files.model);
    inputs.push_back(files.record);
    std::erase(inputs, std::filesystem::path{});
    ET_TRY(deliver(invocation.console, output, producerOf(text), inputs));
    return ExitCode::Fine;
}

}  // namespace

std::unique_ptr<Verb> makeSizeVerb() {
    return std::make_unique<SizeVerb>();
}

}  // namespace et::app
