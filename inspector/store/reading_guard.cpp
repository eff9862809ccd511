#include "inspector/store/reading_guard.h"

#include <fmt/format.h>
#include <sqlite3.h>

#include <algorithm>
#include <array>
#include <string_view>

namespace et::inspector::store {
namespace {

/// An authorizer action code of SQLite.
struct ActionTraits {
    int action;
    bool allowed;
    std::string_view words;  ///< description of a disallowed action
};
constexpr std::array actions{
    ActionTraits{SQLITE_SELECT, true, ""},
    ActionTraits{SQLITE_READ, true, ""},
    ActionTraits{SQLITE_RECURSIVE, true, ""},
    ActionTraits{SQLITE_INSERT, false, "INSERT"},
    ActionTraits{SQLITE_UPDATE, false, "UPDATE"},
    ActionTraits{SQLITE_DELETE, false, "DELETE"},
    ActionTraits{SQLITE_ATTACH, false, "ATTACH"},
    ActionTraits{SQLITE_DETACH, false, "DETACH"},
    ActionTraits{SQLITE_TRANSACTION, false, "a transaction"},
    ActionTraits{SQLITE_SAVEPOINT, false, "a savepoint"},
    ActionTraits{SQLITE_CREATE_TABLE, false, "CREATE TABLE"},
    ActionTraits{SQLITE_CREATE_TEMP_TABLE, false, "CREATE TEMP TABLE"},
    ActionTraits{SQLITE_CREATE_VIEW, false, "CREATE VIEW"},
    ActionTraits{SQLITE_CREATE_TEMP_VIEW, false, "CREATE TEMP VIEW"},
    ActionTraits{SQLITE_CREATE_INDEX, false, "CREATE INDEX"},
    ActionTraits{SQLITE_CREATE_TRIGGER, false, "CREATE TRIGGER"},
    ActionTraits{SQLITE_CREATE_VTABLE, false, "CREATE VIRTUAL TABLE"},
    ActionTraits{SQLITE_DROP_TABLE, false, "DROP TABLE"},
    ActionTraits{SQLITE_ALTER_TABLE, false, "ALTER TABLE"},
    ActionTraits{SQLITE_ANALYZE, false, "ANALYZE"},
    ActionTraits{SQLITE_REINDEX, false, "REINDEX"},
};

constexpr std::array writes{SQLITE_INSERT, SQLITE_UPDATE, SQLITE_DELETE};

/// Pragmas that only report information.
constexpr std::array<std::string_view, 11> pragmas{
    "application_id", "collation_list", "compile_options", "foreign_key_list", "function_list", "index_info",
    "index_list",     "page_count",     "table_info",      "table_list",       "table_xinfo"};
/// Those whose argument selects an object rather than setting a value.
constexpr std::array<std::string_view, 5> describing{"foreign_key_list", "index_info", "index_list",
                                                     "table_info", "table_xinfo"};

/// Functions with access to data outside the database, if SQLite has them.
constexpr std::array<std::string_view, 4> functions{"load_extension", "fts3_tokenizer", "readfile",
                                                    "writefile"};

std::string_view textOf(const char* text) {
    return text == nullptr ? std::string_view() : std::string_view(text);
}

/// Reason to reject the action; empty if it is allowed.
std::string objection(int action, const char* first, const char* second) {
    const std::string_view name = textOf(first);
    if (action == SQLITE_FUNCTION) {
        const bool reachesOut = std::ranges::contains(functions, textOf(second));
        return reachesOut ? fmt::format("the function {}", textOf(second)) : std::string();
    }
    if (action == SQLITE_PRAGMA) {
        const bool allowed = std::ranges::contains(pragmas, name) &&
                             (second == nullptr || std::ranges::contains(describing, name));
        return allowed ? std::string() : fmt::format("PRAGMA {}", name);
    }
    if (name.starts_with("sqlite_") && std::ranges::contains(writes, action)) {
        return {};  // CREATE and DROP are checked by their own actions; SQLite prevents all others
    }
    const auto* const found = std::ranges::find(actions, action, &ActionTraits::action);
    if (found == actions.end()) {
        return "this kind of statement";
    }
    return found->allowed ? std::string() : std::string(found->words);
}

int decide(void* refusal, int action, const char* first, const char* second, const char* /*database*/,
           const char* /*trigger*/) {
    std::string wrong = objection(action, first, second);
    if (wrong.empty()) {
        return SQLITE_OK;
    }
    auto& kept = *static_cast<std::string*>(refusal);
    if (kept.empty()) {
        kept = fmt::format("{} is not allowed: a session is read-only", wrong);
    }
    return SQLITE_DENY;
}

}  // namespace

void guardReading(sqlite3* database, std::string& refusal) {
    sqlite3_set_authorizer(database, decide, &refusal);
}

}  // namespace et::inspector::store
