#include "inspector/fit/detail/settings_lines.h"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

namespace et::inspector::fit::detail {
namespace {

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

}  // namespace et::inspector::fit::detail
