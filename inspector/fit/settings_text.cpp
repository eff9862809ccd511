#include "inspector/fit/settings_text.h"

#include "inspector/fit/detail/settings_flow.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <optional>

namespace et::inspector {
namespace {

using core::ErrorCode;
using core::Result;
using Pointer = Setting::Pointer;

using fit::detail::blanks;
using fit::detail::FlowReader;
using fit::detail::keyEnd;
using fit::detail::Line;
using fit::detail::made;
using fit::detail::maxSettingsDepth;
using fit::detail::plain;
using fit::detail::splitLines;
using fit::detail::trimmed;

bool isDash(std::string_view text) {
    return text == "-" || text.starts_with("- ");
}

/// Parses lines block by block. Braces and quotes may span several lines.
class SettingsReader {
  public:
    SettingsReader(std::string_view text, std::string_view name) : lines(splitLines(text)), file(name) {}

    Result<Pointer> read() {
        if (lines.empty()) {
            return made({}, 1);
        }
        ET_ASSIGN(Pointer root, block(0, 0));
        if (at < lines.size()) {
            return wrong(lines[at].number,
                         "expected the end, got \"" + core::printable(lines[at].text) + "\"");
        }
        return root;
    }

  private:
    std::unexpected<core::Error> wrong(std::size_t line, std::string message,
                                       ErrorCode code = ErrorCode::Format) const {
        return fit::detail::wrongSetting(file, line, std::move(message), code);
    }

    /// Parses the value that starts in this line, which is indented by at least `indent`.
    Result<Pointer> block(std::size_t indent, std::size_t depth) {
        if (depth > maxSettingsDepth) {
            return wrong(lines[at].number, fmt::format("more than {} levels", maxSettingsDepth),
                         ErrorCode::Limit);
        }
        const Line& line = lines[at];
        if (line.indent < indent) {
            return made({}, line.number);
        }
        if (isDash(line.text)) {
            return sequence(line.indent, depth);
        }
        if (keyEnd(line.text)) {
            return mapping(line.indent, depth);
        }
        return inlineValue(line.text, indent, depth);
    }

    Result<Pointer> sequence(std::size_t indent, std::size_t depth) {
        Setting::List items;
        const std::size_t first = lines[at].number;
        while (at < lines.size() && lines[at].indent == indent && isDash(lines[at].text)) {
            Line& line = lines[at];
            const std::size_t content = line.text.find_first_not_of(blanks, 1);
            if (content == std::string_view::npos) {
                const std::size_t number = line.number;
                ++at;
                if (at < lines.size() && lines[at].indent > indent) {
                    ET_ASSIGN(Pointer item, block(indent + 1, depth + 1));
                    items.push_back(std::move(item));
                } else {
                    items.push_back(made({}, number));
                }
                continue;
            }
            // The rest of the line is a block indented by the preceding characters.
            line.indent += content;
            line.text.remove_prefix(content);
            ET_ASSIGN(Pointer item, block(indent + 1, depth + 1));
            items.push_back(std::move(item));
        }
        return made(std::move(items), first);
    }

    Result<Pointer> mapping(std::size_t indent, std::size_t depth) {
        Setting::Map entries;
        const std::size_t first = lines[at].number;
        while (at < lines.size() && lines[at].indent == indent) {
            const Line line = lines[at];
            const auto end = keyEnd(line.text);
            if (!end || isDash(line.text)) {
                return wrong(line.number,
                             "expected \"key: value\", got \"" + core::printable(line.text) + "\"");
            }
            ET_ASSIGN(std::string key, keyText(line.text.substr(0, *end)));
            ET_ASSIGN(Pointer value, valueOf(trimmed(line.text.substr(*end + 1)), indent, depth));
            entries.emplace_back(std::move(key), std::move(value));
        }
        return made(std::move(entries), first);
    }

