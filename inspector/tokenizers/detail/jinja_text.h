#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

/// Text with Python's semantics: a sequence of characters, encoded as UTF-8.
namespace et::inspector::tokenizers::detail::jinja {

[[nodiscard]] std::vector<std::string_view> splitCharacters(std::string_view text);
/// Removes characters in `letters` from the ends selected by `left` and `right`.
[[nodiscard]] std::string stripped(std::string_view text, std::string_view letters, bool left, bool right);
/// Converts ASCII letters only.
[[nodiscard]] std::string upper(std::string_view text);
[[nodiscard]] std::string lower(std::string_view text);
/// First letter (of each word, if `eachWord`) in upper case, the others in lower case.
[[nodiscard]] std::string capitalized(std::string_view text, bool eachWord);
/// Splits at `separator`, or at blanks if it is empty; `most` is the maximum number of splits.
[[nodiscard]] std::vector<std::string> split(std::string_view text, std::string_view separator,
                                             std::size_t most);
/// Replaces the first `most` occurrences of `from`, which must not be empty.
[[nodiscard]] std::string replaced(std::string_view text, std::string_view from, std::string_view to,
                                   std::size_t most);

inline constexpr std::string_view blanks = " \t\r\n\f\v";

}  // namespace et::inspector::tokenizers::detail::jinja
