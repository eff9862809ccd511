#include "inspector/store/database/database.h"

#include "tests/inspector/store/store_support.h"
#include "tests/support/scratch_folder.h"

#include <gtest/gtest.h>

#include <array>
#include <cstddef>
#include <limits>
#include <optional>
#include <string>
#include <string_view>

namespace et::inspector::store {
namespace {

constexpr std::array<std::string_view, 1> first{"CREATE TABLE t (a INTEGER PRIMARY KEY, b TEXT)"};
constexpr std::array<std::string_view, 2> second{first[0], "ALTER TABLE t ADD COLUMN c REAL"};
constexpr Schema version1{.kind = "test store", .applicationId = 77, .migrations = first, .writeAhead = true};
constexpr Schema version2{
    .kind = "test store", .applicationId = 77, .migrations = second, .writeAhead = true};

TEST(Database, BindsAndReadsEveryType) {
    const auto database = Database::inMemory();
    ASSERT_TRUE(database);
    ASSERT_TRUE((*database)->run("CREATE TABLE t (a, b, c, d, e, f)"));
    auto insert = (*database)->prepare("INSERT INTO t VALUES (?, ?, ?, ?, ?, ?)");
    ASSERT_TRUE(insert);
    const std::array bytes{std::byte{0}, std::byte{255}};
    ASSERT_TRUE(insert->run(std::numeric_limits<std::int64_t>::min(), 0.1, std::string_view("a\0b", 3),
                            core::Bytes(bytes), std::optional<double>(), true));
    auto select = (*database)->prepare("SELECT * FROM t");
    ASSERT_TRUE(select);
    ASSERT_TRUE(*select->step());
    EXPECT_EQ(select->integer(0), std::numeric_limits<std::int64_t>::min());
    EXPECT_EQ(select->real(1), 0.1);
    EXPECT_EQ(select->text(2), std::string_view("a\0b", 3));
    ASSERT_EQ(select->blob(3).size(), 2U);
    EXPECT_EQ(select->blob(3)[1], std::byte{255});
    EXPECT_TRUE(select->isNull(4));
    EXPECT_EQ(select->optionalReal(4), std::nullopt);
    EXPECT_EQ(select->integer(5), 1);
    EXPECT_FALSE(*select->step());
}

TEST(Database, EmptyTextIsNotNull) {
    const auto database = Database::inMemory();
    ASSERT_TRUE((*database)->run("CREATE TABLE t (a TEXT NOT NULL, b BLOB NOT NULL)"));
    auto insert = (*database)->prepare("INSERT INTO t VALUES (?, ?)");
    EXPECT_TRUE(insert->run(std::string_view(), core::Bytes()));
    EXPECT_EQ(*(*database)->number("SELECT length(a) + length(b) FROM t"), 0);
}

TEST(Database, UncommittedChangesAreDiscarded) {
    const auto database = Database::inMemory();
    ASSERT_TRUE((*database)->run("CREATE TABLE t (a)"));
    {
        auto transaction = (*database)->begin();
        ASSERT_TRUE(transaction);
        ASSERT_TRUE((*database)->run("INSERT INTO t VALUES (1)"));
    }
    EXPECT_EQ(*(*database)->number("SELECT count(*) FROM t"), 0);
    auto transaction = (*database)->begin();
    ASSERT_TRUE((*database)->run("INSERT INTO t VALUES (1)"));
    ASSERT_TRUE(transaction->commit());
    EXPECT_EQ(*(*database)->number("SELECT count(*) FROM t"), 1);
}

TEST(Database, ErrorsAreOneLine) {
    const auto database = Database::inMemory();
    const auto wrong = (*database)->prepare("SELECT FROM");
    ASSERT_FALSE(wrong);
    EXPECT_EQ(wrong.error().toString().find('\n'), std::string::npos);
    ASSERT_TRUE((*database)->run("CREATE TABLE t (a UNIQUE); INSERT INTO t VALUES (1)"));
    EXPECT_FALSE((*database)->run("INSERT INTO t VALUES (1)"));
}

TEST(Migrations, KeepDataOfOlderVersions) {
    const test::ScratchFolder folder;
    const auto path = folder.path() / "t.db";
    {
        const auto old = Database::open(path, version1);
        ASSERT_TRUE(old) << old.error().toString();
        ASSERT_TRUE((*old)->run("INSERT INTO t VALUES (1, 'kept')"));
    }
    {
        const auto now = Database::open(path, version2);
        ASSERT_TRUE(now) << now.error().toString();
        auto select = (*now)->prepare("SELECT b, c FROM t");
        ASSERT_TRUE(*select->step());
        EXPECT_EQ(select->text(0), "kept");
        EXPECT_TRUE(select->isNull(1));
        EXPECT_EQ(*(*now)->number("PRAGMA user_version"), 2);
    }
    const auto older = Database::open(path, version1);
    ASSERT_FALSE(older);
    EXPECT_EQ(older.error().code, core::ErrorCode::Unsupported);
}

TEST(Database, OpensWithWalAndForeignKeys) {
    const test::ScratchFolder folder;
    const auto database = Database::open(folder.path() / "t.db", version1);
    ASSERT_TRUE(database);
    auto mode = (*database)->prepare("PRAGMA journal_mode");
    ASSERT_TRUE(*mode->step());
    EXPECT_EQ(mode->text(0), "wal");
    EXPECT_EQ(*(*database)->number("PRAGMA foreign_keys"), 1);
    EXPECT_EQ(*(*database)->number("PRAGMA application_id"), 77);
}

}  // namespace
}  // namespace et::inspector::store
