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

}  // namespace et::inspector::fit::detail
