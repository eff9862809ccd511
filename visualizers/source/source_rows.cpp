#include "visualizers/source/source_rows.h"

#include "inspector/format/python_text.h"
#include "inspector/format/quantities.h"
#include "visualizers/toolkit/text.h"

#include <fmt/format.h>

#include <algorithm>
#include <ranges>
#include <set>
#include <utility>

namespace et::visualizers {

namespace {

using inspector::format::Cell;
using inspector::format::Column;

constexpr std::size_t maxNamed = 3;

std::string sourceText(const char* text) {
    return QString::fromUtf8(text).toStdString();
}

Column column(std::string header, bool numeric = false) {
    return {.id = header, .header = header, .numeric = numeric};
}

/// "aten.convolution.default, aten.relu.default"
std::string operatorText(const std::vector<const etrecord::Node*>& nodes) {
    std::set<std::string_view> names;
    std::string text;
    for (const etrecord::Node* node : nodes) {
        if (!names.insert(node->op).second) {
            continue;
        }
        if (names.size() > maxNamed) {
            return text + ", …";
        }
        text += (text.empty() ? "" : ", ") + node->op;
    }
    return text;
}

std::string_view fileName(std::string_view path) {
    return path.substr(path.find_last_of("/\\") + 1);
}

}  // namespace

ReportRows fileRows(const inspector::SourceIndex& index, std::optional<inspector::TimeScale> scale) {
    ReportRows rows;
    rows.table.columns = {column(sourceText("file")), column(sourceText("lines"), true),
                          column(sourceText("operators"), true)};
    const bool timed = scale && index.total && *index.total > 0;
    if (timed) {
        rows.table.columns.push_back(column(sourceText("time"), true));
        rows.table.columns.back().measure = inspector::format::measureOf(*scale);
        rows.table.columns.push_back(column(sourceText("share"), true));
        rows.styles = {{}, {}, {}, {}, NumberStyle::Percent};
    }
    for (const inspector::SourceFile& file : index.files) {
        std::vector<Cell>& cells = rows.table.rows.emplace_back(std::vector<Cell>{
            std::string(file.path), std::uint64_t{file.lines.size()}, std::uint64_t{file.operators}});
        if (timed && file.time) {
            cells.emplace_back(*file.time);
            cells.emplace_back(100 * *file.time / *index.total);
        }
        cells.resize(rows.table.columns.size());
    }
    return rows;
}

ReportRows stackRows(const std::vector<inspector::NodeStack>& stacks, std::size_t max) {
    ReportRows rows;
    rows.table.columns = {column(sourceText("line")), column(sourceText("function")),
                          column(sourceText("code"))};
    for (std::size_t i = 0; i < std::min(stacks.size(), max); ++i) {
        const inspector::NodeStack& stack = stacks[i];
        const std::size_t above = rows.table.rows.size();
        const std::string title = operatorText(stack.nodes);
        rows.parents.emplace_back();
        rows.table.rows.push_back(
            {title.empty() ? sourceText("the instruction") : title, std::string(), std::string()});
        for (const auto& frame : stack.frames | std::views::reverse) {
            rows.parents.emplace_back(above);
            rows.table.rows.push_back({fmt::format("{}:{}", fileName(frame.path), frame.line),
                                       std::string(frame.function), std::string(frame.code)});
        }
    }
    return rows;
}

std::map<std::int64_t, LineNote> lineNotes(const inspector::SourceIndex& index,
                                           const inspector::SourceFile& file,
                                           std::optional<inspector::TimeScale> scale) {
    std::map<std::int64_t, LineNote> notes;
    for (const inspector::SourceLine& line : file.lines) {
        LineNote& note = notes[line.number];
        const QString operators = counted(line.operators, QStringLiteral("1 operator on this line"),
                                          QStringLiteral("%1 operators on this line"));
        if (!line.time || !scale) {
            note.tip = operators;
            continue;
        }
        note.share = index.total && *index.total > 0 ? *line.time / *index.total : 0;
        note.time = timeText(*line.time, *scale);
        note.tip = QStringLiteral("%1; %2 per run (%3)")
                       .arg(operators, note.time,
                            QString::fromStdString(inspector::format::readablePercent(note.share)));
    }
    return notes;
}

std::vector<CodeLine> codeLines(std::string_view text) {
    std::vector<CodeLine> lines;
    std::int64_t number = 0;
    while (!text.empty()) {
        const std::size_t end = std::min(text.find('\n'), text.size());
        std::string_view line = text.substr(0, end);
        if (line.ends_with('\r')) {
            line.remove_suffix(1);
        }
        lines.push_back({.number = ++number, .text = toQStringLines(line)});
        text.remove_prefix(std::min(end + 1, text.size()));
    }
    return lines;
}

}  // namespace et::visualizers
