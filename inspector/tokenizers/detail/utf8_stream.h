#pragma once

#include <string>
#include <string_view>

namespace et::inspector::detail {

inline constexpr std::string_view replacementCharacter = "\xEF\xBF\xBD";

/// What becomes of bytes that are no UTF-8.
enum class Replace : unsigned char {
    Sequences,  ///< one U+FFFD for the longest start of a character (Unicode's rule, Python's and Rust's)
    Bytes,      ///< one U+FFFD for each byte (SentencePiece)
};

/// Makes UTF-8 of bytes that come piece by piece: an unfinished character waits for the rest.
class Utf8Stream {
  public:
    explicit Utf8Stream(Replace how) : rule(how) {}

    /// The characters that `bytes` complete.
    [[nodiscard]] std::string push(std::string_view bytes);
    /// What waits, replaced.
    [[nodiscard]] std::string flush();

  private:
    Replace rule;
    std::string waiting;
};

/// `bytes` as UTF-8.
[[nodiscard]] std::string utf8Lossy(std::string_view bytes, Replace rule);

}  // namespace et::inspector::detail
