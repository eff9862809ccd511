#include "inspector/store/session_store.h"
#include "tests/inspector/store/session_support.h"
#include "tests/inspector/store/store_support.h"
#include "tests/support/scratch_folder.h"
#include "tests/support/shared_data.h"

#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <string>

// Tests of files that are not sessions of et-inspect, or are hostile.
namespace et::inspector::store {
namespace {

namespace fs = std::filesystem;
using core::ErrorCode;

class HostileSession : public testing::Test {
  protected:
    HostileSession() : path(test::savedSession(folder.path(), *test::sampleSession(folder.path()))) {}

    /// Returns the error of opening and reading the whole file: one line that names it.
    core::Error refused() {
        const auto read = [&]() -> core::Result<> {
            ET_ASSIGN(const SessionStore store, SessionStore::open(path));
            ET_TRY(store.notes());
            ET_TRY(store.layout());
            ET_TRY(store.session(store.joinOptions()));
            return {};
        }();
        EXPECT_FALSE(read);
        if (read) {
            return {};
        }
        EXPECT_FALSE(read.error().toString().contains('\n')) << read.error().toString();
        return read.error();
    }
    core::Error refusedAfter(const std::string& sql) {
        test::runSql(path, sql);
        return refused();
    }

    test::ScratchFolder folder;
    fs::path path;
};

TEST_F(HostileSession, RejectsOtherFiles) {
    std::ofstream(path, std::ios::binary) << std::string(5000, 'x');
    EXPECT_EQ(refused().code, ErrorCode::Format);
    std::ofstream(path, std::ios::binary | std::ios::trunc)
        << "SQLite format 3" << '\0' << std::string(5000, 'x');
    EXPECT_EQ(refused().code, ErrorCode::Format);
    fs::remove(path);
    EXPECT_EQ(refused().code, ErrorCode::NotFound);
}

TEST_F(HostileSession, OtherProgramsAndVersionsAreRefused) {
    EXPECT_EQ(refusedAfter("PRAGMA user_version = 99").code, ErrorCode::Unsupported);
    EXPECT_EQ(refusedAfter("PRAGMA user_version = 0").code, ErrorCode::Format);
    EXPECT_EQ(refusedAfter("PRAGMA application_id = 7").message,
              "expected a session, got a database of another program");
}

TEST_F(HostileSession, OtherTablesTriggersAndViewsAreRefused) {
    const std::string before = test::readText(path);
    for (const char* change : {
             "CREATE TABLE more (a)",
             "DROP TABLE notes",
             "ALTER TABLE files ADD COLUMN more TEXT",
             // NOLINTNEXTLINE(bugprone-suspicious-missing-comma)
             "DROP TABLE files; CREATE VIEW files AS SELECT 1 AS file, 'trace' AS kind, 0 AS trace, 'x' AS "
             "name, 1 AS bytes, '' AS sha256",
             "CREATE TRIGGER t AFTER INSERT ON notes BEGIN DELETE FROM files; END",
         }) {
        std::ofstream(path, std::ios::binary | std::ios::trunc) << before;
        EXPECT_EQ(refusedAfter(change).message,
                  "expected a session, got tables that do not match its version")
            << change;
    }
}

TEST_F(HostileSession, RejectsPathTraversal) {
    for (const char* name : {"../evil", "/etc/evil", "a\\b", "..", "", "two\nlines"}) {
        test::runSql(path, "UPDATE files SET name = '" + std::string(name) + "' WHERE file = 1");
        EXPECT_EQ(refused().where.field, "files.name") << name;
    }
    EXPECT_EQ(refusedAfter("UPDATE files SET name = 'same'").where.field, "files.name");
}

TEST_F(HostileSession, RejectsUnknownKinds) {
    EXPECT_EQ(refusedAfter("UPDATE files SET kind = 'virus' WHERE file = 1").where.field, "files.kind");
    EXPECT_EQ(refusedAfter("UPDATE files SET kind = 'record', trace = NULL").where.field, "files.kind");
    EXPECT_EQ(refusedAfter("UPDATE files SET kind = 'trace', trace = 1000000 + file").where.field,
              "files.kind");
}

TEST_F(HostileSession, ChecksDeclaredSizes) {
    const std::string before = test::readText(path);
    const auto afresh = [&] { std::ofstream(path, std::ios::binary | std::ios::trunc) << before; };
    EXPECT_EQ(refusedAfter("UPDATE files SET bytes = 1 << 40 WHERE file = 1").code, ErrorCode::Limit);
    EXPECT_EQ(refusedAfter("UPDATE files SET bytes = -1 WHERE file = 1").code, ErrorCode::Limit);
    afresh();
    EXPECT_EQ(refusedAfter("UPDATE files SET bytes = bytes - 1 WHERE file = 1").where.field, "file_parts");
    afresh();
    EXPECT_EQ(refusedAfter("UPDATE files SET bytes = bytes + 1 WHERE file = 1").where.field, "file_parts");
    afresh();
    EXPECT_EQ(refusedAfter("UPDATE file_parts SET bytes = 1 << 30 WHERE part = 1").where.field, "file_parts");
    afresh();
    EXPECT_EQ(refusedAfter("UPDATE file_parts SET data = x'00' WHERE part = 1").where.field, "file_parts");
    afresh();
    EXPECT_EQ(refusedAfter("UPDATE file_parts SET compression = 'magic' WHERE part = 1").where.field,
              "file_parts");
    afresh();
    EXPECT_EQ(refusedAfter("DELETE FROM file_parts WHERE part = 1").where.field, "file_parts");
}

TEST_F(HostileSession, DetectsDamage) {
    EXPECT_EQ(refusedAfter("UPDATE files SET sha256 = 'no' WHERE file = 1").where.field, "files.sha256");
    EXPECT_EQ(refusedAfter("UPDATE session SET value = 'fortnights' WHERE key = 'time_unit'").where.field,
              "session.time_unit");
}

TEST_F(HostileSession, EndlessListsEnd) {
    EXPECT_EQ(
        refusedAfter(
            "WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 20000) INSERT INTO "
            "notes (text) SELECT 'x' FROM n")
            .code,
        ErrorCode::Limit);
}

TEST_F(HostileSession, DamageIsReportedOrHarmless) {
    const std::string whole = test::readText(path);
    for (std::size_t i = 0; i < 60; ++i) {
        std::string damaged = whole;
        for (std::size_t j = 0; j < 40; ++j) {
            damaged[(i * 7919 + j * 104729) % damaged.size()] = static_cast<char>(i * 31 + j);
        }
        damaged.resize(i % 3 == 0 ? damaged.size() * (i + 1) / 61 : damaged.size());
        std::ofstream(path, std::ios::binary | std::ios::trunc) << damaged;
        if (const auto store = SessionStore::open(path)) {
            (void)store->session(store->joinOptions());
            (void)store->notes();
        }
    }
}

}  // namespace
}  // namespace et::inspector::store
