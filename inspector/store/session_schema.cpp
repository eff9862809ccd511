#include "inspector/store/session_schema.h"

#include "inspector/store/session/session_tables.h"

#include <fmt/format.h>

#include <array>
#include <string>

namespace et::inspector::store {
namespace {

/// "ETss" in the file header.
constexpr std::int32_t applicationId = 0x45547373;

std::string creation(const SessionTable& table) {
    std::string sql = fmt::format("CREATE TABLE {} (", table.name);
    for (const SessionColumn& column : table.columns) {
        if (column.since > table.since) {
            continue;  // added by a later migration step
        }
        const std::string_view separator = &column == table.columns.data() ? "" : ",";
        sql += fmt::format("{}\n  {} {}", separator, column.name, columnTypeName(column.type));
    }
    if (table.key.empty()) {
        return sql + "\n) STRICT;\n";
    }
    // A single-column key is the row id (or a short text); with a multi-column key, rows are stored in key
    // order.
    const bool several = table.key.find(',') != std::string_view::npos;
    return sql +
           fmt::format(",\n  PRIMARY KEY ({})\n) STRICT{};\n", table.key, several ? ", WITHOUT ROWID" : "");
}

/// SQL for the tables and columns added in a version.
std::string stepTo(int version) {
    std::string sql;
    for (const SessionTable& table : sessionTables()) {
        if (table.since == version) {
            sql += creation(table);
        }
        for (const SessionColumn& column : table.columns) {
            if (column.since == version && column.since > table.since) {
                sql += fmt::format("ALTER TABLE {} ADD COLUMN {} {};\n", table.name, column.name,
                                   columnTypeName(column.type));
            }
        }
    }
    return sql;
}

}  // namespace

const Schema& sessionSchema() {
    static const std::array<std::string, 6> steps{stepTo(1), stepTo(2), stepTo(3),
                                                  stepTo(4), stepTo(5), stepTo(6)};
    static const std::array<std::string_view, 6> migrations{steps[0], steps[1], steps[2],
                                                            steps[3], steps[4], steps[5]};
    static const Schema schema{.kind = "session", .applicationId = applicationId, .migrations = migrations};
    return schema;
}

}  // namespace et::inspector::store
