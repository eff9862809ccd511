#pragma once

#include "inspector/fit/settings_text.h"
#include "runtime/core/result.h"

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

// Lines of a settings text, and code shared by their readers.
namespace et::inspector::fit::detail {

inline constexpr std::size_t maxSettingsDepth = 40;
inline constexpr std::string_view blanks = " \t";

/// A non-empty line, without its comment.
struct Line {
    std::size_t indent = 0;
    std::string_view text;  ///< from the first non-blank character
    std::size_t number = 0;
};

[[nodiscard]] std::vector<Line> splitLines(std::string_view text);

/// Removes surrounding blanks.
[[nodiscard]] std::string_view trimmed(std::string_view text);

/// Position of the colon after the key at the start of a line; empty if there is none. Colons not followed by
/// a blank belong to the key: "aten::add.out".
[[nodiscard]] std::optional<std::size_t> keyEnd(std::string_view text);

[[nodiscard]] Setting::Pointer made(decltype(Setting::content) content, std::size_t line,
                                    bool quoted = false);
/// A plain scalar, or null.
[[nodiscard]] Setting::Pointer plain(std::string_view text, std::size_t line);

[[nodiscard]] std::unexpected<core::Error> wrongSetting(std::string_view file, std::size_t line,
                                                        std::string message,
                                                        core::ErrorCode code = core::ErrorCode::Format);

/// Parses braces, brackets and quoted strings, over any number of lines.
class FlowReader {
  public:
    /// Starts at `text`, the end of line `line` of `all`.
    FlowReader(const std::vector<Line>& all, std::size_t line, std::string_view text, std::string_view name)
        : lines(all), at(line), rest(text), file(name) {}

    /// Parses one value, which must end its last line. `depth`: nesting level. Errors: Format, Limit.
    [[nodiscard]] core::Result<Setting::Pointer> read(std::size_t depth);
    /// Parses one quoted string, which must end its line. Errors: Format.
    [[nodiscard]] core::Result<std::string> readQuoted();
    /// Index of the line in which parsing ended.
    [[nodiscard]] std::size_t line() const { return at; }

  private:
    using Pointer = Setting::Pointer;

    [[nodiscard]] std::unexpected<core::Error> wrong(std::size_t number, std::string message,
                                                     core::ErrorCode code = core::ErrorCode::Format) const {
        return wrongSetting(file, number, std::move(message), code);
    }
    void skipBlanks(bool acrossLines);
    core::Result<Pointer> flow(std::size_t depth);
    core::Result<Pointer> flowList(std::size_t depth);
    core::Result<Pointer> flowMap(std::size_t depth);
    core::Result<std::string> flowKey();
    core::Result<> separator(char closing);
    core::Result<std::string> quotedText();
    [[nodiscard]] std::string unescaped(std::size_t& i) const;
    [[nodiscard]] core::Result<> nothingBehind();

    const std::vector<Line>& lines;
    std::size_t at;
    std::string_view rest;  ///< of the line at `at`
    std::string_view file;
};

}  // namespace et::inspector::fit::detail
