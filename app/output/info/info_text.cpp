#include "app/output/info/info_text.h"

#include "app/output/wrapped_text.h"
#include "inspector/format/text_columns.h"
#include "runtime/core/result.h"

#include <fmt/format.h>

#include <algorithm>
#include <optional>
#include <span>
#include <variant>
#include <vector>

namespace et::output {
namespace {

constexpr std::size_t step = 2;  ///< indentation of a nested block

/// " (14.5 MiB)"; empty below 1 KiB.
std::string readableSize(std::uint64_t bytes) {
    return bytes < 1024 ? std::string() : fmt::format(" ({})", readableBytes(bytes));
}

/// Suffix of keys whose numbers are milliseconds; in text, each is printed in a suitable unit, under the key
/// without the suffix.
constexpr std::string_view millisecondsSuffix = "_ms";

std::string words(std::string_view key) {
    std::string text(
        key.substr(0, key.size() - (key.ends_with(millisecondsSuffix) ? millisecondsSuffix.size() : 0)));
    std::ranges::replace(text, '_', ' ');
    return core::printable(text);
}

template <class T>
std::string listText(const std::vector<T>& items) {
    std::string text;
    for (const T& item : items) {
        text += fmt::format("{}{}", text.empty() ? "" : ", ", item);
    }
    return "[" + text + "]";
}

std::string scalarText(const Cell& cell);
bool isValue(const Cell& cell);
const Dict& dictOf(const Cell& cell);
std::string valueText(const Dict& value);

/// Formats a value that fits a line: anything but dictionaries and lists of them.
struct ScalarText {
    std::string operator()(std::monostate) const { return "-"; }
    std::string operator()(bool value) const { return value ? "yes" : "no"; }
    std::string operator()(const std::string& value) const { return core::printable(value); }
    std::string operator()(const List& value) const {
        std::string text;
        for (const Cell& item : value) {
            text += (text.empty() ? "" : ", ") + (isValue(item) ? valueText(dictOf(item)) : scalarText(item));
        }
        return value.empty() ? "-" : text;
    }
    std::string operator()(const Dict& value) const {
        std::string text;
        for (const auto& [key, item] : value) {
            text += fmt::format("{}{} {}", text.empty() ? "" : ", ", core::printable(key), scalarText(item));
        }
        return value.empty() ? "-" : text;
    }
    template <class T>
    std::string operator()(const std::vector<T>& value) const {
        return listText(value);
    }
    template <class T>
    std::string operator()(T value) const {
        return fmt::format("{}", value);
    }
};

std::string scalarText(const Cell& cell) {
    return std::visit(ScalarText{}, variantOf(cell));
}

bool isDict(const Cell& cell) {
    return std::holds_alternative<Dict>(variantOf(cell));
}

/// Returns a list of dictionaries, which is printed on separate lines; otherwise null.
const List* rowsOf(const Cell& cell) {
    const auto* list = std::get_if<List>(&variantOf(cell));
    return list != nullptr && !list->empty() && std::ranges::all_of(*list, isDict) ? list : nullptr;
}

const Dict& dictOf(const Cell& cell) {
    return std::get<Dict>(variantOf(cell));
}

/// True for an input or output ("type" first): in a list it is printed as "float32 [1, 3], Int".
bool isValue(const Cell& cell) {
    return isDict(cell) && !dictOf(cell).empty() && dictOf(cell).front().first == "type";
}

const Cell* find(const Dict& info, std::string_view key) {
    const auto found = std::ranges::find(info, key, &Dict::value_type::first);
    return found == info.end() ? nullptr : &found->second;
}

std::string valueText(const Dict& value) {
    const Cell* dtype = find(value, "dtype");
    const Cell* sizes = find(value, "sizes");
    return dtype != nullptr && sizes != nullptr ? scalarText(*dtype) + " " + scalarText(*sizes)
                                                : scalarText(value.front().second);
}

/// True if a row of a list needs separate lines.
bool hasBlocks(const Dict& info) {
    return std::ranges::any_of(info, [](const auto& entry) {
        const List* rows = rowsOf(entry.second);
        return rows != nullptr && !std::ranges::all_of(*rows, isValue);
    });
}

bool isNothing(const Cell& cell) {
    const auto* list = std::get_if<List>(&variantOf(cell));
    const auto* dict = std::get_if<Dict>(&variantOf(cell));
    return (list != nullptr && list->empty()) || (dict != nullptr && dict->empty());
}

/// A dictionary of numbers (counts by name) fits a line; any other gets a block.
bool fitsLine(const Cell& cell) {
    const auto* dict = std::get_if<Dict>(&variantOf(cell));
    return dict == nullptr || std::ranges::none_of(*dict, [](const auto& entry) {
               return isDict(entry.second) || std::holds_alternative<List>(variantOf(entry.second));
           });
}

/// At most `width` characters of a line, ending with an ellipsis if it is cut.
std::string shortened(std::string_view line, std::size_t width) {
    if (inspector::format::visibleWidth(line) <= width) {
        return std::string(line);
    }
    std::size_t end = 0;
    for (std::size_t shown = 0; shown + 1 < width; ++shown) {
        do {
            ++end;
        } while (end < line.size() && (static_cast<unsigned char>(line[end]) & 0xC0U) == 0x80U);
    }
    return std::string(line.substr(0, end)) + "…";
}

class Writer {
  public:
    Writer(std::size_t longestList, std::size_t lineWidth) : longest(longestList), width(lineWidth) {}

