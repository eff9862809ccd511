#pragma once

#include "runtime/core/result.h"

#include <cstdint>
#include <string>
#include <string_view>

// Unicode properties and normalization (utf8proc), by the older tables of Hugging Face's library. Texts must
// be well-formed UTF-8.
namespace et::inspector::tokenizers::detail {

enum class NormalForm : std::uint8_t { Nfc, Nfd, Nfkc, Nfkd };

/// Errors: Limit (the text is too long).
[[nodiscard]] core::Result<std::string> normalized(std::string_view text, NormalForm form);

/// Converts to lower case by Unicode's default mapping, character by character ("Σ" at the end of a word is
/// "σ").
[[nodiscard]] std::string lowerCase(std::string_view text);

/// White_Space.
[[nodiscard]] bool isWhiteSpace(char32_t character);
/// General category P, or ASCII punctuation, which includes symbols ("$", "+").
[[nodiscard]] bool isPunctuation(char32_t character);
/// General category N.
[[nodiscard]] bool isNumeric(char32_t character);
/// General category Mn.
[[nodiscard]] bool isNonspacingMark(char32_t character);
/// General category M.
[[nodiscard]] bool isMark(char32_t character);
/// General category C, without tab, line breaks and unassigned characters.
[[nodiscard]] bool isControl(char32_t character);
/// The blocks that BERT treats as Chinese characters.
[[nodiscard]] bool isChinese(char32_t character);

void appendUtf8(char32_t character, std::string& out);

/// Size in bytes of the extended grapheme cluster at the start of `text`, which must not be empty.
[[nodiscard]] std::size_t graphemeLength(std::string_view text);

/// Calls `take(character, its bytes)` for each character.
template <class Take>
void eachCharacter(std::string_view text, const Take& take);

}  // namespace et::inspector::tokenizers::detail

#include "runtime/core/utf8.h"

#include <algorithm>

namespace et::inspector::tokenizers::detail {

template <class Take>
void eachCharacter(std::string_view text, const Take& take) {
    while (!text.empty()) {
        const auto lead = static_cast<unsigned char>(text[0]);
        const std::size_t size = lead < 0x80 ? 1 : std::max<std::size_t>(1, core::utf8SequenceLength(text));
        const std::string_view bytes = text.substr(0, size);
        take(size == 1 ? char32_t{lead} : core::utf8Decode(bytes), bytes);
        text.remove_prefix(size);
    }
}

}  // namespace et::inspector::tokenizers::detail
