#include "app/cli/output_options.h"

#include "app/cli/standard_input.h"
#include "app/tasks/base/output_file.h"

#include <fmt/format.h>

#include <array>
#include <utility>

namespace et::cli {
namespace {

namespace fs = std::filesystem;

constexpr std::array colours{
    Choice{"auto", Colour::Auto},
    Choice{"always", Colour::Always},
    Choice{"never", Colour::Never},
};

/// In the order of OutputFormat.
constexpr std::array formatNames{"text",     "table", "json",   "jsonl", "csv",
                                 "markdown", "svg",   "github", "chrome"};

}  // namespace

inspector::format::Style OutputOptions::style(const Console& console) const {
    const bool terminal = toTerminal(console);
    const bool coloured =
        colour == Colour::Always || (colour == Colour::Auto && terminal && console.wantsColour());
    const std::size_t available = terminal ? console.width().value_or(0) : 0;
    return {.colour = coloured, .width = width.value_or(available)};
}

Option& addFormat(OptionList& options, OutputFormat& format, std::initializer_list<OutputFormat> formats,
                  std::string_view subject, std::string_view remark) {
    std::vector<Choice<OutputFormat>> choices;
    for (const OutputFormat each : formats) {
        choices.push_back({.name = formatNames.at(static_cast<std::size_t>(each)), .meaning = each});
    }
    std::string help = fmt::format("{} (default: {}){}", subject, choices.front().name, remark);
    return options.choice("--format", format, std::move(choices), std::move(help));
}

void addOutputFile(OptionList& options, OutputOptions& output) {
    options.text("-o,--output FILE", output.path, "Write to this file instead of stdout").in("Output");
}

void addOutputOptions(OptionList& options, OutputOptions& output) {
    addOutputFile(options, output);
    options
        .choice("--color,--colour", output.colour, colours,
                "When to use colors (default: auto, on a terminal unless NO_COLOR is set)")
        .in("Output");
    options
        .integer(
            "--width", output.width,
            "Maximum table width in columns, 0 for no limit (default: terminal width; no limit in a file "
            "or pipe)")
        .in("Output");
}

core::Result<> deliver(Console& console, const OutputOptions& output, const tasks::Producer& producer,
                       const std::vector<fs::path>& inputs) {
    if (output.toStdout()) {
        return console.out(producer);
    }
    ET_TRY(tasks::refuseToReplace(output.path, inputs));
    return tasks::writeFile(output.path, namingStandardInput(producer));
}

std::string terminalSafe(std::string_view text) {
    std::string safe;
    while (true) {
        const std::size_t end = text.find_first_of("\n\t");
        safe += core::printable(text.substr(0, end));
        if (end == std::string_view::npos) {
            return safe;
        }
        safe += text[end];
        text.remove_prefix(end + 1);
    }
}

}  // namespace et::cli
