#include "app/cli/commands/commands.h"
#include "app/cli/output_options.h"
#include "app/cli/standard_input.h"
#include "app/pages/info/artifact_info.h"
#include "app/pages/info/info_text.h"
#include "app/pages/info/summed.h"
#include "app/pages/session/session_info.h"
#include "inspector/format/json_text.h"
#include "inspector/store/session_store.h"

#include <array>
#include <filesystem>
#include <string>
#include <vector>

namespace et::app {
namespace {

namespace fs = std::filesystem;

enum class InfoFormat : std::uint8_t { Table, Json };

constexpr std::array infoFormats{Choice{"table", InfoFormat::Table}, Choice{"json", InfoFormat::Json}};

constexpr std::size_t infoListRows = 20;

/// Describes files.
class InfoVerb final : public Verb {
  public:
    [[nodiscard]] std::string_view name() const override { return "info"; }
    [[nodiscard]] std::string_view summary() const override {
        return "Describe programs, traces, ETRecords, bundled programs, external weights, tokenizers and "
               "sessions";
    }
    [[nodiscard]] std::string details() const override {
        return "The kind of a file is detected from its content, not from its name. Times are ticks of the "
               "trace's clock: nanoseconds if ExecuTorch's own runner wrote it. With --format json, one file "
               "gives an object, several files an array.";
    }
    [[nodiscard]] std::vector<Example> examples() const override {
        return {
            {"et-inspect info model.pte",
             "Show methods, inputs, outputs, operators, delegates and sizes of a program"},
            {"et-inspect info --all trace.etdp", "Show runs, allocators and all event names of a trace"},
            {"et-inspect info --format json *.pte", "Describe many files, for scripts"},
        };
    }

    void addOptions(OptionList& options) override {
        options.file("FILE", files, "Files to describe; '-' is stdin").mustBeGiven();
        options.choice("--format", format, infoFormats, "Output format (default: table)").in("Output");
        options.flag("--all", all, "Do not shorten long lists").in("Output");
        addOutputFile(options, output);
    }

    [[nodiscard]] core::Result<ExitCode> run(const Invocation& invocation) override;

  private:
    [[nodiscard]] std::string render(const List& described) const;

    std::vector<fs::path> files;
    InfoFormat format = InfoFormat::Table;
    OutputOptions output;
    bool all = false;
};

core::Result<Dict> describe(const fs::path& path) {
    if (inspector::store::isDatabase(path)) {
        ET_ASSIGN(const auto store, inspector::store::SessionStore::open(path));
        ET_ASSIGN(Dict session, sessionInfo(store));
        Dict info{{"file", path.string()}, {"kind", std::string("session")}};
        append(info, std::move(session));
        return info;
    }
    return core::MappedFile::open(path).and_then(artifactInfo);
}

std::string InfoVerb::render(const List& described) const {
    std::string text;
    if (format == InfoFormat::Json) {
        inspector::report::appendJson(
            text, files.size() == 1 && described.size() == 1 ? described.front() : Cell(described));
        return text + "\n";
    }
    for (const Cell& info : described) {
        text += text.empty() ? "" : "\n";
        text +=
            all ? infoText(std::get<Dict>(info), 0) : infoText(summed(std::get<Dict>(info)), infoListRows);
    }
    return text;
}

core::Result<ExitCode> InfoVerb::run(const Invocation& invocation) {
    List described;
    ExitCode code = ExitCode::Fine;
    for (const fs::path& path : files) {
        auto info = describe(path);
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
    ET_TRY(deliver(invocation.console, output, producerOf(namingStandardInput(render(described))), files));
    return code;
}

}  // namespace

std::unique_ptr<Verb> makeInfoVerb() {
    return std::make_unique<InfoVerb>();
}

}  // namespace et::app
