#pragma once

#include "app/cli/console.h"
#include "app/cli/options.h"
#include "inspector/format/table.h"
#include "runtime/core/result.h"

#include <filesystem>
#include <initializer_list>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace et::cli {

enum class Colour : std::uint8_t { Auto, Always, Never };

/// Destination and appearance of a command's output.
struct OutputOptions {
    std::string path;  ///< empty or "-": stdout
    Colour colour = Colour::Auto;
    std::optional<std::size_t> width;  ///< given by the user; 0: unlimited

    [[nodiscard]] bool toStdout() const { return path.empty() || path == "-"; }
    /// True if the output goes directly to a terminal.
    [[nodiscard]] bool toTerminal(const Console& console) const {
        return toStdout() && console.outIsTerminal();
    }
    [[nodiscard]] inspector::format::Style style(const Console& console) const;
};

/// Formats of a command's output.
enum class OutputFormat : std::uint8_t { Text, Table, Json, JsonLines, Csv, Markdown, Svg, GitHub, Chrome };

/// Adds --format; the first of `formats` is the default that help names between `subject` and `remark`.
Option& addFormat(OptionList& options, OutputFormat& format, std::initializer_list<OutputFormat> formats,
                  std::string_view subject = "Output format", std::string_view remark = {});
/// Adds -o/--output.
void addOutputFile(OptionList& options, OutputOptions& output);
/// Adds -o/--output, --color and --width.
void addOutputOptions(OptionList& options, OutputOptions& output);

/// Writes the output to its destination. `inputs` are the files that were read, which the output must not
/// replace. Errors: Io, InvalidArgument, the producer's.
[[nodiscard]] core::Result<> deliver(Console& console, const OutputOptions& output,
                                     const tasks::Producer& producer,
                                     const std::vector<std::filesystem::path>& inputs);

/// Escapes control characters in `text` except line breaks and tabs, so that text from files cannot control a
/// terminal.
[[nodiscard]] std::string terminalSafe(std::string_view text);

}  // namespace et::cli
