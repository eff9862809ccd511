#include "inspector/store/query.h"

#include <fmt/format.h>

#include <algorithm>
#include <optional>
#include <utility>
#include <vector>

namespace et::inspector::store {
namespace {

using core::Result;
using format::Cell;
using format::Column;

/// x'53514c…' for a blob, truncated.
std::string blobText(core::Bytes bytes) {
    constexpr std::size_t max = 32;
    std::string text = "x'";
    for (const std::byte byte : bytes.first(std::min(bytes.size(), max))) {
        text += fmt::format("{:02x}", static_cast<unsigned>(byte));
    }
    return bytes.size() > max ? text + fmt::format("…' ({} bytes)", bytes.size()) : text + "'";
}

Cell cellOf(const Statement& row, int column) {
    switch (row.kind(column)) {
        case ColumnKind::Integer:
            return row.integer(column);
        case ColumnKind::Real:
            return row.real(column);
        case ColumnKind::Text:
            return std::string(row.text(column));
        case ColumnKind::Blob:
            return blobText(row.blob(column));
        case ColumnKind::Null:
            break;
    }
    return {};
}

std::size_t bytesOf(const Cell& cell) {
    const auto* const text = std::get_if<std::string>(&cell);
    return sizeof(Cell) + (text == nullptr ? 0 : text->size());
}

/// Names of the columns; duplicates get a number appended.
std::vector<Column> columnsOf(const Statement& statement) {
    std::vector<Column> columns;
    for (int i = 0; i < statement.columnCount(); ++i) {
        const std::string name(statement.columnName(i));
        const auto same = std::ranges::count(columns, name, &Column::header);
        columns.push_back(
            {.id = same == 0 ? name : fmt::format("{}:{}", name, same), .header = name, .numeric = true});
    }
    return columns;
}

/// A column is numeric unless one of its rows is not.
void markTexts(format::Table& table) {
    for (std::size_t i = 0; i < table.columns.size(); ++i) {
        table.columns[i].numeric = std::ranges::none_of(
            table.rows, [&](const auto& row) { return std::holds_alternative<std::string>(row[i]); });
    }
}

Result<QueryResult> answer(Statement& statement, std::string_view sql, const QueryLimits& limits) {
    QueryResult result{.sql = std::string(sql),
                       .table = {.columns = columnsOf(statement), .rows = {}, .indexed = false, .heat = {}}};
    std::size_t bytes = 0;
    for (;;) {
        ET_ASSIGN(const bool found, statement.step());
        if (!found) {
            break;
        }
        if (result.table.rows.size() == limits.maxRows || bytes > limits.maxBytes) {
            result.complete = false;
            break;
        }
        std::vector<Cell> row;
        row.reserve(result.table.columns.size());
        for (int i = 0; i < statement.columnCount(); ++i) {
            row.push_back(cellOf(statement, i));
            bytes += bytesOf(row.back());
        }
        result.table.rows.push_back(std::move(row));
    }
    markTexts(result.table);
    return result;
}

/// Removes surrounding blanks and semicolons.
std::string_view trimmed(std::string_view text) {
    constexpr std::string_view blanks = " \t\r\n;";
    const std::size_t first = text.find_first_not_of(blanks);
    return first == std::string_view::npos ? std::string_view()
                                           : text.substr(first, text.find_last_not_of(blanks) - first + 1);
}

}  // namespace

Result<> runQueries(Database& database, std::string_view sql, const QueryLimits& limits,
                    const std::function<Result<>(QueryResult)>& take) {
    if (const std::size_t nul = sql.find('\0'); nul != std::string_view::npos) {
        // SQLite would treat it as the end of the text.
        return core::fail(core::ErrorCode::InvalidArgument, "unexpected NUL character in SQL",
                          {.file = "query", .field = {}, .offset = nul});
    }
    std::string_view rest = sql;
    for (bool any = false;; any = true) {
        const std::string_view before = rest;
        ET_ASSIGN(std::optional<Statement> statement, database.prepareNext(rest, sql));
        if (!statement && !any) {
            return core::fail(core::ErrorCode::InvalidArgument, "expected SQL, got nothing");
        }
        if (!statement) {
            return {};
        }
        const std::string_view own = before.substr(0, before.size() - rest.size());
        ET_ASSIGN(QueryResult result, answer(*statement, trimmed(own), limits));
        if (!result.table.columns.empty()) {
            ET_TRY(take(std::move(result)));
        }
    }
}

}  // namespace et::inspector::store
