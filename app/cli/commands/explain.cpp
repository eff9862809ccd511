#include "app/cli/commands/commands.h"
#include "app/cli/output_options.h"
#include "app/output/explain/explain_info.h"
#include "app/tasks/explain/explain_run.h"
#include "inspector/format/json_text.h"

#include <unistd.h>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <iostream>
#include <optional>
#include <string>
#include <string_view>
#include <system_error>
#include <vector>

namespace et::cli {
namespace {

namespace fs = std::filesystem;
using core::ErrorCode;
using core::fail;
using core::Result;

constexpr std::int64_t explainSchema = 1;
constexpr std::size_t explainWidth = 100;

/// Explains logs and error codes.
class ExplainCommand final : public Command {
  public:
    ExplainCommand() : Command("explain", "Explain a log or an error code of ExecuTorch") {}

    [[nodiscard]] std::string details() const override {
        return "FILE is a log, a program, its ETRecord or its external weights (.ptd), distinguished by "
               "content; without a log, stdin is read. The log may come from adb logcat, Xcode, a runner, "
               "Python or a serial "
               "console, with prefixes, colors and unrelated lines. The first failure is explained, with "
               "its causes, the most likely first: certain, likely or possible. With a program, the causes "
               "are checked against it. CODE is a number (0x12, 18) or a name (NotFound, "
               "xnn_status_invalid_parameter). The exit code is 1 if the failure is not known.";
    }
    [[nodiscard]] std::vector<Example> examples() const override {
        return {{"adb logcat -d | et-inspect explain model.pte", "Explain why a program failed on a device"},
                {"et-inspect explain log.txt model.pte model.etrecord --format json",
                 "Explain a log, with the Python line of the operator, for scripts"},
                {"et-inspect explain 0x12", "Explain an error code"}};
    }
    void addOptions(OptionList& options) override {
        options.group("Input");
        options
            .text("FILE", names,
                  "Log, program or ETRecord, or the CODE of an error (repeatable); '-' is stdin")
            .takes(fileValue);
        options.flag("--list", list, "List the error codes of ExecuTorch, XNNPACK and the tokenizers");
        options.group("Output");
        addFormat(options, format, {OutputFormat::Text, OutputFormat::Json, OutputFormat::Markdown},
                  "Output format", "; Markdown only with --list");
        addOutputFile(options, output);
    }
    [[nodiscard]] Result<tasks::ExitCode> run(const Invocation& invocation) override;

  private:
    [[nodiscard]] Result<tasks::ExitCode> print(Console& console, const std::string& text,
                                                bool known = true) const;
    [[nodiscard]] Result<tasks::ExitCode> printList(Console& console) const;
    /// Empty if the names are not codes.
    [[nodiscard]] std::optional<std::string> describeCodes(std::size_t width) const;
    [[nodiscard]] Result<tasks::ExitCode> explainFiles(Console& console) const;

    std::vector<std::string> names;
    bool list = false;
    OutputFormat format = OutputFormat::Text;
    OutputOptions output;
};

std::size_t widthOf(const Console& console) {
    return std::min(console.width().value_or(explainWidth), explainWidth);
}

Result<tasks::ExitCode> ExplainCommand::print(Console& console, const std::string& text, bool known) const {
    ET_TRY(deliver(console, output, tasks::producerOf(text), {names.begin(), names.end()}));
    return known ? tasks::ExitCode::Fine : tasks::ExitCode::CheckFailed;
}

Result<tasks::ExitCode> ExplainCommand::printList(Console& console) const {
    switch (format) {
        case OutputFormat::Json:
            return print(console, inspector::format::jsonDocument(explainSchema, output::codesInfo()));
        case OutputFormat::Markdown:
            return print(console, output::codesPage());
        default:
            return print(console, output::codesText());
    }
}

std::optional<std::string> ExplainCommand::describeCodes(std::size_t width) const {
    std::string out;
    for (const std::string& name : names) {
        std::error_code ignored;
        if (name == "-" || fs::exists(name, ignored)) {
            return std::nullopt;
        }
        if (format == OutputFormat::Json) {
            const auto info = output::codeInfo(name);
            out += info ? inspector::format::jsonDocument(explainSchema, *info) : std::string();
        } else {
            out += output::codeText(name, width).value_or(std::string());
        }
    }
    return out.empty() ? std::nullopt : std::optional(out);
}

Result<tasks::ExitCode> ExplainCommand::explainFiles(Console& console) const {
    std::vector<fs::path> paths(names.begin(), names.end());
    const bool named = std::erase(paths, fs::path("-")) > 0;
    ET_ASSIGN(const tasks::ExplainFiles files, tasks::sortFiles(paths));
    inspector::LogScanner scanner;
    for (const fs::path& path : files.logs) {
        std::ifstream in(path, std::ios::binary);
        ET_TRY(tasks::readLog(in, scanner, path.string()));
    }
    if (named || files.logs.empty()) {
        if (::isatty(STDIN_FILENO) != 0) {
            console.warn("reading the log from the terminal; Ctrl-D ends it");
        }
        ET_TRY(tasks::readLog(std::cin, scanner, "stdin"));
    }
    ET_ASSIGN(const inspector::Explanation explanation, tasks::explainLog(files, scanner.finish()));
    const std::string text =
        format == OutputFormat::Json
            ? inspector::format::jsonDocument(explainSchema, output::explanationInfo(explanation))
            : output::explanationText(explanation, widthOf(console));
    return print(console, text, explanation.known);
}

Result<tasks::ExitCode> ExplainCommand::run(const Invocation& invocation) {
    if (format == OutputFormat::Markdown && !list) {
        return fail(ErrorCode::InvalidArgument, "expected --list with --format markdown");
    }
    if (list) {
        return names.empty() ? printList(invocation.console)
                             : fail(ErrorCode::InvalidArgument, "expected no files with --list");
    }
    if (!names.empty()) {
        if (const auto codes = describeCodes(widthOf(invocation.console))) {
            return print(invocation.console, *codes);
        }
    }
    return explainFiles(invocation.console);
}

}  // namespace

const CommandFactory makeExplainCommand = newCommand<ExplainCommand>;

}  // namespace et::cli
