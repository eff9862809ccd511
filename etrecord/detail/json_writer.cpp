#include "etrecord/detail/json_writer.h"

#include <fmt/format.h>

#include <cmath>
#include <iterator>

namespace et::etrecord::detail {

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
    for (const char c : content) {
        if (c == '"' || c == '\\') {
            text += '\\';
            text += c;
        } else if (static_cast<unsigned char>(c) < 0x20) {
            fmt::format_to(std::back_inserter(text), "\\u{:04x}", static_cast<unsigned char>(c));
        } else {
            text += c;
        }
    }
    text += '"';
}

void JsonWriter::integer(std::int64_t value) {
    separate();
    fmt::format_to(std::back_inserter(text), "{}", value);
}

void JsonWriter::number(double value) {
    separate();
    if (std::isnan(value)) {
        text += "NaN";
    } else if (std::isinf(value)) {
        text += value < 0 ? "-Infinity" : "Infinity";
    } else {
        // The shortest text that reads back as the same double; a whole number keeps its point.
        const std::string shortest = fmt::format("{}", value);
        text += shortest;
        text += shortest.find_first_of(".e") == std::string::npos ? ".0" : "";
    }
}

}  // namespace et::etrecord::detail
