#include "inspector/tokenizers/detail/regex.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <span>

namespace et::inspector::tokenizers::detail {
namespace {

using core::ErrorCode;
using core::fail;
using core::Result;

/// An escape that the dialects and PCRE2 interpret differently, inside and outside a class.
struct ClassEscape {
    char letter;
    std::string_view inside;
    std::string_view outside;
};

/// PCRE2's own \s includes U+180E, its \w lacks letters outside L, and its \h is a horizontal space.
constexpr std::array classEscapes{
    ClassEscape{'s', R"(\p{White_Space})", R"(\p{White_Space})"},
    ClassEscape{'S', R"(\P{White_Space})", R"(\P{White_Space})"},
    ClassEscape{'d', R"(\p{Nd})", R"(\p{Nd})"},
    ClassEscape{'D', R"(\P{Nd})", R"(\P{Nd})"},
    ClassEscape{'w', R"(\p{Alphabetic}\p{M}\p{Nd}\p{Pc})", R"([\p{Alphabetic}\p{M}\p{Nd}\p{Pc}])"},
    ClassEscape{'W', {}, R"([^\p{Alphabetic}\p{M}\p{Nd}\p{Pc}])"},
};

/// Rust's \w also includes the characters with Join_Control (Unicode TR 18, annex C).
constexpr std::array rustEscapes{
    ClassEscape{'w', R"(\p{Alphabetic}\p{M}\p{Nd}\p{Pc}\x{200C}\x{200D})",
                R"([\p{Alphabetic}\p{M}\p{Nd}\p{Pc}\x{200C}\x{200D}])"},
    ClassEscape{'W', {}, R"([^\p{Alphabetic}\p{M}\p{Nd}\p{Pc}\x{200C}\x{200D}])"},
};

/// The escape in a dialect; null: as PCRE2 interprets it.
const ClassEscape* findEscape(char letter, RegexDialect dialect) {
    const auto among = [letter](std::span<const ClassEscape> escapes) {
        const auto found = std::ranges::find(escapes, letter, &ClassEscape::letter);
        return found == escapes.end() ? nullptr : &*found;
    };
    const ClassEscape* const own = dialect == RegexDialect::Rust ? among(rustEscapes) : nullptr;
    return own != nullptr ? own : among(classEscapes);
}

/// General categories and similar names, which PCRE2 spells like the dialects.
bool isGeneralCategory(std::string_view name) {
    return name.size() <= 2 || name == "Any";
}

/// Long names of categories and properties; PCRE2 supports only the short ones.
struct LongName {
    std::string_view name;
    std::string_view category;
};
constexpr std::array longNames{
    LongName{"Letter", "L"},
    LongName{"Mark", "M"},
    LongName{"Number", "N"},
    LongName{"Punctuation", "P"},
    LongName{"Symbol", "S"},
    LongName{"Separator", "Z"},
    LongName{"Other", "C"},
    LongName{"Uppercase_Letter", "Lu"},
    LongName{"Lowercase_Letter", "Ll"},
    LongName{"Titlecase_Letter", "Lt"},
    LongName{"Modifier_Letter", "Lm"},
    LongName{"Other_Letter", "Lo"},
    LongName{"Nonspacing_Mark", "Mn"},
    LongName{"Decimal_Number", "Nd"},
    LongName{"Punct", "P"},
    LongName{"Digit", "Nd"},
    LongName{"Space", "White_Space"},
    LongName{"Alpha", "Alphabetic"},
    LongName{"Alphabetic", "Alphabetic"},
    LongName{"White_Space", "White_Space"},
    LongName{"Upper", "Uppercase"},
    LongName{"Lower", "Lowercase"},
    LongName{"Uppercase", "Uppercase"},
    LongName{"Lowercase", "Lowercase"},
    LongName{"Emoji", "Emoji"},
    LongName{"Extended_Pictographic", "Extended_Pictographic"},
    LongName{"Ideographic", "Ideographic"},
};

class Translator {
  public:
    Translator(std::string_view from, RegexDialect of) : pattern(from), dialect(of) {}

    [[nodiscard]] Result<TranslatedPattern> run();

  private:
    [[nodiscard]] std::string_view rest() const { return pattern.substr(at); }
    void copy(std::size_t count) {
        result.text += pattern.substr(at, count);
        at += count;
    }
    [[nodiscard]] std::unexpected<core::Error> unsupported(std::string_view what) const {
        return fail(ErrorCode::Unsupported, fmt::format("the pattern \"{}\" at {}: {}", pattern, at, what));
    }
    [[nodiscard]] Result<> escape();
    [[nodiscard]] Result<> property();
    [[nodiscard]] Result<> codePoint();
    [[nodiscard]] Result<> openBracket();
    void group();

