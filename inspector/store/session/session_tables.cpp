#include "inspector/store/session/session_tables.h"

#include "inspector/store/session/table_lists.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <iterator>
#include <vector>

namespace et::inspector::store {
namespace {

struct TypeName {
    ColumnType type;
    std::string_view name;
};
constexpr std::array columnTypeNames{TypeName{ColumnType::Integer, "INTEGER"},
                                     TypeName{ColumnType::Real, "REAL"}, TypeName{ColumnType::Text, "TEXT"},
                                     TypeName{ColumnType::Blob, "BLOB"}};

std::vector<SessionTable> allTables() {
    std::vector<SessionTable> all;
    for (const auto list :
         {fileTables(), programTables(), graphTables(), traceTables(), testTables(), verdictTables()}) {
        std::ranges::copy(list, std::back_inserter(all));
    }
    return all;
}

}  // namespace

std::string_view columnTypeName(ColumnType type) {
    return std::ranges::find(columnTypeNames, type, &TypeName::type)->name;
}

std::span<const SessionTable> sessionTables() {
    static const std::vector<SessionTable> all = allTables();
    return all;
}

const SessionTable* findSessionTable(std::string_view name) {
    const auto found = std::ranges::find(sessionTables(), name, &SessionTable::name);
    return found == sessionTables().end() ? nullptr : &*found;
}

std::string sessionTablesMarkdown() {
    std::string out = "# SQL tables\n\nWhich tables and columns does a session have?\n\n";
    for (const SessionTable& table : sessionTables()) {
        out += fmt::format("## {}\n{}\n\n| column | type | meaning |\n|---|---|---|\n", table.name,
                           table.meaning);
        for (const SessionColumn& column : table.columns) {
            out +=
                fmt::format("| `{}` | {} | {} |\n", column.name, columnTypeName(column.type), column.meaning);
        }
        out += "\n";
    }
    out.pop_back();
    return out;
}

}  // namespace et::inspector::store
