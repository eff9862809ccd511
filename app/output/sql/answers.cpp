#include "app/output/sql/answers.h"

#include "app/output/wrapped_text.h"
#include "inspector/store/session/session_tables.h"

#include <fmt/format.h>

#include <algorithm>
#include <vector>

namespace et::output {
namespace {

using inspector::store::QueryResult;
using inspector::store::SessionColumn;
using inspector::store::SessionTable;

constexpr std::int64_t answersSchema = 1;

std::string json(std::span<const QueryResult> answers) {
    core::JsonWriter out;
    out.beginObject();
    out.member("schema", [&] { out.integer(answersSchema); });
    out.key("answers");
    out.beginArray();
    for (const QueryResult& answer : answers) {
        std::string rows = render(answer.table, Format::Json);
        rows.pop_back();  // the line break
        out.beginObject();
        out.member("sql", [&] { out.string(answer.sql); });
        out.member("columns", [&] {
            inspector::format::writeJson(
                out, listOf(answer.table.columns, [](const Column& column) { return column.id; }));
        });
        out.member("complete", [&] { out.boolean(answer.complete); });
        out.member("rows", [&] { out.raw(rows); });
        out.endObject();
    }
    out.endArray();
    out.endObject();
    return out.take() + "\n";
}

Table columnTable() {
    Table table{
        .columns = {textColumn("table"), textColumn("column"), textColumn("type"), textColumn("meaning")},
        .indexed = false};
    for (const SessionTable& each : inspector::store::sessionTables()) {
        for (const SessionColumn& column : each.columns) {
            table.rows.push_back({std::string(each.name), std::string(column.name),
                                  std::string(columnTypeName(column.type)), std::string(column.meaning)});
        }
    }
    return table;
}

std::string tableLines(const SessionTable& table, std::size_t width) {
    std::size_t longest = 0;
    for (const SessionColumn& column : table.columns) {
        longest = std::max(longest, column.name.size());
    }
    const std::size_t indent = 2 + longest + 2 + std::string_view("INTEGER").size() + 2;
    std::string out = fmt::format("{}\n  {}\n", table.name, wrapped(table.meaning, width - 2, 2));
    for (const SessionColumn& column : table.columns) {
        out += fmt::format("  {:<{}}  {:<7}  {}\n", column.name, longest, columnTypeName(column.type),
                           wrapped(column.meaning, width - indent, indent));
    }
    return out;
}

}  // namespace

std::string answersText(std::span<const QueryResult> answers, Format format, Style style) {
    if (format == Format::Json) {
        return json(answers);
    }
    std::string out;
    for (const QueryResult& answer : answers) {
        out += out.empty() ? "" : "\n";
        out += render(answer.table, format, style);
    }
    return out;
}

std::string tablesText(Format format, std::size_t width) {
    if (format == Format::Markdown) {
        return inspector::store::sessionTablesMarkdown();
    }
    if (format != Format::Table) {
        return render(columnTable(), format);
    }
    constexpr std::size_t usual = 100;
    constexpr std::size_t min = 60;
    std::string out;
    for (const SessionTable& table : inspector::store::sessionTables()) {
        out += (out.empty() ? "" : "\n") + tableLines(table, std::max(width == 0 ? usual : width, min));
    }
    return out;
}

}  // namespace et::output
