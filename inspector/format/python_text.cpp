#include "inspector/format/python_text.h"

#include "runtime/core/json_writer.h"
#include "runtime/core/utf8.h"

#include <fmt/format.h>

#include <array>
#include <charconv>
#include <cmath>
#include <cstdint>
#include <iterator>

namespace et::inspector::format {
namespace {

struct Range {
    char32_t first, last;
};

/// Non-ASCII code points for which str.isprintable() is false: control, format, private and separator ones.
/// Unassigned code points are treated as printable.
constexpr std::array unprintable{
    Range{0x80, 0xA0},       Range{0xAD, 0xAD},       Range{0x600, 0x605},       Range{0x61C, 0x61C},
    Range{0x6DD, 0x6DD},     Range{0x70F, 0x70F},     Range{0x890, 0x891},       Range{0x8E2, 0x8E2},
    Range{0x1680, 0x1680},   Range{0x180E, 0x180E},   Range{0x2000, 0x200F},     Range{0x2028, 0x202F},
    Range{0x205F, 0x2064},   Range{0x2066, 0x206F},   Range{0x3000, 0x3000},     Range{0xD800, 0xF8FF},
    Range{0xFEFF, 0xFEFF},   Range{0xFFF9, 0xFFFB},   Range{0x110BD, 0x110BD},   Range{0x110CD, 0x110CD},
    Range{0x13430, 0x13438}, Range{0x1BCA0, 0x1BCA3}, Range{0x1D173, 0x1D17A},   Range{0xE0001, 0xE0001},
    Range{0xE0020, 0xE007F}, Range{0xF0000, 0xFFFFD}, Range{0x100000, 0x10FFFD},
};

/// Whitespace removed by str.strip().
constexpr std::array whitespace{
    Range{0x09, 0x0D},     Range{0x1C, 0x20},     Range{0x85, 0x85},     Range{0xA0, 0xA0},
    Range{0x1680, 0x1680}, Range{0x2000, 0x200A}, Range{0x2028, 0x2029}, Range{0x202F, 0x202F},
    Range{0x205F, 0x205F}, Range{0x3000, 0x3000},
};

/// Characters at which str.splitlines() splits; "\r\n" counts as one.
constexpr std::array lineBreaks{Range{0x0A, 0x0D}, Range{0x1C, 0x1E}, Range{0x85, 0x85},
                                Range{0x2028, 0x2029}};

template <std::size_t N>
bool within(const std::array<Range, N>& ranges, char32_t point) {
    for (const Range& range : ranges) {
        if (point >= range.first && point <= range.last) {
            return true;
        }
    }
    return false;
}

/// The character at the start of `text`: its bytes, and its code point (U+FFFD for a stray byte).
struct Character {
    std::string_view bytes;
    char32_t point;
};
Character firstCharacter(std::string_view text) {
    const std::size_t length = core::utf8SequenceLength(text);
    if (length == 0) {
        return {text.substr(0, 1), 0xFFFD};
    }
    return {text.substr(0, length), core::utf8Decode(text.substr(0, length))};
}

Character lastCharacter(std::string_view text) {
    for (std::size_t length = 1; length <= 4 && length <= text.size(); ++length) {
        const std::string_view tail = text.substr(text.size() - length);
        if (core::utf8SequenceLength(tail) == length) {
            return {tail, core::utf8Decode(tail)};
        }
    }
    return {text.substr(text.size() - 1), 0xFFFD};
}

void appendEscaped(std::string& out, Character character, char quote) {
    const char32_t point = character.point;
    switch (point) {
        case U'\n':
            out += "\\n";
            return;
        case U'\r':
            out += "\\r";
            return;
        case U'\t':
            out += "\\t";
            return;
        case U'\\':
            out += "\\\\";
            return;
        default:
            break;
    }
    if (point == static_cast<unsigned char>(quote)) {
        out += '\\';
        out += quote;
    } else if (point >= 0x20 && point != 0x7F && !within(unprintable, point)) {
        out += point == 0xFFFD ? "\xEF\xBF\xBD" : character.bytes;
    } else {
        const auto code = static_cast<std::uint32_t>(point);
        const char* form = code < 0x100 ? "\\x{:02x}" : code < 0x10000 ? "\\u{:04x}" : "\\U{:08x}";
        fmt::format_to(std::back_inserter(out), fmt::runtime(form), code);
    }
}

template <class Items, class Spell>
std::string joined(const Items& items, char open, char close, Spell spell) {
    std::string out(1, open);
    for (bool first = true; const auto& item : items) {
        out += first ? "" : ", ";
        first = false;
        out += spell(item);
    }
    out += close;
    return out;
}

/// repr() of a value within a list or a dictionary.
std::string pythonRepr(const Cell& value) {
    if (const auto* text = std::get_if<std::string>(&value)) {
        return pythonString(*text);
    }
    return pythonValue(value);
}

struct Speller {
    std::string operator()(std::monostate) const { return "None"; }
    std::string operator()(bool value) const { return value ? "True" : "False"; }
    std::string operator()(std::int64_t value) const { return fmt::format("{}", value); }
    std::string operator()(std::uint64_t value) const { return fmt::format("{}", value); }
    std::string operator()(double value) const { return pythonFloat(value); }
    std::string operator()(const std::string& value) const { return value; }
    template <class T>
    std::string operator()(const std::vector<T>& items) const {
        return joined(items, '[', ']', *this);
    }
    std::string operator()(const List& items) const { return joined(items, '[', ']', pythonRepr); }
    std::string operator()(const Dict& items) const {
        return joined(items, '{', '}', [](const auto& item) {
            return pythonString(item.first) + ": " + pythonRepr(item.second);
        });
    }
};

/// Removes digits with single underscores between them from the start of `text`.
bool takeDigits(std::string_view& text, std::string& digits) {
    const auto digitAt = [&](std::size_t i) { return i < text.size() && text[i] >= '0' && text[i] <= '9'; };
    if (!digitAt(0)) {
        return false;
    }
    std::size_t at = 0;
    while (digitAt(at) ||
           (at > 0 && at < text.size() && text[at] == '_' && digitAt(at - 1) && digitAt(at + 1))) {
        if (text[at] != '_') {
            digits += text[at];
        }
        ++at;
    }
    text.remove_prefix(at);
    return true;
}

bool takeSign(std::string_view& text, bool& negative) {
    negative = !text.empty() && text[0] == '-';
    const bool present = negative || (!text.empty() && text[0] == '+');
    text.remove_prefix(present ? 1 : 0);
    return present;
}

std::string asciiLower(std::string_view text) {
    std::string out(text);
    for (char& c : out) {
        c = c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c;
    }
    return out;
}

/// Converts `text` (no sign, no blanks) to plain digits for from_chars; "" if it is not a decimal number.
std::string plainDecimal(std::string_view text) {
    std::string plain;
    bool digits = takeDigits(text, plain);
    if (text.starts_with('.')) {
        plain += '.';
        text.remove_prefix(1);
        digits = takeDigits(text, plain) || digits;
    }
    if (!digits) {
        return {};
    }
    if (text.starts_with('e') || text.starts_with('E')) {
        text.remove_prefix(1);
        bool negative = false;
        takeSign(text, negative);
        plain += negative ? "e-" : "e";
        if (!takeDigits(text, plain)) {
            return {};
        }
    }
    return text.empty() ? plain : std::string{};
}

}  // namespace

std::string pythonFloat(double value) {
    if (!std::isfinite(value)) {
        return std::isnan(value) ? "nan" : value < 0 ? "-inf" : "inf";
    }
    return core::shortestNumber(value);
}

std::string pythonG(double value) {
    if (!std::isfinite(value)) {
        return pythonFloat(value);
    }
    std::array<char, 32> buffer;
    constexpr int significantDigits = 6;
    const auto end = std::to_chars(buffer.data(), buffer.data() + buffer.size(), value,
                                   std::chars_format::general, significantDigits)
                         .ptr;
    return {buffer.data(), end};
}

std::string pythonString(std::string_view text) {
    const bool single = text.find('\'') != std::string_view::npos;
    const bool twofold = text.find('"') != std::string_view::npos;
    const char quote = single && !twofold ? '"' : '\'';
    std::string out(1, quote);
    while (!text.empty()) {
        const Character character = firstCharacter(text);
        appendEscaped(out, character, quote);
        text.remove_prefix(character.bytes.size());
    }
    out += quote;
    return out;
}

std::string pythonValue(const Cell& value) {
    return std::visit(Speller{}, value);
}

std::optional<double> pythonParseFloat(std::string_view text) {
    text = pythonStrip(text);
    bool negative = false;
    takeSign(text, negative);
    const double sign = negative ? -1.0 : 1.0;
    if (const std::string word = asciiLower(text.substr(0, 9)); word == "inf" || word == "infinity") {
        return sign * HUGE_VAL;
    } else if (word == "nan") {
        return std::nan("");
    }
    const std::string plain = plainDecimal(text);
    if (plain.empty()) {
        return std::nullopt;
    }
    double value = 0;
    const auto [end, status] = std::from_chars(plain.data(), plain.data() + plain.size(), value);
    if (status == std::errc::result_out_of_range) {
        value = plain.find("e-") != std::string::npos || plain.starts_with("0.0") || plain.starts_with(".0")
                    ? 0.0
                    : HUGE_VAL;
    }
    return sign * value;
}

bool isPythonInt(std::string_view text) {
    text = pythonStrip(text);
    bool negative = false;
    takeSign(text, negative);
    std::string digits;
    return takeDigits(text, digits) && text.empty();
}

std::string_view pythonStrip(std::string_view text) {
    while (!text.empty() && within(whitespace, firstCharacter(text).point)) {
        text.remove_prefix(firstCharacter(text).bytes.size());
    }
    while (!text.empty() && within(whitespace, lastCharacter(text).point)) {
        text.remove_suffix(lastCharacter(text).bytes.size());
    }
    return text;
}

std::vector<std::string_view> pythonLines(std::string_view text) {
    std::vector<std::string_view> lines;
    std::size_t start = 0;
    for (std::size_t at = 0; at < text.size();) {
        const Character character = firstCharacter(text.substr(at));
        const std::size_t next = at + character.bytes.size();
        if (within(lineBreaks, character.point)) {
            lines.push_back(text.substr(start, at - start));
            start = next + (character.point == U'\r' && text.substr(next).starts_with('\n') ? 1 : 0);
            at = start;
        } else {
            at = next;
        }
    }
    if (start < text.size()) {
        lines.push_back(text.substr(start));
    }
    return lines;
}

}  // namespace et::inspector::format
