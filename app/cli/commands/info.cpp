#include "app/cli/commands/commands.h"
#include "app/cli/output_options.h"
#include "app/output/info/artifact_info.h"
#include "app/output/info/compatibility_info.h"
#include "app/output/info/data_info.h"
#include "app/output/info/info_text.h"
#include "app/output/info/summed.h"
#include "app/output/session/session_info.h"
#include "app/tasks/base/program_file.h"
#include "backends/builtin.h"
#include "inspector/fit/compatibility.h"
#include "inspector/format/json_text.h"
#include "inspector/session/artifact.h"
#include "inspector/store/session_store.h"

#include <filesystem>
#include <string>
#include <utility>
#include <vector>

namespace et::cli {
namespace {

namespace fs = std::filesystem;
using inspector::format::Cell;
using inspector::format::Dict;
using inspector::format::List;

constexpr std::size_t infoListRows = 20;
constexpr std::size_t shownReasons = 3;

/// Describes files.
class InfoCommand final : public Command {
  public:
    InfoCommand()
        : Command("info",
                  "Describe programs, traces, ETRecords, bundled programs, external weights and sessions") {}

    [[nodiscard]] std::string details() const override {
        return "The kind of a file is detected from its content, not from its name. Times are ticks of the "
               "trace's clock: nanoseconds in traces of ExecuTorch's own runner. A program is checked "
               "against the external weights and ETRecord given with it; a mismatch is a warning. With "
               "--format json, one file gives an object, several files an array.\n\n--compatibility "
               "compares programs (.pte, .bpte, .ptn) with ExecuTorch 1.0 to 1.6: operators, backends, "
               "contents of delegates and features of the format. It lists the kernel libraries that the "
               "runtime must contain.";
    }
    [[nodiscard]] std::vector<Example> examples() const override {
        return {
            {"et-inspect info model.pte",
             "Show methods, inputs, outputs, operators, delegates and sizes of a program"},
            {"et-inspect info --all trace.etdp", "Show runs, allocators and all event names of a trace"},
            {"et-inspect info --format json *.pte", "Describe many files, for scripts"},
            {"et-inspect info --compatibility model.pte",
             "Show which releases of ExecuTorch load and run a program, and what the others lack"},
        };
    }

    void addOptions(OptionList& options) override {
        options.file("FILE", files, "Files to describe; '-' is stdin").mustBeGiven();
        addFormat(options, format, {OutputFormat::Table, OutputFormat::Json}).in("Output");
        options.flag("--compatibility", compatibility,
                     "Show which releases of ExecuTorch load and run a program");
        options.flag("--all", all, "Do not shorten long lists").in("Output");
        addOutputFile(options, output);
    }

    [[nodiscard]] core::Result<tasks::ExitCode> run(const Invocation& invocation) override;

  private:
    [[nodiscard]] core::Result<Dict> describeFile(const fs::path& path) const;
    [[nodiscard]] std::string render(const List& described) const;

    std::vector<fs::path> files;
    OutputFormat format = OutputFormat::Table;
    OutputOptions output;
    bool compatibility = false;
    bool all = false;
};

core::Result<Dict> describe(const fs::path& path) {
    ET_ASSIGN(const auto file, inspector::RecognizedFile::open(path));
    if (inspector::store::isDatabase(file)) {
        ET_ASSIGN(const auto store, inspector::store::SessionStore::open(path));
        ET_ASSIGN(Dict session, output::sessionInfo(store));
        Dict info{{"file", path.string()}, {"kind", std::string("session")}};
        output::append(info, std::move(session));
        return info;
    }
    return output::artifactInfo(file);
}

core::Result<inspector::Compatibility> compatibilityOf(const fs::path& path) {
    ET_ASSIGN(auto file, inspector::RecognizedFile::open(path));
    if (file.kind == core::FileKind::Package) {
        return inspector::packageCompatibility();
    }
    ET_ASSIGN(const auto opened, tasks::ProgramFile::parse(std::move(file)));
    return inspector::checkCompatibility(*opened.program, backends::describable());
}

core::Result<Dict> InfoCommand::describeFile(const fs::path& path) const {
    if (!compatibility) {
        return describe(path);
    }
    ET_ASSIGN(const auto found, compatibilityOf(path));
    Dict info{{"file", path.string()}};
    output::append(info, format == OutputFormat::Json
                             ? output::compatibilityInfo(found)
                             : output::compatibilityRows(found, all ? 0 : shownReasons));
    return info;
}

std::string InfoCommand::render(const List& described) const {
    if (format == OutputFormat::Json) {
        return inspector::format::jsonLine(files.size() == 1 && described.size() == 1 ? described.front()
                                                                                      : Cell(described));
    }
    std::string text;
    for (const Cell& info : described) {
        text += text.empty() ? "" : "\n";
        text += all ? output::infoText(std::get<Dict>(info), 0)
                    : output::infoText(output::summed(std::get<Dict>(info)), infoListRows);
    }
    return text;
}

core::Result<tasks::ExitCode> InfoCommand::run(const Invocation& invocation) {
    List described;
    tasks::ExitCode code = tasks::ExitCode::Fine;
    const std::vector<output::DataInfo> checked =
        compatibility ? std::vector<output::DataInfo>() : output::dataInfo(files);
    for (const fs::path& path : files) {
        auto info = describeFile(path);
        if (info) {
            described.emplace_back(std::move(*info));
            output::addDataInfo(path, checked, std::get<Dict>(described.back()));
            continue;
        }
        invocation.console.complain(info.error().toString());
        code = tasks::worse(code, tasks::exitCode(info.error().code));
    }
    if (described.empty()) {
        return code;
    }
    ET_TRY(deliver(invocation.console, output, tasks::producerOf(render(described)), files));
    for (const output::DataInfo& each : checked) {
        invocation.console.warnAll(each.contradictions);
    }
    return code;
}

}  // namespace

const CommandFactory makeInfoCommand = newCommand<InfoCommand>;

}  // namespace et::cli
