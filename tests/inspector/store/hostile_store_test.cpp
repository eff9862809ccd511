#include "inspector/store/baseline_store.h"
#include "tests/inspector/store/store_support.h"
#include "tests/support/scratch_folder.h"
#include "tests/support/shared_data.h"

#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <string>
#include <vector>

// Tests of files that are not stores of et-inspect, or are hostile.
namespace et::inspector::store {
namespace {

namespace fs = std::filesystem;
using core::ErrorCode;
using test::madeUpMeasurement;
using test::openStore;

void writeFile(const fs::path& path, const std::string& content) {
    std::ofstream(path, std::ios::binary) << content;
}

/// Returns the error of opening: one line that names the file.
core::Error refused(const fs::path& path) {
    auto store = BaselineStore::open(path);
    EXPECT_FALSE(store);
    if (store) {
        return {};
    }
    const std::string line = store.error().toString();
    EXPECT_TRUE(line.starts_with(path.string() + ": ")) << line;
    EXPECT_FALSE(line.contains('\n')) << line;
    return store.error();
}

/// A store with one baseline, in one file.
fs::path storeIn(const fs::path& folder) {
    const fs::path path = folder / "s.db";
    BaselineStore store = openStore(path);
    EXPECT_TRUE(store.save("one", madeUpMeasurement(1)));
    return path;
}

TEST(HostileStore, RejectsOtherFiles) {
    const test::ScratchFolder folder;
    writeFile(folder.path() / "text.db", std::string(5000, 'x'));
    EXPECT_EQ(refused(folder.path() / "text.db").code, ErrorCode::Format);
    EXPECT_EQ(test::readText(folder.path() / "text.db"), std::string(5000, 'x'));
}

TEST(HostileStore, DoesNotModifyForeignDatabases) {
    const test::ScratchFolder folder;
    const fs::path path = folder.path() / "other.db";
    test::runSql(path, "CREATE TABLE mine (a); INSERT INTO mine VALUES (1)");
    const std::string before = test::readText(path);
    const core::Error error = refused(path);
    EXPECT_EQ(error.code, ErrorCode::Format);
    EXPECT_EQ(error.message, "expected a baseline store, got a database of another program");
    EXPECT_EQ(test::readText(path), before);
    EXPECT_FALSE(fs::exists(path.string() + "-wal"));
}

TEST(HostileStore, DoesNotModifyNewerVersions) {
    const test::ScratchFolder folder;
    const fs::path path = storeIn(folder.path());
    test::runSql(path, "PRAGMA user_version = 99");
    EXPECT_EQ(refused(path).code, ErrorCode::Unsupported);
    EXPECT_EQ(refused(path).message,
              "created by a newer version: expected a baseline store of version 3 or older, got 99");
    test::runSql(path, "PRAGMA user_version = -1");
    EXPECT_EQ(refused(path).code, ErrorCode::Format);
    test::runSql(path, "PRAGMA user_version = 0");
    EXPECT_EQ(refused(path).code, ErrorCode::Format);
}

TEST(HostileStore, OtherTablesAreRefused) {
    for (const char* change :
         {"DROP TABLE sample", "CREATE TABLE more (a)", "ALTER TABLE run ADD COLUMN extra TEXT",
          "CREATE TRIGGER evil AFTER INSERT ON baseline BEGIN DELETE FROM baseline; END",
          "DROP TABLE output; CREATE VIEW output AS SELECT * FROM baseline",
          "CREATE INDEX i ON sample (time)"}) {
        const test::ScratchFolder folder;
        const fs::path path = storeIn(folder.path());
        test::runSql(path, change);
        EXPECT_EQ(refused(path).message,
                  "expected a baseline store, got tables that do not match its version")
            << change;
    }
}

TEST(HostileStore, RejectsInvalidValues) {
    for (const char* change :
         {"UPDATE sample SET time = -1", "UPDATE sample SET time = 9e999", "UPDATE run SET time = -9e999",
          "UPDATE operator SET kind = 'x'", "UPDATE operator SET instruction = 1 << 40",
          "UPDATE operator SET instruction = -7", "UPDATE output SET elements = -1",
          "UPDATE settings SET threads = -1", "UPDATE program SET bytes = -5",
          "UPDATE machine SET cores = -2"}) {
        const test::ScratchFolder folder;
        const fs::path path = storeIn(folder.path());
        test::runSql(path, change);
        const auto loaded = openStore(path).load("one");
        ASSERT_FALSE(loaded) << change;
        EXPECT_EQ(loaded.error().code, ErrorCode::Format) << change;
        EXPECT_FALSE(loaded.error().where.field.empty()) << change;
    }
}

TEST(HostileStore, DamageIsAnErrorOrDoesNotMatter) {
    const test::ScratchFolder folder;
    const fs::path path = storeIn(folder.path());
    const std::string whole = test::readText(path);
    ASSERT_GT(whole.size(), 10'000U);
    const auto read = [&](const std::string& bytes, const std::string& what) {
        writeFile(path, bytes);
        auto store = BaselineStore::open(path);
        const auto loaded =
            store ? store->load("one") : core::Result<Measurement>(std::unexpected(store.error()));
        if (!loaded) {
            EXPECT_FALSE(loaded.error().toString().contains('\n')) << what;
        }
        if (store) {
            static_cast<void>(store->list());
        }
    };
    for (std::size_t at = 0; at < whole.size(); at += at < 128 ? 1 : 499) {
        std::string damaged = whole;
        damaged[at] = static_cast<char>(damaged[at] ^ 0x55);
        read(damaged, "flipped at " + std::to_string(at));
    }
    for (std::size_t size = 0; size < whole.size(); size += 1499) {
        read(whole.substr(0, size), "cut at " + std::to_string(size));
    }
}

}  // namespace
}  // namespace et::inspector::store
