#pragma once

#include "runtime/core/result.h"

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace et::inspector::detail::jinja {

enum class TokenKind : std::uint8_t {
    Text,         ///< outside of tags, what whitespace control leaves of it
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

/// An error of a template, with its line.
[[nodiscard]] std::unexpected<core::Error> templateError(core::ErrorCode code, std::string message,
                                                         std::size_t line);

/// The tokens of a template, the last of them End. As Hugging Face's library has it, the first new line
/// behind a block goes (trim_blocks), and so do blanks before a block that begins its line (lstrip_blocks);
/// one new line at the very end is dropped. Errors: Format (a tag or a string that does not end, an odd
/// character).
[[nodiscard]] core::Result<std::vector<Token>> tokensOf(std::string_view source);

}  // namespace et::inspector::detail::jinja
