#include "runtime/core/json_writer.h"

#include "runtime/core/utf8.h"

#include <fmt/format.h>

#include <array>
#include <charconv>
#include <cmath>
#include <iterator>

namespace et::core {
namespace {

/// Appends a character, escaped for a JSON string.
void appendCharacter(std::string& out, std::string_view bytes) {
    switch (bytes[0]) {
        case '"':
            out += "\\\"";
            return;
        case '\\':
            out += "\\\\";
            return;
        case '\n':
            out += "\\n";
            return;
        case '\r':
            out += "\\r";
            return;
        case '\t':
            out += "\\t";
            return;
        default:
            break;
    }
    if (const auto first = static_cast<unsigned char>(bytes[0]); first < 0x20 || first == 0x7F) {
        fmt::format_to(std::back_inserter(out), "\\u{:04x}", first);
    } else {
        out += bytes;
    }
}

std::string_view pythonName(double nonFinite) {
    return std::isnan(nonFinite) ? "NaN" : nonFinite < 0 ? "-Infinity" : "Infinity";
}

}  // namespace

std::string shortestNumber(double finite) {
    std::array<char, 64> buffer;
    const double size = std::fabs(finite);
    const auto form =
        size == 0 || (size >= 1e-4 && size < 1e16) ? std::chars_format::fixed : std::chars_format::scientific;
    const auto end = std::to_chars(buffer.data(), buffer.data() + buffer.size(), finite, form).ptr;
    std::string text(buffer.data(), end);
    if (form == std::chars_format::fixed && !text.contains('.')) {
        text += ".0";
    }
    return text;
}

void JsonWriter::separate() {
    if (needsComma) {
        text += ", ";
    }
    needsComma = true;
}

void JsonWriter::open(char bracket) {
    separate();
    text += bracket;
    needsComma = false;
}

void JsonWriter::close(char bracket) {
    text += bracket;
    needsComma = true;
}

void JsonWriter::raw(std::string_view json) {
    separate();
    text += json;
}

void JsonWriter::key(std::string_view name) {
    separate();
    quoted(name);
    text += ": ";
    needsComma = false;
}

void JsonWriter::string(std::string_view content) {
    separate();
    quoted(content);
}

void JsonWriter::quoted(std::string_view content) {
    text += '"';
    while (!content.empty()) {
        const std::size_t length = utf8SequenceLength(content);
        if (length == 0) {
            text += "\xEF\xBF\xBD";
        } else {
            appendCharacter(text, content.substr(0, length));
        }
        content.remove_prefix(length == 0 ? 1 : length);
    }
    text += '"';
}

void JsonWriter::integer(std::int64_t value) {
    separate();
    fmt::format_to(std::back_inserter(text), "{}", value);
}

void JsonWriter::integer(std::uint64_t value) {
    separate();
    fmt::format_to(std::back_inserter(text), "{}", value);
}

void JsonWriter::number(double value) {
    if (std::isfinite(value)) {
        raw(shortestNumber(value));
    } else if (numbers == NonFinite::Python) {
        raw(pythonName(value));
    } else {
        null();
    }
}

}  // namespace et::core
