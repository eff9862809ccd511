#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

/// Text as Python has it: a sequence of characters, here of UTF-8.
namespace et::inspector::detail::jinja {

[[nodiscard]] std::vector<std::string_view> charactersOf(std::string_view text);
/// Without characters of `letters` at its ends; `left` and `right` say at which.
[[nodiscard]] std::string stripped(std::string_view text, std::string_view letters, bool left, bool right);
/// Of ASCII letters; others stay.
[[nodiscard]] std::string upper(std::string_view text);
[[nodiscard]] std::string lower(std::string_view text);
/// The first letter (of each word, if `eachWord`) upper, the others lower.
[[nodiscard]] std::string capitalized(std::string_view text, bool eachWord);
/// Parts between `separator`, or between blanks where it is empty; `most` cuts at most.
[[nodiscard]] std::vector<std::string> split(std::string_view text, std::string_view separator,
                                             std::size_t most);
/// The first `most` of `from` replaced. `from` is not empty.
[[nodiscard]] std::string replaced(std::string_view text, std::string_view from, std::string_view to,
                                   std::size_t most);

inline constexpr std::string_view blanks = " \t\r\n\f\v";

}  // namespace et::inspector::detail::jinja
