#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>

// The tables of a session as data, from which the SQL schema, `et-inspect sql --tables`,
// docs/reference/sql.md and the studio's completion are generated.
namespace et::inspector::store {

enum class ColumnType : std::uint8_t { Integer, Real, Text, Blob };
/// "INTEGER", …
[[nodiscard]] std::string_view columnTypeName(ColumnType type);

struct SessionColumn {
    std::string_view name;
    ColumnType type;
    std::string_view meaning;  ///< a phrase, with the unit; Markdown
    int since = 1;             ///< first schema version with the column, unless that of its table
};

struct SessionTable {
    std::string_view name;
    std::string_view meaning;  ///< a sentence
    std::string_view key;      ///< columns of the primary key, separated by commas; empty: none
    std::span<const SessionColumn> columns;
    int since = 1;  ///< first schema version with the table
};

/// In the order of the documentation.
[[nodiscard]] std::span<const SessionTable> sessionTables();
/// Returns null for an unknown name.
[[nodiscard]] const SessionTable* findSessionTable(std::string_view name);

/// The tables as Markdown, one section each: the page docs/reference/sql_tables.md, which the build prints.
[[nodiscard]] std::string sessionTablesMarkdown();

}  // namespace et::inspector::store
