#include "inspector/explain/text_pattern.h"

#include <algorithm>

namespace et::inspector {
namespace {

constexpr bool isDigit(char c) {
    return c >= '0' && c <= '9';
}
constexpr bool isHexDigit(char c) {
    return isDigit(c) || (c >= 'a' && c <= 'f') || (c >= 'A' && c <= 'F');
}
constexpr bool isNameCharacter(char c) {
    return isDigit(c) || (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_';
}
constexpr bool isWordCharacter(char c) {
    return isNameCharacter(c) || std::string_view(".:/-").contains(c);
}
constexpr bool isBlank(char c) {
    return c == ' ' || c == '\t';
}

template <class Predicate>
std::size_t runLength(std::string_view text, Predicate matches) {
    return static_cast<std::size_t>(std::ranges::find_if_not(text, matches) - text.begin());
}

/// Length of the literal at the start of the text, where a blank matches one or more; npos: it differs.
std::size_t flexibleLength(std::string_view literal, std::string_view text) {
    std::size_t at = 0;
    for (std::size_t i = 0; i < literal.size(); ++i) {
        const char c = literal[i];
        if (c == ' ') {
            const std::size_t wanted = runLength(literal.substr(i), isBlank);
            const std::size_t blanks = runLength(text.substr(at), isBlank);
            if (blanks < wanted) {
                return std::string_view::npos;
            }
            at += blanks;
            i += wanted - 1;
        } else if (at < text.size() && text[at] == c) {
            ++at;
        } else {
            return std::string_view::npos;
        }
    }
    return at;
}

}  // namespace

TextPattern::TextPattern(std::string_view pattern) {
    while (!pattern.empty()) {
        const std::size_t open = pattern.find('{');
        if (open != 0) {
            pieces.push_back({Kind::Literal, pattern.substr(0, open)});
            pattern.remove_prefix(std::min(open, pattern.size()));
            continue;
        }
        const std::size_t close = std::min(pattern.find('}'), pattern.size() - 1);
        std::string_view name = pattern.substr(1, close - 1);
        Kind kind = Kind::Text;
        if (name.size() > 2 && name[name.size() - 2] == ':') {
            const char letter = name.back();
            kind = letter == 'd'   ? Kind::Integer
                   : letter == 'x' ? Kind::Hex
                   : letter == 'w' ? Kind::Word
                                   : Kind::Name;
            name.remove_suffix(2);
        }
        pieces.push_back({kind, name});
        pattern.remove_prefix(close + 1);
    }
}

std::string_view TextPattern::anchor() const {
    std::string_view longest;
    for (const Piece& piece : pieces) {
        if (piece.kind == Kind::Literal && piece.text.size() > longest.size()) {
            longest = piece.text;
        }
    }
    return longest;
}

std::vector<std::string_view> TextPattern::fieldNames() const {
    std::vector<std::string_view> names;
    for (const Piece& piece : pieces) {
        if (piece.kind != Kind::Literal) {
            names.push_back(piece.text);
        }
    }
    return names;
}

std::optional<std::size_t> TextPattern::fieldLength(std::size_t piece, std::string_view rest) const {
    std::size_t length = 0;
    switch (pieces[piece].kind) {
        case Kind::Integer: {
            const std::size_t sign = rest.starts_with('-') ? 1 : 0;
            length = runLength(rest.substr(sign), isDigit);
            length += length == 0 ? 0 : sign;
            break;
        }
        case Kind::Hex: {
            const std::size_t mark = rest.starts_with("0x") || rest.starts_with("0X") ? 2 : 0;
            length = runLength(rest.substr(mark), isHexDigit);
            length += length == 0 ? 0 : mark;
            break;
        }
        case Kind::Word:
            length = runLength(rest, isWordCharacter);
            break;
        case Kind::Name:
            length = runLength(rest, isNameCharacter);
            break;
        case Kind::Text:
        case Kind::Literal:
            length = piece + 1 == pieces.size() ? std::min(rest.size(), maxField)
                                                : rest.find(pieces[piece + 1].text, 1);
            break;
    }
    if (length == 0 || length > std::min(rest.size(), maxField)) {
        return std::nullopt;
    }
    // A word may have run into the literal that ends it: "operator a.out: 0x12".
    if (pieces[piece].kind == Kind::Word && piece + 1 < pieces.size()) {
        const std::string_view next = pieces[piece + 1].text;
        while (length > 1 && !rest.substr(length).starts_with(next)) {
            --length;
        }
    }
    return length;
}

std::optional<std::size_t> TextPattern::matchAt(std::string_view line, bool flexible,
                                                PatternFields& fields) const {
    std::size_t at = 0;
    for (std::size_t i = 0; i < pieces.size(); ++i) {
        const std::string_view rest = line.substr(at);
        if (pieces[i].kind != Kind::Literal) {
            const std::optional<std::size_t> length = fieldLength(i, rest);
            if (!length) {
                return std::nullopt;
            }
            fields.emplace_back(pieces[i].text, rest.substr(0, *length));
            at += *length;
            continue;
        }
        const std::size_t length = flexible                           ? flexibleLength(pieces[i].text, rest)
                                   : rest.starts_with(pieces[i].text) ? pieces[i].text.size()
                                                                      : std::string_view::npos;
        if (length == std::string_view::npos) {
            return std::nullopt;
        }
        at += length;
    }
    return at;
}

std::optional<PatternFields> TextPattern::find(std::string_view line) const {
    if (pieces.empty() || pieces.front().kind != Kind::Literal) {
        return std::nullopt;
    }
    constexpr std::size_t attempts = 16;
    std::size_t at = 0;
    for (std::size_t i = 0; i < attempts; ++i, ++at) {
        at = line.find(pieces.front().text, at);
        if (at == std::string_view::npos) {
            return std::nullopt;
        }
        PatternFields fields;
        if (matchAt(line.substr(at), false, fields)) {
            return fields;
        }
    }
    return std::nullopt;
}

std::optional<TextPattern::PrefixMatch> TextPattern::matchStart(std::string_view line) const {
    PrefixMatch match;
    const std::optional<std::size_t> length = matchAt(line, true, match.fields);
    if (!length) {
        return std::nullopt;
    }
    match.length = *length;
    return match;
}

}  // namespace et::inspector
