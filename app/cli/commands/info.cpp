#include "app/cli/commands/commands.h"
#include "app/cli/option_types.h"
#include "app/cli/output_options.h"
#include "app/pages/info/artifact_info.h"
#include "app/pages/info/info_text.h"
#include "app/pages/info/summed.h"
#include "inspector/format/json_text.h"

#include <CLI/CLI.hpp>
#include <array>
#include <filesystem>
#include <string>
#include <vector>

namespace et::cli {
namespace {

namespace fs = std::filesystem;

enum class InfoFormat : std::uint8_t { Table, Json };

constexpr std::array formats{Word{"table", InfoFormat::Table}, Word{"json", InfoFormat::Json}};

constexpr std::size_t longestList = 20;

/// Says what files are and what is in them.
class InfoVerb final : public Verb {
  public:
    [[nodiscard]] std::string_view name() const override { return "info"; }
    [[nodiscard]] std::string_view summary() const override {
        return "Say what a program, trace, record, bundled program or tensor data file holds";
    }
    [[nodiscard]] std::string details() const override {
        return "A file's kind is found in its content, never in its name. Times are ticks of the trace's "
               "clock, "
               "nanoseconds in what ExecuTorch's own runner writes. With --format json one file gives an "
               "object, "
               "several an array.";
    }
    [[nodiscard]] std::vector<Example> examples() const override {
        return {
            {"et-inspect info model.pte",
             "Methods, inputs, outputs, operators, delegates and sizes of a program"},
            {"et-inspect info --all trace.etdp",
             "Runs, allocators and event names of a trace, with nothing left out"},
            {"et-inspect info --format json *.pte", "The same of many files, for scripts"},
        };
    }

    void addOptions(CLI::App& app) override {
        app.add_option("FILE", files, "Files to describe")->type_name(fileValue)->required();
        addChoice(app, "--format", format, formats, "How to print (default: table)")->group("Output");
        app.add_flag("--all", all, "Show long lists whole")->group("Output");
        addOutputFile(app, output);
    }

    [[nodiscard]] core::Result<ExitCode> run(const Invocation& invocation) override;

  private:
    [[nodiscard]] std::string render(const List& described) const;

    std::vector<fs::path> files;
    InfoFormat format = InfoFormat::Table;
    OutputOptions output;
    bool all = false;
};

std::string InfoVerb::render(const List& described) const {
    std::string text;
    if (format == InfoFormat::Json) {
        inspector::report::appendJson(
            text, files.size() == 1 && described.size() == 1 ? described.front() : Cell(described));
        return text + "\n";
    }
    for (const Cell& info : described) {
        text += text.empty() ? "" : "\n";
        text += all ? infoText(std::get<Dict>(info), 0) : infoText(summed(std::get<Dict>(info)), longestList);
    }
    return text;
}

core::Result<ExitCode> InfoVerb::run(const Invocation& invocation) {
    List described;
    ExitCode code = ExitCode::Fine;
    for (const fs::path& path : files) {
        auto info = core::MappedFile::open(path).and_then(artifactInfo);
        if (info) {
            described.emplace_back(std::move(*info));
            continue;
        }
        invocation.console.complain(info.error().toString());
        code = worse(code, exitCode(info.error().code));
    }
    if (described.empty()) {
        return code;
    }
    ET_TRY(deliver(invocation.console, output, producerOf(render(described)), files));
    return code;
}

}  // namespace

std::unique_ptr<Verb> makeInfoVerb() {
    return std::make_unique<InfoVerb>();
}

}  // namespace et::cli
