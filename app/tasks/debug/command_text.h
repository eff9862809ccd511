#pragma once

#include <charconv>
#include <optional>
#include <string_view>
#include <system_error>

// Words and numbers in commands.
namespace et::tasks {

/// Removes the blanks around `text`.
[[nodiscard]] std::string_view withoutBlanks(std::string_view text);
/// Removes the first word from `text`, with the blanks around it, and returns it.
[[nodiscard]] std::string_view takeWord(std::string_view& text);

/// Nothing if `text` is anything but a number of this type.
template <class T>
[[nodiscard]] std::optional<T> parseNumber(std::string_view text) {
    T number{};
    const auto [end, error] = std::from_chars(text.begin(), text.end(), number);
    return error == std::errc{} && end == text.end() ? std::optional(number) : std::nullopt;
}

}  // namespace et::tasks
