#include "app/cli/commands/commands.h"
#include "app/cli/option_types.h"
#include "app/cli/output_options.h"
#include "app/tasks/program_file.h"
#include "backends/builtin.h"
#include "inspector/format/json_text.h"
#include "inspector/program_diff/program_diff.h"
#include "inspector/program_diff/program_diff_report.h"

#include <CLI/CLI.hpp>
#include <array>
#include <filesystem>
#include <memory>
#include <string>
#include <utility>
#include <vector>

namespace et::cli {
namespace {

namespace fs = std::filesystem;
namespace report = inspector::report;
using core::Result;
using inspector::ProgramDiff;

enum class DiffFormat : std::uint8_t { Table, Json, Markdown };
constexpr std::array formats{Word{"table", DiffFormat::Table}, Word{"json", DiffFormat::Json},
                             Word{"markdown", DiffFormat::Markdown}};

/// Raised when the meaning of a key changes.
constexpr std::int64_t schema = 1;

using TensorFiles = std::vector<std::shared_ptr<const program::TensorData>>;

Result<TensorFiles> openAll(const std::vector<fs::path>& paths) {
    TensorFiles files;
    for (const fs::path& path : paths) {
        ET_ASSIGN(auto file, program::TensorData::open(path));
        files.push_back(std::move(file));
    }
    return files;
}

/// Says what changed from one program to another.
class DiffVerb final : public Verb {
  public:
    [[nodiscard]] std::string_view name() const override { return "diff"; }
    [[nodiscard]] std::string_view summary() const override {
        return "Say what changed from one program to another: operators, arguments, delegates, memory, "
               "weights";
    }
    [[nodiscard]] std::string details() const override {
        return "Programs are compared by meaning: instructions are aligned by operator, arguments and "
               "dataflow, so "
               "that one which is inserted is one addition, and the numbers of values, the order of tables "
               "and the "
               "places of segments do not count. Delegates that this build can look into are compared node "
               "by node, "
               "others byte by byte. Of a constant that changed it says how many elements did, and by how "
               "much. "
               "Signs: + added, - removed, ~ changed, > moved. Exit codes: 0, the same (sizes of the files "
               "aside); "
               "1, different; 3, a file cannot be read.";
    }
    [[nodiscard]] std::vector<Example> examples() const override {
        return {{"et-inspect diff old.pte new.pte", "What a new export changed"},
                {"et-inspect diff portable.pte xnnpack.bpte --method forward", "What went to the delegates"},
                {"et-inspect diff old.pte new.pte --format markdown -o comment.md",
                 "The same for a comment on a pull request"}};
    }
    void addOptions(CLI::App& app) override;
    [[nodiscard]] Result<ExitCode> run(const Invocation& invocation) override;

  private:
    [[nodiscard]] std::vector<fs::path> inputs() const;
    [[nodiscard]] std::string render(const ProgramDiff& diff, const Console& console) const;

    fs::path before;
    fs::path after;
    std::vector<fs::path> dataBefore;
    std::vector<fs::path> dataAfter;
    std::string method;
    DiffFormat format = DiffFormat::Table;
    bool all = false;
    OutputOptions output;
};

void DiffVerb::addOptions(CLI::App& app) {
    app.option_defaults()->group("Input");
    app.add_option("BEFORE", before, "Program (.pte) or bundled program (.bpte)")
        ->type_name(fileValue)
        ->required();
    app.add_option("AFTER", after, "The one to compare with it")->type_name(fileValue)->required();
    app.add_option("--method", method, "Only this method (default: all)")->type_name("NAME");
    app.add_option(
           "--data", dataBefore,
           "Tensor data that the first program lies without (.ptd); the second too, unless --data-after "
           "names its own (repeatable)")
        ->allow_extra_args(false)
        ->take_all()
        ->type_name(fileValue);
    app.add_option("--data-after", dataAfter, "Tensor data of the second program (.ptd) (repeatable)")
        ->allow_extra_args(false)
        ->take_all()
        ->type_name(fileValue);
    app.option_defaults()->group("Output");
    addChoice(app, "--format", format, formats, "How to print (default: table)");
    app.add_flag("--all", all, "What is the same, too");
    addOutputOptions(app, output);
}

std::vector<fs::path> DiffVerb::inputs() const {
    std::vector<fs::path> files{before, after};
    files.insert(files.end(), dataBefore.begin(), dataBefore.end());
    files.insert(files.end(), dataAfter.begin(), dataAfter.end());
    return files;
}

std::string DiffVerb::render(const ProgramDiff& diff, const Console& console) const {
    switch (format) {
        case DiffFormat::Json: {
            report::Dict info = report::programDiffFacts(diff, all);
            info.insert(info.begin(), {"schema", schema});
            std::string text;
            report::appendJson(text, report::Cell(std::move(info)));
            return text + "\n";
        }
        case DiffFormat::Markdown:
            return report::programDiffMarkdown(diff);
        case DiffFormat::Table:
            break;
    }
    return report::programDiffText(diff, all, output.style(console));
}

Result<ExitCode> DiffVerb::run(const Invocation& invocation) {
    ET_ASSIGN(const ProgramFile left, ProgramFile::open(before));
    ET_ASSIGN(const ProgramFile right, ProgramFile::open(after));
    ET_ASSIGN(const TensorFiles filesBefore, openAll(dataBefore));
    ET_ASSIGN(const TensorFiles filesAfter, openAll(dataAfter.empty() ? dataBefore : dataAfter));
    ET_ASSIGN(const ProgramDiff diff,
              inspector::diffPrograms(
                  {.program = *left.program, .name = before.string(), .tensorData = filesBefore},
                  {.program = *right.program, .name = after.string(), .tensorData = filesAfter},
                  {.backends = backends::describable(), .method = method}));
    ET_TRY(deliver(invocation.console, output, producerOf(render(diff, invocation.console)), inputs()));
    return diff.same() ? ExitCode::Fine : ExitCode::CheckFailed;
}

}  // namespace

std::unique_ptr<Verb> makeDiffVerb() {
    return std::make_unique<DiffVerb>();
}

}  // namespace et::cli
