#include "inspector/fit/detail/settings_flow.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <cstdint>
#include <system_error>
#include <utility>

namespace et::inspector::fit::detail {
namespace {

using core::ErrorCode;
using core::Result;

using Pointer = Setting::Pointer;

/// Position of the comment, or the end: a '#' outside quotes at the start or after a blank.
std::size_t endOfContent(std::string_view line) {
    char quote = 0;
    for (std::size_t i = 0; i < line.size(); ++i) {
        const char c = line[i];
        if (quote != 0) {
            i += quote == '"' && c == '\\' ? 1 : 0;
            quote = c == quote ? '\0' : quote;
        } else if ((c == '"' || c == '\'') && (i == 0 || blanks.contains(line[i - 1]) ||
                                               std::string_view("[{,:").contains(line[i - 1]))) {
            quote = c;
        } else if (c == '#' && (i == 0 || blanks.contains(line[i - 1]))) {
            return i;
        }
    }
    return line.size();
}

bool isNullText(std::string_view text) {
    return text.empty() || text == "~" || text == "null" || text == "Null" || text == "NULL";
}

}  // namespace

std::string_view trimmed(std::string_view text) {
    const std::size_t begin = text.find_first_not_of(blanks);
    const std::size_t end = text.find_last_not_of(blanks);
    return begin == std::string_view::npos ? std::string_view() : text.substr(begin, end - begin + 1);
}

std::vector<Line> splitLines(std::string_view text) {
    std::vector<Line> out;
    for (std::size_t number = 1; !text.empty(); ++number) {
        const std::size_t end = text.find('\n');
        std::string_view line = text.substr(0, end);
        text = end == std::string_view::npos ? std::string_view() : text.substr(end + 1);
        if (line.ends_with('\r')) {
            line.remove_suffix(1);
        }
        line = line.substr(0, endOfContent(line));
        const std::string_view content = trimmed(line);
        if (content.empty() || (content == "---" && out.empty())) {
            continue;
        }
        out.push_back({.indent = static_cast<std::size_t>(content.data() - line.data()),
                       .text = content,
                       .number = number});
    }
    if (!out.empty() && out.back().text == "...") {
        out.pop_back();
    }
    return out;
}

std::optional<std::size_t> keyEnd(std::string_view text) {
    if (text.starts_with('{') || text.starts_with('[')) {
        return std::nullopt;
    }
    std::size_t from = 0;
    if (text.starts_with('"') || text.starts_with('\'')) {
        from = text.find(text.front(), 1);
        if (from == std::string_view::npos) {
            return std::nullopt;
        }
    }
    for (std::size_t i = from; i < text.size(); ++i) {
        if (text[i] == ':' && i > 0 && (i + 1 == text.size() || blanks.contains(text[i + 1]))) {
            return i;
        }
    }
    return std::nullopt;
}

Setting::Pointer made(decltype(Setting::content) content, std::size_t line, bool quoted) {
    auto out = std::make_shared<Setting>();
    std::size_t height = 0;
    if (const auto* const list = std::get_if<Setting::List>(&content)) {
        for (const Pointer& item : *list) {
            height = std::max(height, item->height + 1);
        }
    } else if (const auto* const map = std::get_if<Setting::Map>(&content)) {
        for (const auto& [key, value] : *map) {
            height = std::max(height, value->height + 1);
        }
    }
    out->height = height;
    out->content = std::move(content);
    out->quoted = quoted;
    out->line = line;
    return out;
}

Setting::Pointer plain(std::string_view text, std::size_t line) {
    return isNullText(text) ? made({}, line) : made(std::string(text), line);
}

std::unexpected<core::Error> wrongSetting(std::string_view file, std::size_t line, std::string message,
                                          core::ErrorCode code) {
    return core::fail(code, std::move(message),
                      {.file = std::string(file), .field = fmt::format("line {}", line), .offset = {}});
}

using Pointer = Setting::Pointer;

Result<Pointer> FlowReader::read(std::size_t depth) {
    ET_ASSIGN(Pointer value, flow(depth));
    ET_TRY(nothingBehind());
    return value;
}

Result<std::string> FlowReader::readQuoted() {
    ET_ASSIGN(std::string text, quotedText());
    ET_TRY(nothingBehind());
    return text;
}

Result<> FlowReader::nothingBehind() {
    skipBlanks(false);
    if (!rest.empty()) {
        return wrong(lines[at].number, "expected the end of the line, got \"" + core::printable(rest) + "\"");
    }
    return {};
}

/// Skips blanks and, with `acrossLines`, line ends.
void FlowReader::skipBlanks(bool acrossLines) {
    while (true) {
        const std::size_t begin = rest.find_first_not_of(blanks);
        rest = begin == std::string_view::npos ? std::string_view() : rest.substr(begin);
        if (!rest.empty() || !acrossLines || at + 1 >= lines.size()) {
            return;
        }
        ++at;
        rest = lines[at].text;
    }
}

/// Parses the value that starts at `rest`.
Result<Pointer> FlowReader::flow(std::size_t depth) {
    if (depth > maxSettingsDepth) {
        return wrong(lines[at].number, fmt::format("more than {} levels", maxSettingsDepth),
                     ErrorCode::Limit);
    }
    const std::size_t number = lines[at].number;
    if (rest.empty()) {
        return wrong(number, "expected a value, got the end");
    }
    switch (rest.front()) {
        case '[':
            return flowList(depth);
        case '{':
            return flowMap(depth);
        case '"':
        case '\'': {
            ET_ASSIGN(std::string text, quotedText());
            return made(std::move(text), number, true);
        }
        default: {
            const std::size_t end = std::min(rest.find_first_of(",]}"), rest.size());
            const std::string_view text = trimmed(rest.substr(0, end));
            rest.remove_prefix(end);
            return plain(text, number);
        }
    }
}

Result<Pointer> FlowReader::flowList(std::size_t depth) {
    const std::size_t number = lines[at].number;
    Setting::List items;
    rest.remove_prefix(1);
    skipBlanks(true);
    while (!rest.starts_with(']')) {
        ET_ASSIGN(Pointer item, flow(depth + 1));
        items.push_back(std::move(item));
        ET_TRY(separator(']'));
    }
    rest.remove_prefix(1);
    return made(std::move(items), number);
}

Result<Pointer> FlowReader::flowMap(std::size_t depth) {
    const std::size_t number = lines[at].number;
    Setting::Map entries;
    rest.remove_prefix(1);
    skipBlanks(true);
    while (!rest.starts_with('}')) {
        ET_ASSIGN(std::string key, flowKey());
        skipBlanks(true);
        ET_ASSIGN(Pointer value, flow(depth + 1));
        entries.emplace_back(std::move(key), std::move(value));
        ET_TRY(separator('}'));
    }
    rest.remove_prefix(1);
    return made(std::move(entries), number);
}

/// Parses the key at `rest` and the following colon.
Result<std::string> FlowReader::flowKey() {
    const std::size_t number = lines[at].number;
    std::string key;
    if (rest.starts_with('"') || rest.starts_with('\'')) {
        ET_ASSIGN(key, quotedText());
        skipBlanks(true);
    } else {
        // The colons of "aten::add.out" belong to the key.
        const std::size_t end = keyEnd(rest).value_or(rest.size());
        key = trimmed(rest.substr(0, end));
        rest.remove_prefix(end);
    }
    if (!rest.starts_with(':') || key.empty()) {
        return wrong(number, "expected \"key: value\" inside the braces");
    }
    rest.remove_prefix(1);
    return key;
}

Result<> FlowReader::separator(char closing) {
    skipBlanks(true);
    if (rest.starts_with(',')) {
        rest.remove_prefix(1);
        skipBlanks(true);
        return {};
    }
    if (rest.starts_with(closing)) {
        return {};
    }
    return wrong(lines[at].number,
                 fmt::format("expected ',' or '{}', got {}", closing,
                             rest.empty() ? "the end" : "\"" + core::printable(rest) + "\""));
}

/// Parses the quoted string at the start of `rest`.
Result<std::string> FlowReader::quotedText() {
    const char quote = rest.front();
    std::string out;
    for (std::size_t i = 1; i < rest.size(); ++i) {
        const char c = rest[i];
        if (c == quote && quote == '\'' && rest.substr(i + 1).starts_with('\'')) {
            out += c;
            ++i;
        } else if (c == quote) {
            rest.remove_prefix(i + 1);
            return out;
        } else if (c == '\\' && quote == '"' && i + 1 < rest.size()) {
            ++i;
            out += unescaped(i);
        } else {
            out += c;
        }
    }
    return wrong(lines[at].number, "a quoted string does not end on its line");
}

/// The character of the escape sequence whose letter is at index `i` of `rest`; advances `i` to its end.
std::string FlowReader::unescaped(std::size_t& i) const {
    constexpr std::string_view letters = "nrt0";
    constexpr std::string_view meanings{"\n\r\t\0", 4};
    const char letter = rest[i];
    if (const std::size_t known = letters.find(letter); known != std::string_view::npos) {
        return {meanings[known]};
    }
    constexpr std::size_t digits = 4;
    if (letter == 'u' && i + digits < rest.size()) {
        std::uint16_t code = 0;
        const char* const begin = rest.data() + i + 1;
        constexpr int hexadecimal = 16;
        constexpr std::uint16_t ascii = 0x80;
        const auto [end, error] = std::from_chars(begin, begin + digits, code, hexadecimal);
        i += digits;
        return error == std::errc() && end == begin + digits && code < ascii
                   ? std::string(1, static_cast<char>(code))
                   : "?";
    }
    return {letter};
}

}  // namespace et::inspector::fit::detail
