#include "inspector/store/baseline_store.h"

#include "tests/inspector/store/store_support.h"
#include "tests/support/scratch_folder.h"

#include <gtest/gtest.h>

#include <cstdlib>
#include <filesystem>
#include <string>

namespace et::inspector::store {
namespace {

namespace fs = std::filesystem;
using test::asLoaded;
using test::madeUpMeasurement;
using test::openStore;

TEST(BaselineStore, GivesBackWhatWasSaved) {
    const test::ScratchFolder folder;
    const fs::path path = folder.path() / "deep/er/baselines.db";
    const Measurement saved = madeUpMeasurement(1);
    Measurement bare{.name = "trace.etdp", .cycles = true};
    bare.methods = {{.method = "Execute", .total = {1, 2, 3}}};
    {
        BaselineStore store = openStore(path);
        ASSERT_TRUE(store.save("one", saved));
        ASSERT_TRUE(store.save("bare", bare));
    }
    const BaselineStore store = openStore(path);
    EXPECT_EQ(*store.load("one"), asLoaded(saved, "one"));
    EXPECT_EQ(*store.load("bare"), asLoaded(bare, "bare"));
    EXPECT_EQ(test::integrityOf(path), "ok");
}

TEST(BaselineStore, ListsWhatThereIs) {
    const test::ScratchFolder folder;
    BaselineStore store = openStore(folder.path() / "s.db");
    EXPECT_TRUE(store.list()->empty());
    ASSERT_TRUE(store.save("b", madeUpMeasurement(1)));
    ASSERT_TRUE(store.save("a", madeUpMeasurement(2, 3, 5)));
    const auto entries = *store.list();
    ASSERT_EQ(entries.size(), 2U);
    EXPECT_EQ(entries[0].name, "a");
    EXPECT_EQ(entries[0].origin, "model.pte");
    EXPECT_EQ(entries[0].operators, 3U);
    EXPECT_EQ(entries[0].samples, 15U);
    EXPECT_EQ(entries[0].runs, 7U) << "of both methods";
    EXPECT_EQ(entries[0].medianTotal, 2000 + 2 + 1e6);
    EXPECT_EQ(entries[0].cpu, "cpu");
    EXPECT_EQ(entries[0].created.size(), std::string("2026-11-21T04:05:06Z").size());
}

TEST(BaselineStore, NamesAreNotTakenTwice) {
    const test::ScratchFolder folder;
    BaselineStore store = openStore(folder.path() / "s.db");
    ASSERT_TRUE(store.save("name", madeUpMeasurement(1)));
    const auto again = store.save("name", madeUpMeasurement(2));
    ASSERT_FALSE(again);
    EXPECT_EQ(again.error().code, core::ErrorCode::InvalidArgument);
    EXPECT_EQ(*store.load("name"), asLoaded(madeUpMeasurement(1), "name"));
    ASSERT_TRUE(store.save("name", madeUpMeasurement(2), Existing::Replace));
    EXPECT_EQ(*store.load("name"), asLoaded(madeUpMeasurement(2), "name"));
    EXPECT_EQ(store.list()->size(), 1U);
    for (const std::string& wrong : {std::string(), std::string(201, 'x'), std::string("a\nb")}) {
        EXPECT_EQ(store.save(wrong, madeUpMeasurement(1)).error().code, core::ErrorCode::InvalidArgument);
    }
    EXPECT_TRUE(store.save("'; DROP TABLE baseline; --", madeUpMeasurement(3)));
    EXPECT_EQ(store.list()->size(), 2U);
}

TEST(BaselineStore, RemovesAllOfABaseline) {
    const test::ScratchFolder folder;
    BaselineStore store = openStore(folder.path() / "s.db");
    ASSERT_TRUE(store.save("one", madeUpMeasurement(1)));
    ASSERT_TRUE(store.save("two", madeUpMeasurement(2)));
    ASSERT_TRUE(store.remove("one"));
    EXPECT_EQ(*store.load("two"), asLoaded(madeUpMeasurement(2), "two"));
    const auto missing = store.remove("one");
    ASSERT_FALSE(missing);
    EXPECT_EQ(missing.error().code, core::ErrorCode::NotFound);
    EXPECT_TRUE(missing.error().message.contains("no baseline \"one\", there is two"))
        << missing.error().message;
    EXPECT_FALSE(store.load("one"));
    const auto database = Database::inMemory();
    ASSERT_TRUE(database);
    test::runSql(
        folder.path() / "s.db",
        "SELECT 'left: ' || count(*) FROM sample s LEFT JOIN operator o ON o.id = s.operator WHERE o.id IS "
        "NULL HAVING count(*) > 0");
}

TEST(BaselineStore, IsFoundWhereTheDesktopKeepsData) {
    ASSERT_EQ(setenv("XDG_DATA_HOME", "/data", 1), 0);
    EXPECT_EQ(*BaselineStore::defaultPath(), "/data/et-inspect/baselines.db");
    ASSERT_EQ(setenv("XDG_DATA_HOME", "not/absolute", 1), 0);
    ASSERT_EQ(setenv("HOME", "/home/me", 1), 0);
    EXPECT_EQ(*BaselineStore::defaultPath(), "/home/me/.local/share/et-inspect/baselines.db");
    unsetenv("XDG_DATA_HOME");
    unsetenv("HOME");
    EXPECT_EQ(BaselineStore::defaultPath().error().code, core::ErrorCode::NotFound);
}

TEST(BaselineStore, OpensOnlyWhatIsThereWhenAsked) {
    const test::ScratchFolder folder;
    const auto missing = BaselineStore::open(folder.path() / "s.db", {.mode = OpenMode::Existing});
    ASSERT_FALSE(missing);
    EXPECT_EQ(missing.error().code, core::ErrorCode::NotFound);
    EXPECT_FALSE(fs::exists(folder.path() / "s.db"));
    EXPECT_EQ(BaselineStore::open(folder.path()).error().code, core::ErrorCode::Format);
    EXPECT_EQ(BaselineStore::open("/proc/self/nowhere/s.db").error().code, core::ErrorCode::Io);
}

}  // namespace
}  // namespace et::inspector::store
