#include "inspector/tokenizers/detail/jinja_lexer.h"

#include "inspector/tokenizers/detail/jinja_text.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <utility>

namespace et::inspector::tokenizers::detail::jinja {
namespace {

using core::ErrorCode;
using core::Result;

constexpr std::array<std::string_view, 25> operators{"//", "==", "!=", "<=", ">=", "+", "-", "*", "/",
                                                     "%",  "~",  "<",  ">",  "=",  "(", ")", "[", "]",
                                                     "{",  "}",  ".",  ",",  ":",  "|", ";"};

bool isLetter(char letter) {
    return (letter >= 'a' && letter <= 'z') || (letter >= 'A' && letter <= 'Z') || letter == '_';
}
bool isDigit(char letter) {
    return letter >= '0' && letter <= '9';
}

class Lexer {
  public:
    explicit Lexer(std::string_view text) : source(text) {
        if (source.ends_with('\n')) {
            source.remove_suffix(1);
        }
    }

    Result<std::vector<Token>> run() {
        while (at < source.size()) {
            ET_TRY(lexText());
            if (at < source.size()) {
                ET_TRY(lexTag());
            }
        }
        tokens.push_back({.kind = TokenKind::End, .text = {}, .line = line});
        return std::move(tokens);
    }

  private:
    void add(TokenKind kind, std::string_view text) {
        tokens.push_back({.kind = kind, .text = std::string(text), .line = line});
    }
    void advance(std::size_t count) {
        line += static_cast<std::size_t>(std::ranges::count(source.substr(at, count), '\n'));
        at = std::min(at + count, source.size());
    }
    [[nodiscard]] bool sees(std::string_view text) const { return source.substr(at).starts_with(text); }

    /// Reads text up to the next tag.
    Result<> lexText() {
        std::size_t end = at;
        while (end < source.size() && !(source[end] == '{' && end + 1 < source.size() &&
                                        std::string_view("{%#").contains(source[end + 1]))) {
            ++end;
        }
        std::string_view text = source.substr(at, end - at);
        const char sign = end + 2 < source.size() ? source[end + 2] : ' ';
        const bool isOutput = end + 1 < source.size() && source[end + 1] == '{';
        if (end < source.size() && sign == '-') {
            text = text.substr(0, text.find_last_not_of(blanks) + 1);
        } else if (end < source.size() && sign != '+' && !isOutput) {
            const std::size_t start = text.rfind('\n') + 1;
            const bool beginsLine = start > 0 || lineBegins;
            if (beginsLine && text.find_first_not_of(" \t", start) == std::string_view::npos) {
                text = text.substr(0, start);
            }
        }
        if (!text.empty()) {
            add(TokenKind::Text, text);
        }
        advance(end - at);
        return {};
    }

    Result<> lexTag() {
        const char kind = source[at + 1];
        const std::size_t start = line;
        if (kind == '#') {
            const std::size_t end = source.find("#}", at + 2);
            if (end == std::string_view::npos) {
                return templateError(ErrorCode::Format, "unterminated comment", start);
            }
            const bool strips = end > at + 2 && source[end - 1] == '-';
            advance(end + 2 - at);
            afterTag(strips ? '-' : ' ', true);
            return {};
        }
        add(kind == '{' ? TokenKind::OutputBegin : TokenKind::BlockBegin, {});
        advance(2);
        if (sees("-") || sees("+")) {
            advance(1);
        }
        ET_TRY(lexInside(kind == '{' ? "}}" : "%}", start));
        return kind == '%' ? lexRaw() : Result<>();
    }

    /// Trims text after a tag; `sign` is the tag's last character.
    void afterTag(char sign, bool isBlock) {
        if (sign == '-') {
            const std::size_t next = source.find_first_not_of(blanks, at);
            advance((next == std::string_view::npos ? source.size() : next) - at);
            lineBegins = at > 0 && source[at - 1] == '\n';
        } else if (isBlock && sign != '+' && sees("\n")) {
            advance(1);
            lineBegins = true;
        } else {
            lineBegins = false;
        }
    }

    Result<> lexInside(std::string_view close, std::size_t start) {
        std::size_t open = 0;  // brackets
        while (true) {
            const std::size_t next = source.find_first_not_of(blanks, at);
            advance((next == std::string_view::npos ? source.size() : next) - at);
            if (at >= source.size()) {
                return templateError(ErrorCode::Format, fmt::format("unterminated tag: expected {}", close),
                                     start);
            }
            const bool signedEnd = (sees("-") || sees("+")) && source.substr(at + 1).starts_with(close);
            if (open == 0 && (signedEnd || sees(close))) {
                const char sign = signedEnd ? source[at] : ' ';
                add(close == "}}" ? TokenKind::OutputEnd : TokenKind::BlockEnd, {});
                advance(signedEnd ? 3 : 2);
                afterTag(sign, close == "%}");
                return {};
            }
            const char letter = source[at];
            open += std::string_view("([{").contains(letter) ? 1 : 0;
            open -= open > 0 && std::string_view(")]}").contains(letter) ? 1 : 0;
            ET_TRY(lexToken(letter));
        }
    }

