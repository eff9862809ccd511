#pragma once

#include <optional>
#include <string>
#include <string_view>

namespace et::inspector::detail {

/// GPT-2's alphabet: a printable character for each byte. Bytes that print in Latin-1 are themselves, the
/// others follow from U+0100 on ("Ġ" is a space). Appends to `out`.
void appendByteCharacters(std::string_view bytes, std::string& out);

/// The byte of a character of the alphabet.
[[nodiscard]] std::optional<char> byteOfCharacter(char32_t character);

/// The bytes of a token in that alphabet; nothing where it has another character.
[[nodiscard]] std::optional<std::string> bytesOfCharacters(std::string_view token);

}  // namespace et::inspector::detail