    /// The value of a key; `behind` is the text after the colon.
    Result<Pointer> valueOf(std::string_view behind, std::size_t indent, std::size_t depth) {
        const std::size_t number = lines[at].number;
        std::string anchor;
        if (behind.starts_with('&')) {
            const std::size_t end = std::min(behind.find_first_of(blanks), behind.size());
            anchor = behind.substr(1, end - 1);
            behind = trimmed(behind.substr(end));
        }
        Result<Pointer> value = nullptr;
        if (!behind.empty()) {
            value = inlineValue(behind, indent + 1, depth + 1);
        } else {
            ++at;
            const bool deeper = at < lines.size() && lines[at].indent > indent;
            const bool sameDash = at < lines.size() && lines[at].indent == indent && isDash(lines[at].text);
            value = deeper     ? block(indent + 1, depth + 1)
                    : sameDash ? sequence(indent, depth + 1)
                               : Result<Pointer>(made({}, number));
        }
        if (value && !anchor.empty()) {
            anchors[anchor] = *value;
        }
        return value;
    }

    /// A scalar, an alias or a flow collection that starts with `text`, the end of the line at `at`. A plain
    /// scalar continues in lines indented by `indent`. Advances `at` past it.
    Result<Pointer> inlineValue(std::string_view text, std::size_t indent, std::size_t depth) {
        const std::size_t number = lines[at].number;
        switch (text.front()) {
            case '*': {
                ++at;
                const auto found = anchors.find(text.substr(1));
                if (found == anchors.end()) {
                    return wrong(number, "no anchor \"" + core::printable(text.substr(1)) + "\"");
                }
                // Otherwise a chain of aliases could be deeper than any block.
                return found->second->height > maxSettingsDepth
                           ? wrong(number, fmt::format("more than {} levels", maxSettingsDepth),
                                   ErrorCode::Limit)
                           : Result<Pointer>(found->second);
            }
            case '{':
            case '[':
            case '"':
            case '\'': {
                FlowReader reader(lines, at, text, file);
                ET_ASSIGN(Pointer value, reader.read(depth));
                at = reader.line() + 1;
                return value;
            }
            case '|':
            case '>':
            case '!':
            case '?':
            case '%':
            case '@':
                return wrong(number, "\"" + core::printable(text.substr(0, 1)) + "\" is not supported here",
                             ErrorCode::Unsupported);
            default:
                return folded(text, indent);
        }
    }

    Result<Pointer> folded(std::string_view text, std::size_t indent) {
        const std::size_t number = lines[at].number;
        std::string out(text);
        ++at;
        while (at < lines.size() && lines[at].indent >= indent && !keyEnd(lines[at].text) &&
               !isDash(lines[at].text)) {
            out += " ";
            out += lines[at].text;
            ++at;
        }
        return plain(out, number);
    }

    Result<std::string> keyText(std::string_view text) const {
        const std::string_view key = trimmed(text);
        if (!key.starts_with('"') && !key.starts_with('\'')) {
            return std::string(key);
        }
        return FlowReader(lines, at, key, file).readQuoted();
    }

    std::vector<Line> lines;
    std::size_t at = 0;
    std::string file;
    std::map<std::string, Pointer, std::less<>> anchors;
};

}  // namespace

const Setting* Setting::find(std::string_view key) const {
    const Map* const entries = map();
    if (entries == nullptr) {
        return nullptr;
    }
    const auto found =
        std::ranges::find(*entries, key, [](const auto& entry) -> std::string_view { return entry.first; });
    return found == entries->end() ? nullptr : found->second.get();
}

std::string_view Setting::kindName() const {
    constexpr std::string_view names[] = {"nothing", "a text", "a list", "a map"};
    return names[content.index()];
}

Result<Pointer> readSettings(std::string_view text, std::string_view file) {
    if (text.size() > maxSettingsBytes) {
        return core::fail(ErrorCode::Limit,
                          fmt::format("expected at most {} bytes, got {}", maxSettingsBytes, text.size()),
                          {.file = std::string(file), .field = {}, .offset = {}});
    }
    if (const std::size_t zero = text.find('\0'); zero != std::string_view::npos) {
        return core::fail(ErrorCode::Format, "expected text, got a zero byte",
                          {.file = std::string(file), .field = {}, .offset = zero});
    }
    return SettingsReader(text, file).read();
}

}  // namespace et::inspector