    Result<> lexToken(char letter) {
        if (letter == '"' || letter == '\'') {
            return lexString(letter);
        }
        std::size_t end = at;
        if (isLetter(letter)) {
            while (end < source.size() && (isLetter(source[end]) || isDigit(source[end]))) {
                ++end;
            }
            add(TokenKind::Name, source.substr(at, end - at));
            advance(end - at);
            return {};
        }
        if (isDigit(letter)) {
            const auto digits = [&] {
                while (end < source.size() && isDigit(source[end])) {
                    ++end;
                }
            };
            digits();
            const bool isFloat = end + 1 < source.size() && source[end] == '.' && isDigit(source[end + 1]);
            if (isFloat) {
                ++end;
                digits();
            }
            add(isFloat ? TokenKind::Float : TokenKind::Integer, source.substr(at, end - at));
            advance(end - at);
            return {};
        }
        const auto* const found =
            std::ranges::find_if(operators, [this](std::string_view each) { return sees(each); });
        if (found == operators.end()) {
            return templateError(ErrorCode::Format,
                                 fmt::format("unexpected '{}'", core::printable(source.substr(at, 1))), line);
        }
        add(TokenKind::Operator, *found);
        advance(found->size());
        return {};
    }

    Result<> lexString(char quote) {
        const std::size_t start = line;
        std::string text;
        std::size_t end = at + 1;
        while (end < source.size() && source[end] != quote) {
            if (source[end] == '\\' && end + 1 < source.size()) {
                constexpr std::string_view letters = "ntrbf";
                constexpr std::string_view meant = "\n\t\r\b\f";
                const std::size_t which = letters.find(source[++end]);
                const bool plain = which == std::string_view::npos;
                text += plain && !std::string_view("\\'\"\n").contains(source[end]) ? "\\" : "";
                text += plain ? source[end] : meant[which];
            } else {
                text += source[end];
            }
            ++end;
        }
        if (end >= source.size()) {
            return templateError(ErrorCode::Format, "unterminated string", start);
        }
        advance(end + 1 - at);
        tokens.push_back({.kind = TokenKind::String, .text = std::move(text), .line = start});
        return {};
    }

    /// Reads the literal text after {% raw %}.
    Result<> lexRaw() {
        const std::size_t count = tokens.size();
        const bool isRaw = count >= 3 && tokens[count - 3].kind == TokenKind::BlockBegin &&
                           tokens[count - 2].kind == TokenKind::Name && tokens[count - 2].text == "raw";
        if (!isRaw) {
            return {};
        }
        const std::size_t start = line;
        tokens.resize(count - 3);
        for (std::size_t end = source.find("{%", at); end != std::string_view::npos;
             end = source.find("{%", end + 2)) {
            std::string_view rest = source.substr(end + 2);
            const bool strips = rest.starts_with('-');
            rest.remove_prefix(strips || rest.starts_with('+') ? 1 : 0);
            rest.remove_prefix(std::min(rest.find_first_not_of(blanks), rest.size()));
            if (rest.starts_with("endraw")) {
                std::string_view text = source.substr(at, end - at);
                text = strips ? text.substr(0, text.find_last_not_of(blanks) + 1) : text;
                add(TokenKind::Text, text);
                const std::size_t close = source.find("%}", end);
                if (close == std::string_view::npos) {
                    break;
                }
                const char sign = source[close - 1];
                advance(close + 2 - at);
                afterTag(sign, true);
                return {};
            }
        }
        return templateError(ErrorCode::Format, "unterminated {% raw %}", start);
    }

    std::string_view source;
    std::size_t at = 0;
    std::size_t line = 1;
    bool lineBegins = true;  ///< whether the preceding text ends at the start of a line
    std::vector<Token> tokens;
};

}  // namespace

std::unexpected<core::Error> templateError(core::ErrorCode code, std::string message, std::size_t line) {
    return core::fail(code, std::move(message),
                      {.file = {}, .field = fmt::format("line {}", line), .offset = {}});
}

Result<std::vector<Token>> tokensOf(std::string_view source) {
    return Lexer(source).run();
}

}  // namespace et::inspector::tokenizers::detail::jinja
