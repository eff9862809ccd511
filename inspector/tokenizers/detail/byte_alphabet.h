#pragma once

#include <optional>
#include <string>
#include <string_view>

namespace et::inspector::tokenizers::detail {

/// Maps bytes to GPT-2's alphabet of printable characters. Bytes printable in Latin-1 are unchanged, the
/// others are numbered from U+0100 on ("Ġ" is a space). Appends to `out`.
void appendByteCharacters(std::string_view bytes, std::string& out);

/// The byte of a character in the alphabet.
[[nodiscard]] std::optional<char> byteOfCharacter(char32_t character);

/// The bytes of a token in that alphabet; nothing if it contains another character.
[[nodiscard]] std::optional<std::string> bytesOfCharacters(std::string_view token);

}  // namespace et::inspector::tokenizers::detail
