#pragma once

#include <string>
#include <string_view>

namespace et::inspector::tokenizers::detail {

inline constexpr std::string_view replacementCharacter = "\xEF\xBF\xBD";

/// Replacement of invalid UTF-8.
enum class Replace : unsigned char {
    Sequences,  ///< one U+FFFD per maximal prefix of a character (as in Unicode, Python and Rust)
    Bytes,      ///< one U+FFFD per byte (as in SentencePiece)
};

/// Converts a stream of bytes to UTF-8; an incomplete character is held back until completed.
class Utf8Stream {
  public:
    explicit Utf8Stream(Replace how) : rule(how) {}

    /// Returns the characters completed by `bytes`.
    [[nodiscard]] std::string push(std::string_view bytes);
    /// Returns the incomplete character, replaced.
    [[nodiscard]] std::string flush();

  private:
    Replace rule;
    std::string waiting;
};

/// Converts `bytes` to valid UTF-8.
[[nodiscard]] std::string utf8Lossy(std::string_view bytes, Replace rule);

}  // namespace et::inspector::tokenizers::detail