    std::string_view pattern;
    RegexDialect dialect;
    std::size_t at = 0;
    std::size_t depth = 0;  ///< of classes
    TranslatedPattern result;
};

/// \p{Han}, \P{L}, \pL.
Result<> Translator::property() {
    if (rest().size() < 3 || rest()[2] != '{') {
        copy(std::min<std::size_t>(3, rest().size()));
        return {};
    }
    const std::size_t close = rest().find('}');
    if (close == std::string_view::npos) {
        return unsupported("unterminated property");
    }
    std::string_view name = rest().substr(3, close - 3);
    const bool negated = name.starts_with('^');
    name.remove_prefix(negated ? 1 : 0);
    for (const std::string_view prefix : {"Script=", "sc=", "gc=", "General_Category="}) {
        if (name.starts_with(prefix)) {
            name.remove_prefix(prefix.size());
        }
    }
    const auto* const known = std::ranges::find(longNames, name, &LongName::name);
    const std::string spelled = known != longNames.end()  ? std::string(known->category)
                                : isGeneralCategory(name) ? std::string(name)
                                                          : fmt::format("sc:{}", name);
    result.text += fmt::format("{}{{{}{}}}", rest().substr(0, 2), negated ? "^" : "", spelled);
    at += close + 1;
    return {};
}

/// \u0041 and \u{41}, which PCRE2 lacks.
Result<> Translator::codePoint() {
    std::string_view digits;
    if (rest().size() > 2 && rest()[2] == '{') {
        const std::size_t close = rest().find('}');
        if (close == std::string_view::npos) {
            return unsupported("unterminated code point");
        }
        digits = rest().substr(3, close - 3);
        at += close + 1;
    } else {
        const std::size_t count = rest()[1] == 'U' ? 8 : 4;
        digits = rest().substr(2, count);
        at += 2 + digits.size();
    }
    result.text += fmt::format("\\x{{{}}}", digits);
    return {};
}

Result<> Translator::escape() {
    if (rest().size() < 2) {
        return unsupported("trailing backslash");
    }
    const char letter = rest()[1];
    if (letter == 'p' || letter == 'P') {
        return property();
    }
    if (letter == 'u' || (letter == 'U' && dialect == RegexDialect::Rust)) {
        return codePoint();
    }
    if (const ClassEscape* const known = findEscape(letter, dialect)) {
        const std::string_view meaning = depth > 0 ? known->inside : known->outside;
        if (meaning.empty()) {
            return unsupported(fmt::format("\\{} in a character class", letter));
        }
        result.text += meaning;
        at += 2;
        return {};
    }
    if ((letter == 'h' || letter == 'H') && dialect == RegexDialect::Oniguruma) {
        const std::string_view digits = letter == 'h' ? "[0-9a-fA-F]" : "[^0-9a-fA-F]";
        if (depth > 0) {
            return unsupported(fmt::format("\\{} in a character class", letter));
        }
        result.text += digits;
        at += 2;
        return {};
    }
    // The escaped character may have several bytes.
    std::size_t size = 2;
    while (size < rest().size() && (static_cast<unsigned char>(rest()[size]) & 0xC0) == 0x80) {
        ++size;
    }
    copy(size);
    return {};
}

/// Handles '[' at the start of or inside a class.
Result<> Translator::openBracket() {
    if (depth > 0 && rest().starts_with("[:")) {
        const std::size_t close = rest().find(":]");
        if (close == std::string_view::npos) {
            return unsupported("unterminated character class");
        }
        copy(close + 2);
        return {};
    }
    result.nestedClasses = result.nestedClasses || depth > 0;
    ++depth;
    copy(1);
    if (rest().starts_with('^')) {
        copy(1);
    }
    if (rest().starts_with(']')) {
        result.text += '\\';
        copy(1);
    }
    return {};
}

/// "(?": Ruby's m is PCRE2's s.
void Translator::group() {
    copy(2);
    if (dialect != RegexDialect::Oniguruma) {
        return;
    }
    while (!rest().empty() &&
           (rest()[0] == 'i' || rest()[0] == 'm' || rest()[0] == 'x' || rest()[0] == '-')) {
        result.text += rest()[0] == 'm' ? 's' : rest()[0];
        ++at;
    }
}

Result<TranslatedPattern> Translator::run() {
    while (at < pattern.size()) {
        const char here = pattern[at];
        if (here == '\\') {
            ET_TRY(escape());
        } else if (here == '[') {
            ET_TRY(openBracket());
        } else if (here == ']' && depth > 0) {
            --depth;
            copy(1);
        } else if (depth > 0 && rest().starts_with("&&")) {
            result.nestedClasses = true;
            copy(2);
        } else if (depth == 0 && rest().starts_with("(?")) {
            group();
        } else {
            copy(1);
        }
    }
    return result;
}

}  // namespace

Result<TranslatedPattern> translatePattern(std::string_view pattern, RegexDialect dialect) {
    return Translator(pattern, dialect).run();
}

}  // namespace et::inspector::tokenizers::detail
