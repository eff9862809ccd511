#include "tests/fuzz/support/store_changes.h"

#include <fmt/format.h>
#include <sqlite3.h>
#include <unistd.h>

#include <cstdlib>
#include <fstream>
#include <iterator>
#include <limits>
#include <sstream>
#include <utility>

namespace et::fuzz {

namespace fs = std::filesystem;

/// A connection without restrictions.
struct ChangeSession {
    explicit ChangeSession(const fs::path& path) {
        require(sqlite3_open(path.c_str(), &handle) == SQLITE_OK);
        sqlite3_exec(handle, "PRAGMA journal_mode = OFF; PRAGMA synchronous = OFF; PRAGMA foreign_keys = OFF",
                     nullptr, nullptr, nullptr);
    }
    ChangeSession(const ChangeSession&) = delete;
    ChangeSession& operator=(const ChangeSession&) = delete;
    ~ChangeSession() { sqlite3_close(handle); }

    /// Runs a statement, ignoring failure. `value` is bound to a '?'.
    void run(const std::string& sql, const std::string& value = {}) const {
        sqlite3_stmt* statement = nullptr;
        if (sqlite3_prepare_v2(handle, sql.c_str(), -1, &statement, nullptr) == SQLITE_OK) {
            sqlite3_bind_blob(statement, 1, value.data(), static_cast<int>(value.size()), SQLITE_STATIC);
            sqlite3_step(statement);
        }
        sqlite3_finalize(statement);
    }

    sqlite3* handle = nullptr;
};

namespace {

std::string contentOf(const fs::path& path) {
    std::ifstream stream(path, std::ios::binary);
    std::ostringstream content;
    content << stream.rdbuf();
    return std::move(content).str();
}

}  // namespace

ChangedDatabase::ChangedDatabase(const fs::path& sound) : content(contentOf(sound)) {
    const bool hasMemory = fs::is_directory("/dev/shm");
    std::string name = (hasMemory ? fs::path("/dev/shm") : fs::temp_directory_path()) / "et-fuzz-XXXXXX";
    require(::mkdtemp(name.data()) != nullptr);
    folder = name;
    path = folder / "changed.db";
    const ChangeSession session(sound);
    const auto add = [](void* all, int, char** values, char**) {
        static_cast<std::vector<Column>*>(all)->push_back({.table = values[0], .name = values[1]});
        return 0;
    };
    sqlite3_exec(session.handle,
                 "SELECT m.name, p.name FROM sqlite_schema m JOIN pragma_table_info(m.name) p "
                 "WHERE m.type = 'table' ORDER BY 1, 2",
                 add, &columns, nullptr);
    require(!columns.empty());
}

ChangedDatabase::~ChangedDatabase() {
    std::error_code ignored;
    fs::remove_all(folder, ignored);
}

const fs::path& ChangedDatabase::restore() {
    write(content);
    return path;
}

void ChangedDatabase::write(const std::string& bytes) const {
    std::ofstream(path, std::ios::binary | std::ios::trunc) << bytes;
    std::error_code ignored;
    for (const char* beside : {"-journal", "-wal", "-shm"}) {
        fs::remove(path.string() + beside, ignored);
    }
}

const fs::path& ChangedDatabase::change(ByteSource& source) {
    std::string changed = content;
    if (source.oneIn(4)) {
        for (std::size_t flips = 1 + source.below(4); flips > 0; --flips) {
            const std::size_t at = source.take<std::uint32_t>() % changed.size();
            changed[at] = static_cast<char>(source.take<std::uint8_t>());
        }
        if (source.oneIn(8)) {
            changed.resize(source.take<std::uint32_t>() % changed.size());
        }
    }
    write(changed);
    ChangeSession session(path);
    session.run("BEGIN");
    for (std::size_t changes = source.below(6); changes > 0; --changes) {
        changeRow(session, source);
    }
    session.run("COMMIT");
    return path;
}

void ChangedDatabase::changeRow(ChangeSession& session, ByteSource& source) const {
    const Column& column = columns[source.below(columns.size())];
    const std::string rows = fmt::format("WHERE rowid IN (SELECT rowid FROM \"{}\" LIMIT 1 OFFSET {})",
                                         column.table, source.below(12));
    static constexpr std::int64_t numbers[] = {0,
                                               1,
                                               2,
                                               3,
                                               -1,
                                               255,
                                               65536,
                                               1LL << 31,
                                               1 << 20,
                                               100000,
                                               0xFFFF'FFFF,
                                               17,
                                               std::numeric_limits<std::int64_t>::max(),
                                               std::numeric_limits<std::int64_t>::min()};
    const auto set = [&](const std::string& value) {
        return fmt::format("UPDATE \"{}\" SET \"{}\" = {} {}", column.table, column.name, value,
                           source.oneIn(8) ? "" : rows);
    };
    switch (source.below(9)) {
        case 0:
            return session.run(set(std::to_string(source.oneOf(numbers))));
        case 1:
            return session.run(set("NULL"));
        case 2:
            return session.run(set("CAST(? AS TEXT)"), std::string(source.text(40)));
        case 3:
            return session.run(set("?"), std::string(source.text(40)));
        case 4:
            return session.run(set(source.oneIn(2) ? "1e999" : "-0.5"));
        case 5:
            return session.run(fmt::format("DELETE FROM \"{}\" {}", column.table, rows));
        case 6:  // copies the value of another row
            return session.run(set(fmt::format("(SELECT \"{}\" FROM \"{}\" LIMIT 1 OFFSET {})", column.name,
                                               column.table, source.below(12))));
        case 7:
            return session.run(set(fmt::format("\"{}\" + {}", column.name, source.take<std::int8_t>())));
        default:
            return session.run(fmt::format("PRAGMA user_version = {}", source.below(4)));
    }
}

}  // namespace et::fuzz
