#include "app/cli/output_options.h"

#include "app/cli/command_doc.h"
#include "app/cli/option_types.h"
#include "app/tasks/output_file.h"

#include <fmt/format.h>

#include <array>
#include <system_error>

namespace et::cli {
namespace {

namespace fs = std::filesystem;

constexpr std::array colours{
    Word{"auto", Colour::Auto},
    Word{"always", Colour::Always},
    Word{"never", Colour::Never},
};

}  // namespace

inspector::report::Style OutputOptions::style(const Console& console) const {
    const bool terminal = toTerminal(console);
    const bool coloured =
        colour == Colour::Always || (colour == Colour::Auto && terminal && console.wantsColour());
    const std::size_t available = terminal ? console.width().value_or(0) : 0;
    return {.colour = coloured, .width = width.value_or(available)};
}

void addOutputFile(CLI::App& app, OutputOptions& output) {
    app.add_option("-o,--output", output.path, "Write to this file instead of stdout, whole or not at all")
        ->type_name(fileValue)
        ->group("Output");
}

void addOutputOptions(CLI::App& app, OutputOptions& output) {
    addOutputFile(app, output);
    addChoice(app, "--color,--colour", output.colour, colours,
              "When to use colours; auto: on a terminal, unless NO_COLOR is set")
        ->group("Output");
    const auto setWidth = [&output](const std::size_t& columns) { output.width = columns; };
    restrictToWhole(
        app.add_option_function<std::size_t>(
            "--width", setWidth,
            "Columns to fit a table into; 0: no limit. Without it the terminal's own width counts "
            "(COLUMNS overrides), and a file or pipe has no limit"),
        0)
        ->group("Output");
}

core::Result<> refuseToReplace(const fs::path& path, const std::vector<fs::path>& inputs) {
    for (const fs::path& input : inputs) {
        std::error_code unknown;
        if (fs::is_regular_file(path, unknown) && fs::equivalent(path, input, unknown)) {
            return core::fail(core::ErrorCode::InvalidArgument,
                              "is an input of this command, and not replaced", {.file = path.string()});
        }
    }
    return {};
}

core::Result<> deliver(Console& console, const OutputOptions& output, const Producer& producer,
                       const std::vector<fs::path>& inputs) {
    if (output.toStdout()) {
        return console.out(producer);
    }
    ET_TRY(refuseToReplace(output.path, inputs));
    return writeFile(output.path, producer);
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
