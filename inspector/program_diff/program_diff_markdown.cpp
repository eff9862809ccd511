#include "inspector/program_diff/program_diff_lines.h"
#include "inspector/program_diff/program_diff_report.h"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

namespace et::inspector {
namespace {

/// Longer sections are folded to keep the comment readable.
constexpr std::size_t longestOpen = 20;

/// Escapes Markdown in a name outside a table.
std::string plain(std::string_view text) {
    std::string out;
    for (const char c : core::printable(text)) {
        constexpr std::string_view special = "\\`*_{}[]<>#|&~";
        out += special.contains(c) ? fmt::format("&#{};", static_cast<int>(c))
                                   : std::string(1, c == '\n' ? ' ' : c);
    }
    return out;
}

class Rows {
  public:
    void add(const DiffLine& line, std::string_view prefix) {
        const std::string change = line.moved ? std::string("moved") : std::string(traits(line.change).name);
        row(change, std::string(prefix) + line.what, line.before, line.after);
        for (const AttributeChange& detail : line.details) {
            row("", fmt::format("{}- {}", prefix, detail.name), detail.before, detail.after);
        }
        for (const DiffLine& inner : line.inside) {
            add(inner, std::string(prefix) + "- ");
        }
    }

    [[nodiscard]] std::size_t size() const { return table.rows.size(); }
    [[nodiscard]] std::string text() const { return format::render(table, format::Format::Markdown); }

  private:
    void row(std::string change, std::string what, const std::string& before, const std::string& after) {
        table.rows.push_back(
            {std::move(change), core::printable(what), core::printable(before), core::printable(after)});
    }

    format::Table table{.columns = {{.id = "change", .header = "", .numeric = false},
                                    {.id = "what", .header = "what", .numeric = false},
                                    {.id = "before", .header = "before", .numeric = false},
                                    {.id = "after", .header = "after", .numeric = false}},
                        .rows = {},
                        .indexed = false,
                        .heat = {}};
};

std::string sectionText(const DiffSection& section) {
    Rows rows;
    for (const DiffLine& line : section.lines) {
        rows.add(line, "");
    }
    const std::string title = plain(section.title);
    return rows.size() > longestOpen
               ? fmt::format("<details><summary>{}</summary>\n\n{}\n</details>\n\n", title, rows.text())
               : fmt::format("**{}**\n\n{}\n", title, rows.text());
}

}  // namespace

std::string programDiffMarkdown(const ProgramDiff& diff, int heading) {
    const auto hashes = [&](int level) {
        return std::string(static_cast<std::size_t>(std::clamp(heading + level, 1, 6)), '#');
    };
    std::string text = fmt::format("{} Programs: {} → {}\n\n{}\n\n", hashes(0), plain(diff.names.before),
                                   plain(diff.names.after), plain(summaryOf(diff)));
    for (const DiffPart& part : partsOf(diff, false)) {
        text += part.name.empty() ? fmt::format("{} Program\n\n", hashes(1))
                                  : fmt::format("{} Method {}: {}\n\n", hashes(1), plain(part.name),
                                                traits(part.change).name);
        for (const DiffSection& section : part.sections) {
            text += sectionText(section);
        }
    }
    while (text.ends_with("\n\n")) {
        text.pop_back();
    }
    return text;
}

}  // namespace et::inspector
