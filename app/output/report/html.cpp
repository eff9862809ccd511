#include "app/output/report/html.h"

#include "app/output/report/page_assets.h"
#include "inspector/format/checksum.h"
#include "inspector/format/svg.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <optional>
#include <variant>

namespace et::output {
namespace {

using inspector::format::xmlText;

double largest(const Table& table, std::size_t column) {
    double max = 0;
    for (const auto& row : table.rows) {
        max = std::max(max, cellNumber(row[column]).value_or(0));
    }
    return max;
}

/// "1,234,567" where five digits would require an exponent.
std::string numberText(double number) {
    const double size = std::abs(number);
    if (size < 1e5 || size >= 1e15) {
        return fmt::format("{:.5g}", number);
    }
    std::string out = fmt::format("{:.0f}", number);
    const std::size_t first = number < 0 ? 1 : 0;
    for (std::size_t at = out.size(); at > first + 3;) {
        at -= 3;
        out.insert(at, ",");
    }
    return out;
}

std::string numberCell(const Cell& cell, const Column& column, double max) {
    const double number = *cellNumber(cell);
    const bool whole = std::holds_alternative<std::int64_t>(cell);
    const std::string shown = column.measure != Measure::None ? readable(number, column.measure)
                              : whole ? fmt::format("{}", std::get<std::int64_t>(cell))
                                      : numberText(number);
    const std::string exact = std::isfinite(number) ? fmt::format(" data-v=\"{}\"", number) : std::string();
    if (max <= 0 || !std::isfinite(number) || number <= 0) {
        return fmt::format("<td class=\"n\"{}>{}</td>", exact, shown);
    }
    return fmt::format("<td class=\"n b\"{} style=\"background-size:{:.1f}% 100%\">{}</td>", exact,
                       std::min(100 * number / max, 100.0), shown);
}

/// Adds line break opportunities to a name in HTML: "layers.0.attention" would otherwise be one long word.
std::string brokenAtParts(std::string_view html) {
    std::string out;
    for (const char letter : html) {
        out += letter;
        out += letter == '.' || letter == '/' ? "<wbr>" : "";
    }
    return out;
}

std::string cellHtml(const Table& table, const std::vector<Cell>& row, std::size_t column, double max) {
    if (cellNumber(row[column])) {
        return numberCell(row[column], table.columns[column], max);
    }
    // Longer texts scroll in their cell: a list of all operators of a network would displace the rest.
    constexpr std::size_t longText = 160;
    const std::string text = xmlText(inspector::format::cellText(row[column], table.columns[column]));
    if (text.size() > longText) {
        return fmt::format("<td><div class=\"long\">{}</div></td>", text);
    }
    constexpr std::size_t longWord = 24;
    if (text.size() > longWord && !text.contains(' ')) {
        return fmt::format("<td>{}</td>", brokenAtParts(text));
    }
    // Keeps shapes and short names on one line.
    constexpr std::size_t shortText = 32;
    const std::string_view kind = table.columns[column].numeric                    ? " class=\"n\""
                                  : text.size() <= shortText && text.contains(' ') ? " class=\"s\""
                                                                                   : "";
    return fmt::format("<td{}>{}</td>", kind, text);
}

/// Hidden columns with references of the row: "#i" is the attribute data-i, ...
bool isLink(const Column& column) {
    return column.id.starts_with('#');
}

/// True if the column is visible and has a non-empty cell.
bool isShown(const Table& table, std::size_t column) {
    return !isLink(table.columns[column]) && std::ranges::any_of(table.rows, [&](const auto& row) {
        return !inspector::format::cellText(row[column], table.columns[column]).empty();
    });
}

std::string linksOf(const Table& table, const std::vector<Cell>& row) {
    std::string out;
    for (std::size_t i = 0; i < row.size(); ++i) {
        if (isLink(table.columns[i])) {
            const std::string text = inspector::format::cellText(row[i], table.columns[i]);
            out += text.empty()
                       ? text
                       : fmt::format(" data-{}=\"{}\"", table.columns[i].id.substr(1), xmlText(text));
        }
    }
    return out;
}

/// "packed weights" for a column "packed_weights".
std::string headerText(const Column& column) {
    std::string text = column.header;
    std::ranges::replace(text, '_', ' ');
    return text;
}

std::string base64(std::string_view bytes) {
    constexpr std::string_view digits = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
    std::string out;
    for (std::size_t i = 0; i < bytes.size(); i += 3) {
        const auto byteAt = [&](std::size_t at) {
            return at < bytes.size() ? static_cast<unsigned>(static_cast<unsigned char>(bytes[at])) : 0U;
        };
        const unsigned group = byteAt(i) << 16U | byteAt(i + 1) << 8U | byteAt(i + 2);
        for (std::size_t digit = 0; digit < 4; ++digit) {
            out += i + digit > bytes.size() ? '=' : digits[group >> (18 - 6 * digit) & 63U];
        }
    }
    return out;
}

/// The source expression of a script for a Content-Security-Policy: "sha256-" and the hash.
std::string policyHash(std::string_view script) {
    const std::string hex = inspector::format::Sha256().add(script).hex();
    std::string bytes;
    for (std::size_t i = 0; i + 1 < hex.size(); i += 2) {
        bytes += static_cast<char>(std::stoi(hex.substr(i, 2), nullptr, 16));
    }
    return "sha256-" + base64(bytes);
}

}  // namespace

std::string htmlSection(std::string_view id, std::string_view title, std::string_view body) {
    return fmt::format("<section id=\"{}\">\n<h2>{}</h2>\n{}</section>\n", id, xmlText(title), body);
}

std::string htmlProse(std::string_view text) {
    std::string out;
    while (true) {
        const std::size_t begin = text.find('`');
        const std::size_t end = begin == std::string_view::npos ? begin : text.find('`', begin + 1);
        if (end == std::string_view::npos) {
            return out + xmlText(text);
        }
        out += xmlText(text.substr(0, begin));
        out += fmt::format("<code>{}</code>", xmlText(text.substr(begin + 1, end - begin - 1)));
        text.remove_prefix(end + 1);
    }
}

std::string htmlParagraph(std::string_view text, std::string_view className) {
    return fmt::format("<p{}>{}</p>\n", className.empty() ? "" : fmt::format(" class=\"{}\"", className),
                       xmlText(text));
}

std::string htmlTable(const Table& table, std::string_view bars, double whole) {
    std::string out = "<div class=\"scroll\" tabindex=\"0\"><table>\n<thead><tr>";
    std::vector<double> max(table.columns.size(), 0);
    std::vector<bool> shown(table.columns.size());
    for (std::size_t i = 0; i < table.columns.size(); ++i) {
        const Column& column = table.columns[i];
        shown[i] = isShown(table, i);
        if (!shown[i]) {
            continue;
        }
        max[i] = column.id != bars ? 0 : whole > 0 ? whole : largest(table, i);
        out += fmt::format("<th scope=\"col\"{}>{}</th>", column.numeric ? " class=\"n\"" : "",
                           xmlText(headerText(column)));
    }
    out += "</tr></thead>\n<tbody>\n";
    for (const auto& row : table.rows) {
        out += "<tr" + linksOf(table, row) + ">";
        for (std::size_t i = 0; i < row.size(); ++i) {
            out += shown[i] ? cellHtml(table, row, i, max[i]) : std::string();
        }
        out += "</tr>\n";
    }
    return out + "</tbody></table></div>\n";
}

std::string withoutMarkup(std::string_view json) {
    std::string out;
    out.reserve(json.size());
    bool quoted = false;
    for (std::size_t i = 0; i < json.size(); ++i) {
        const char letter = json[i];
        if (quoted && letter == '\\') {
            out += letter;
            out += json[++i];
            continue;
        }
        quoted = quoted != (letter == '"');
        if (letter == '<') {
            out += "\\u003c";
        } else if (letter == '>') {
            out += "\\u003e";
        } else if (letter == '&') {
            out += "\\u0026";
        } else if (letter != ' ' || quoted) {
            out += letter;
        }
    }
    return out;
}

std::string htmlPage(const HtmlPage& page) {
    const std::string script(page.script);
    // The page contains names from untrusted files; the policy prevents them from loading or running
    // anything.
    std::string out = fmt::format(
        "<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n"
        "<meta http-equiv=\"Content-Security-Policy\" content=\"default-src 'none'; style-src "
        "'unsafe-inline'; script-src '{}'; base-uri 'none'; form-action 'none'\">\n"
        "<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n"
        "<title>{}</title>\n<style>{}</style>\n</head>\n<body>\n",
        policyHash(script), xmlText(page.title), pageStyle());
    out += page.body;
    if (!page.data.empty()) {
        out += "<script type=\"application/json\" id=\"data\">";
        out += page.data;
        out += "</script>\n";
    }
    return out + "<script>" + script + "</script>\n</body>\n</html>\n";
}

}  // namespace et::output
