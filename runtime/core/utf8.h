#pragma once

#include <cstddef>
#include <string>
#include <string_view>

namespace et::core {

/// Length (1 to 4) of the well-formed UTF-8 sequence at the start of `text`; 0 if there is none (a stray or
/// overlong byte, a surrogate, a code point above U+10FFFF). `text` must not be empty.
[[nodiscard]] std::size_t utf8SequenceLength(std::string_view text);

/// Code point of one well-formed sequence, as measured by utf8SequenceLength.
[[nodiscard]] char32_t utf8Decode(std::string_view sequence);

/// Replaces every byte that is not part of a well-formed sequence by U+FFFD.
[[nodiscard]] std::string utf8Repaired(std::string_view text);

/// Number of code points in `text`; a stray byte counts as one.
[[nodiscard]] std::size_t utf8Length(std::string_view text);

}  // namespace et::core
