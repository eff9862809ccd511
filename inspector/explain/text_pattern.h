#pragma once

#include <cstdint>
#include <optional>
#include <string_view>
#include <utility>
#include <vector>

namespace et::inspector {

/// Content of the fields of a pattern, by name. Borrowed from the pattern and the line.
using PatternFields = std::vector<std::pair<std::string_view, std::string_view>>;

/// A text with fields, such as "Backend {backend:w} is not registered". Matching is linear in the length of
/// the line and never backtracks over a literal.
///
///     {name}    one or more characters, up to the next literal text or the end of the line
///     {name:d}  an integer, possibly negative
///     {name:x}  hexadecimal digits, optionally after 0x
///     {name:w}  letters, digits and any of _ . : / -
///     {name:n}  letters, digits and _
///
/// Outside braces a character stands for itself. A pattern starts with literal text.
class TextPattern {
  public:
    explicit TextPattern(std::string_view pattern);

    /// The longest literal part: a line that matches contains it.
    [[nodiscard]] std::string_view anchor() const;
    /// The fields of the first match anywhere in the line.
    [[nodiscard]] std::optional<PatternFields> find(std::string_view line) const;
    /// The fields, and the length of the match at the start of the line. Blanks match at least as many
    /// blanks.
    struct PrefixMatch {
        PatternFields fields;
        std::size_t length = 0;
    };
    [[nodiscard]] std::optional<PrefixMatch> matchStart(std::string_view line) const;
    [[nodiscard]] std::vector<std::string_view> fieldNames() const;

    /// Maximum length of a field's content in bytes.
    static constexpr std::size_t maxField = 240;

  private:
    enum class Kind : std::uint8_t { Literal, Text, Integer, Hex, Word, Name };
    struct Piece {
        Kind kind = Kind::Literal;
        std::string_view text;  ///< the literal, or the name of the field
    };
    [[nodiscard]] std::optional<std::size_t> matchAt(std::string_view line, bool flexible,
                                                     PatternFields& fields) const;
    [[nodiscard]] std::optional<std::size_t> fieldLength(std::size_t piece, std::string_view rest) const;

    std::vector<Piece> pieces;
};

}  // namespace et::inspector
