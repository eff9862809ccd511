#pragma once

#include "runtime/core/result.h"

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace et::inspector::tokenizers::detail::jinja {

enum class TokenKind : std::uint8_t {
    Text,         ///< text outside tags, after whitespace control
    OutputBegin,  ///< {{
    OutputEnd,    ///< }}
    BlockBegin,   ///< {%
    BlockEnd,     ///< %}
    Name,
    String,  ///< without quotes and escapes
    Integer,
    Float,
    Operator,
    End
};

struct Token {
    TokenKind kind = TokenKind::End;
    std::string text;
    std::size_t line = 1;
};

/// A template error with its line.
[[nodiscard]] std::unexpected<core::Error> templateError(core::ErrorCode code, std::string message,
                                                         std::size_t line);

/// Tokenizes a template; the last token is End. With the settings of Hugging Face's library, the first
/// newline after a block is removed (trim_blocks), as are blanks before a block at the start of a line
/// (lstrip_blocks) and a single newline at the very end. Errors: Format (an unterminated tag or string, an
/// unexpected character).
[[nodiscard]] core::Result<std::vector<Token>> tokensOf(std::string_view source);

}  // namespace et::inspector::tokenizers::detail::jinja