    void entries(const Dict& info, std::size_t indent) {
        std::size_t widest = 0;
        for (const auto& [key, value] : info) {
            const bool onLine = rowsOf(value) == nullptr && fitsLine(value) && !isNothing(value);
            widest = onLine ? std::max(widest, key.size()) : widest;
        }
        for (const auto& [key, value] : info) {
            if (isNothing(value)) {
                continue;
            }
            if (const List* rows = rowsOf(value)) {
                block(key, *rows, indent);
            } else if (fitsLine(value)) {
                wrappedLine(indent,
                            fmt::format("{:{}} {}", words(key) + ":", widest + 1, valueText(key, value)));
            } else {
                line(indent, words(key) + ":");
                entries(dictOf(value), indent + step);
            }
        }
    }

    [[nodiscard]] std::string take() && { return std::move(text); }

  private:
    void line(std::size_t indent, std::string_view content) {
        const std::string_view trimmed = content.substr(0, content.find_last_not_of(' ') + 1);
        text += fmt::format("{:{}}{}\n", "", indent,
                            width == 0 ? std::string(trimmed) : shortened(trimmed, room(indent)));
    }

    void wrappedLine(std::size_t indent, std::string_view content) {
        if (width == 0) {
            return line(indent, content);
        }
        const std::size_t behind = indent + step;
        text += fmt::format("{:{}}{}\n", "", indent, wrapped(content, room(behind), behind));
    }

    /// Columns available after an indentation.
    [[nodiscard]] std::size_t room(std::size_t indent) const {
        constexpr std::size_t min = 20;
        return std::max(width, indent + min) - indent;
    }

    static std::string timesText(const Cell& value) {
        if (const auto number = cellNumber(value)) {
            return readableTime(*number, inspector::TimeScale::Milliseconds);
        }
        const auto* times = std::get_if<Dict>(&variantOf(value));
        if (times == nullptr) {
            return scalarText(value);
        }
        std::string text;
        for (const auto& [key, time] : *times) {
            text += fmt::format("{}{} {}", text.empty() ? "" : ", ", core::printable(key), timesText(time));
        }
        return text;
    }

    static std::string valueText(std::string_view key, const Cell& value) {
        if (key.ends_with(millisecondsSuffix)) {
            return timesText(value);
        }
        const auto* size = std::get_if<std::uint64_t>(&variantOf(value));
        return scalarText(value) + (size != nullptr && key.ends_with("bytes") ? readableSize(*size) : "");
    }

    void block(std::string_view key, const List& rows, std::size_t indent) {
        line(indent, fmt::format("{} ({}):", words(key), rows.size()));
        const std::size_t shown = longest == 0 ? rows.size() : std::min(longest, rows.size());
        const auto part = std::span(rows).first(shown);
        const bool nested = std::ranges::any_of(part, [](const Cell& row) { return hasBlocks(dictOf(row)); });
        nested ? nestedRows(part, indent + step) : columns(part, indent + step);
        if (shown < rows.size()) {
            line(indent + step, fmt::format("... and {} more; --all shows them", rows.size() - shown));
        }
    }

    void nestedRows(std::span<const Cell> rows, std::size_t indent) {
        for (std::size_t i = 0; i < rows.size(); ++i) {
            const Dict& row = dictOf(rows[i]);
            const auto* name =
                row.empty() ? nullptr : std::get_if<std::string>(&variantOf(row.front().second));
            line(indent,
                 name == nullptr ? fmt::format("[{}]", i) : fmt::format("{}:", core::printable(*name)));
            entries(name == nullptr ? row : Dict(row.begin() + 1, row.end()), indent + step);
        }
    }

    /// Writes one line per row under the keys of all rows; numbers are right-aligned.
    void columns(std::span<const Cell> rows, std::size_t indent) {
        std::vector<std::string> keys;
        for (const Cell& row : rows) {
            for (const auto& [key, value] : dictOf(row)) {
                if (!std::ranges::contains(keys, key)) {
                    keys.push_back(key);
                }
            }
        }
        std::vector<std::string> lines(rows.size() + 1);
        for (const std::string& key : keys) {
            appendColumn(lines, key, rows);
        }
        for (const std::string& row : lines) {
            line(indent, row);
        }
    }

    static void appendColumn(std::vector<std::string>& lines, const std::string& key,
                             std::span<const Cell> rows) {
        std::vector<std::string> cells{words(key)};
        bool numeric = true;
        for (const Cell& row : rows) {
            const Dict& info = dictOf(row);
            const Cell* cell = find(info, key);
            cells.push_back(cell == nullptr ? "-" : scalarText(*cell));
            numeric = numeric && (cell == nullptr || isNumber(*cell));
        }
        const std::size_t widest = std::ranges::max(cells, {}, &std::string::size).size();
        for (std::size_t i = 0; i < cells.size(); ++i) {
            lines[i] += lines[i].empty() ? "" : "  ";
            lines[i] +=
                numeric ? fmt::format("{:>{}}", cells[i], widest) : fmt::format("{:<{}}", cells[i], widest);
        }
    }

    static bool isNumber(const Cell& cell) {
        return std::holds_alternative<std::monostate>(variantOf(cell)) ||
               std::holds_alternative<std::int64_t>(variantOf(cell)) ||
               std::holds_alternative<std::uint64_t>(variantOf(cell)) ||
               std::holds_alternative<double>(variantOf(cell));
    }

    std::size_t longest;
    std::size_t width;
    std::string text;
};

}  // namespace

std::string infoText(const Dict& info, std::size_t longest, std::size_t width) {
    Writer writer(longest, width);
    writer.entries(info, 0);
    return std::move(writer).take();
}

}  // namespace et::output
