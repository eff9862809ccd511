#include "inspector/store/query.h"

#include "inspector/store/session_store.h"
#include "tests/inspector/store/session_support.h"
#include "tests/support/scratch_folder.h"

#include <gtest/gtest.h>

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

// Tests of SQL queries.
namespace et::inspector::store {
namespace {

using core::ErrorCode;
using core::Result;
using Lines = std::vector<std::string>;

class QueryTest : public testing::Test {
  protected:
    QueryTest() {
        EXPECT_TRUE(database->run("INSERT INTO notes (text) VALUES ('a'), ('b'), (NULL)"));
        database->allowReadingOnly();
    }

    std::vector<QueryResult> ask(const std::string& sql, const QueryLimits& limits = {}) {
        std::vector<QueryResult> answers;
        problem = runQueries(*database, sql, limits, [&](QueryResult answer) {
            answers.push_back(std::move(answer));
            return Result<>();
        });
        return answers;
    }

    std::unique_ptr<Database> database = Database::inMemory(sessionSchema()).value();
    Result<> problem;
};

TEST_F(QueryTest, GivesRowsInTheirTypes) {
    const auto answers = ask("SELECT 1 AS one, 2.5 AS half, 'x' AS text, NULL AS none, x'0aff' AS bytes");
    ASSERT_TRUE(problem) << problem.error().toString();
    ASSERT_EQ(answers.size(), 1U);
    const format::Table& table = answers.front().table;
    ASSERT_EQ(table.rows.size(), 1U);
    EXPECT_EQ(std::get<std::int64_t>(table.rows[0][0]), 1);
    EXPECT_EQ(std::get<double>(table.rows[0][1]), 2.5);
    EXPECT_EQ(std::get<std::string>(table.rows[0][2]), "x");
    EXPECT_TRUE(std::holds_alternative<std::monostate>(table.rows[0][3]));
    EXPECT_EQ(std::get<std::string>(table.rows[0][4]), "x'0aff'");
    EXPECT_TRUE(table.columns[0].numeric);
    EXPECT_FALSE(table.columns[2].numeric);
    EXPECT_EQ(table.columns[1].header, "half");
}

TEST_F(QueryTest, RunsStatementsInTurn) {
    const auto answers =
        ask("SELECT count(*) FROM notes; -- and\nSELECT text FROM notes WHERE text > 'a';\n");
    ASSERT_TRUE(problem);
    ASSERT_EQ(answers.size(), 2U);
    EXPECT_EQ(answers[0].sql, "SELECT count(*) FROM notes");
    EXPECT_EQ(answers[1].table.rows.size(), 1U);
}

TEST_F(QueryTest, DuplicateColumnNamesAreDisambiguated) {
    const auto answers = ask("SELECT 1 AS a, 2 AS a");
    EXPECT_EQ(answers.front().table.columns[0].id, "a");
    EXPECT_EQ(answers.front().table.columns[1].id, "a:1");
}

TEST_F(QueryTest, LimitsTruncateWithANotice) {
    const auto answers = ask("SELECT * FROM notes", {.maxRows = 2});
    EXPECT_EQ(answers.front().table.rows.size(), 2U);
    EXPECT_FALSE(answers.front().complete);
    EXPECT_TRUE(ask("SELECT * FROM notes", {.maxRows = 3}).front().complete);
    EXPECT_FALSE(ask("SELECT text || text FROM notes", {.maxBytes = 10}).front().complete);
}

TEST_F(QueryTest, ErrorsHaveAPosition) {
    (void)ask("SELECT 1;\nSELECT nme FROM notes");
    ASSERT_FALSE(problem);
    EXPECT_EQ(problem.error().code, ErrorCode::InvalidArgument);
    EXPECT_EQ(problem.error().message, "no such column: nme");
    EXPECT_EQ(problem.error().where.offset, 17U);
    (void)ask("  -- nothing\n");
    EXPECT_EQ(problem.error().message, "expected SQL, got nothing");
}

TEST_F(QueryTest, OnlyReads) {
    for (const char* sql : {"INSERT INTO notes (text) VALUES ('c')",
                            "UPDATE notes SET text = 'c'",
                            "DELETE FROM notes",
                            "DROP TABLE notes",
                            "CREATE TABLE t (a)",
                            "CREATE TEMP TABLE t (a)",
                            "CREATE VIEW v AS SELECT 1",
                            "CREATE TEMP VIEW v AS SELECT 1",
                            "CREATE TRIGGER t AFTER INSERT ON notes BEGIN SELECT 1; END",
                            "CREATE INDEX i ON notes (text)",
                            "CREATE VIRTUAL TABLE t USING fts5(a)",
                            "ALTER TABLE notes ADD COLUMN a",
                            "ATTACH 'other.db' AS other",
                            "DETACH main",
                            "PRAGMA journal_mode = WAL",
                            "PRAGMA writable_schema = ON",
                            "PRAGMA user_version = 7",
                            "PRAGMA query_only = OFF",
                            "BEGIN",
                            "COMMIT",
                            "SAVEPOINT s",

                            "REINDEX",
                            "ANALYZE",
                            "SELECT load_extension('x')",
                            "REPLACE INTO notes (note, text) VALUES (1, 'c')"}) {
        (void)ask(sql);
        ASSERT_FALSE(problem) << sql;
        EXPECT_EQ(problem.error().code, ErrorCode::InvalidArgument) << sql;
    }
    for (const char* sql : {"VACUUM", "VACUUM INTO 'copy.db'"}) {
        (void)ask(sql);
        EXPECT_FALSE(problem) << sql;
    }
    (void)ask("DROP TABLE notes");
    EXPECT_EQ(problem.error().message, "DROP TABLE is not allowed: a session is read-only");
    EXPECT_EQ(ask("SELECT count(*) FROM notes").front().table.rows.front().front(),
              format::Cell(std::int64_t{3}));
}

TEST_F(QueryTest, ReadOnlyPragmasAreAllowed) {
    for (const char* sql :
         {"PRAGMA table_info(notes)", "EXPLAIN QUERY PLAN SELECT * FROM notes",
          "WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 5) SELECT * FROM n",
          "SELECT name FROM sqlite_schema", "SELECT row_number() OVER (ORDER BY text) FROM notes"}) {
        EXPECT_FALSE(ask(sql).empty()) << sql;
        EXPECT_TRUE(problem) << sql << ": " << problem.error().toString();
    }
}

TEST_F(QueryTest, HandlesNulCharacters) {
    using namespace std::string_literals;
    for (const std::string& sql : {"\0SELECT 1"s, "SELECT 1; \0"s, "SELECT '\0'"s}) {
        (void)ask(sql);
        ASSERT_FALSE(problem);
        EXPECT_EQ(problem.error().code, ErrorCode::InvalidArgument);
        EXPECT_EQ(problem.error().where.offset, sql.find('\0'));
    }
}

TEST_F(QueryTest, StopsOnRequest) {
    int asked = 0;
    database->cancelWhen([&] { return ++asked > 3; });
    (void)ask("WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n) SELECT count(*) FROM n");
    ASSERT_FALSE(problem);
    EXPECT_EQ(problem.error().code, ErrorCode::Cancelled);
    EXPECT_EQ(asked, 4);
}

TEST(OlderSession, IsMigratedInMemory) {
    const test::ScratchFolder folder;
    const std::string path = folder.path() / "old.db";
    constexpr std::array<std::string_view, 2> steps{
        "CREATE TABLE a (x INTEGER) STRICT; INSERT INTO a VALUES (7);",
        "ALTER TABLE a ADD COLUMN y INTEGER;"};
    const Schema old{.kind = "thing", .applicationId = 77, .migrations = std::span(steps).first(1)};
    const Schema now{.kind = "thing", .applicationId = 77, .migrations = steps};
    ASSERT_TRUE(Database::create(path, old));
    const auto opened = Database::openReading(path, now);
    ASSERT_TRUE(opened) << opened.error().toString();
    EXPECT_EQ((*opened)->number("SELECT x FROM a WHERE y IS NULL").value(), 7);
    EXPECT_EQ(Database::openReading(path, old).value()->number("PRAGMA user_version").value(), 1)
        << "the file stays";
}

}  // namespace
}  // namespace et::inspector::store
