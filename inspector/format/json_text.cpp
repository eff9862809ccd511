#include "inspector/format/json_text.h"

#include "inspector/format/formats.h"
#include "inspector/format/python_text.h"
#include "runtime/core/utf8.h"

#include <fmt/format.h>

#include <cmath>
#include <iterator>

namespace et::inspector::report {
namespace {

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

struct Appender {
    std::string& out;

    void operator()(std::monostate) const { out += "null"; }
    void operator()(bool value) const { out += value ? "true" : "false"; }
    void operator()(std::int64_t value) const { fmt::format_to(std::back_inserter(out), "{}", value); }
    void operator()(std::uint64_t value) const { fmt::format_to(std::back_inserter(out), "{}", value); }
    void operator()(double value) const { out += std::isfinite(value) ? pythonFloat(value) : "null"; }
    void operator()(const std::string& value) const { appendJsonString(out, value); }
    template <class T>
    void operator()(const std::vector<T>& items) const {
        sequence('[', ']', items, [this](const T& item) { (*this)(item); });
    }
    void operator()(const List& items) const {
        sequence('[', ']', items, [this](const Cell& item) { appendJson(out, item); });
    }
    void operator()(const Dict& items) const {
        sequence('{', '}', items, [this](const auto& item) {
            appendJsonString(out, item.first);
            out += ": ";
            appendJson(out, item.second);
        });
    }

    template <class Items, class Append>
    void sequence(char open, char close, const Items& items, Append append) const {
        out += open;
        for (bool first = true; const auto& item : items) {
            out += first ? "" : ", ";
            first = false;
            append(item);
        }
        out += close;
    }
};

}  // namespace

void appendJsonString(std::string& out, std::string_view text) {
    out += '"';
    while (!text.empty()) {
        const std::size_t length = core::utf8SequenceLength(text);
        if (length == 0) {
            out += "\xEF\xBF\xBD";
        } else {
            appendCharacter(out, text.substr(0, length));
        }
        text.remove_prefix(length == 0 ? 1 : length);
    }
    out += '"';
}

void appendJson(std::string& out, const Cell& value) {
    std::visit(Appender{out}, value);
}

std::string jsonRows(const Table& table) {
    std::string out = "[";
    for (std::size_t row = 0; row < table.rows.size(); ++row) {
        out += row == 0 ? "\n" : ",\n";
        for (std::size_t i = 0; i < table.columns.size(); ++i) {
            out += i == 0 ? "{" : ", ";
            appendJsonString(out, table.columns[i].id);
            out += ": ";
            appendJson(out, table.rows[row][i]);
        }
        out += '}';
    }
    return out + (table.rows.empty() ? "]\n" : "\n]\n");
}

}  // namespace et::inspector::report
