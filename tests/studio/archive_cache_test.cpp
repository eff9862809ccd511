// Tests that the extracted files of opened sessions are eventually removed.
#include "app/studio/archive_cache.h"

#include "app/studio/session_archive.h"
#include "inspector/session/artifact.h"
#include "inspector/store/session_store.h"
#include "tests/studio/studio_fixture.h"

#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <string>
#include <vector>

namespace et::test {

namespace {

namespace fs = std::filesystem;
using studio::ArchiveUse;
using studio::pruneArchives;
using namespace std::chrono_literals;

class ArchiveCacheTest : public StudioTest {
  protected:
    [[nodiscard]] fs::path cache() const { return folder() / "sessions"; }
    /// Adds a session folder of this size, opened this long ago.
    [[nodiscard]] fs::path add(char letter, std::size_t bytes, std::chrono::hours ago) const {
        const fs::path path = cache() / std::string(24, letter);
        fs::create_directories(path);
        std::ofstream(path / "model.pte") << std::string(bytes, 'x');
        fs::last_write_time(path, fs::file_time_type::clock::now() - ago);
        return path;
    }
};

TEST_F(ArchiveCacheTest, RemovesOldEntries) {
    const fs::path old = add('a', 10, 24h * 31);
    const fs::path young = add('b', 10, 24h * 29);
    pruneArchives(cache(), {});
    EXPECT_FALSE(fs::exists(old));
    EXPECT_TRUE(fs::exists(young / "model.pte"));
}

TEST_F(ArchiveCacheTest, RemovesOldestEntriesUntilBelowTheLimit) {
    const fs::path first = add('a', 600, 3h);
    const fs::path second = add('b', 600, 2h);
    const fs::path third = add('c', 600, 1h);
    pruneArchives(cache(), {.bytes = 1200});
    EXPECT_FALSE(fs::exists(first));
    EXPECT_TRUE(fs::exists(second));
    EXPECT_TRUE(fs::exists(third));
}

TEST_F(ArchiveCacheTest, KeepsEntriesInUse) {
    const fs::path old = add('a', 600, 24h * 100);
    {
        const auto one = ArchiveUse::of(old);
        ASSERT_TRUE(one) << one.error().toString();
        auto two = ArchiveUse::of(old);
        ASSERT_TRUE(two) << "several may use it";
        fs::last_write_time(old, fs::file_time_type::clock::now() - 24h * 100);
        pruneArchives(cache(), {.bytes = 0});
        EXPECT_TRUE(fs::exists(old / "model.pte"));
        two->reset();
        pruneArchives(cache(), {.bytes = 0});
        EXPECT_TRUE(fs::exists(old / "model.pte")) << "one is left";
    }
    pruneArchives(cache(), {.bytes = 0});
    EXPECT_FALSE(fs::exists(old));
}

TEST_F(ArchiveCacheTest, KeepsForeignFiles) {
    const fs::path other = cache() / "my models";
    fs::create_directories(other);
    const fs::path away = folder() / "away";
    fs::create_directories(away);
    std::ofstream(away / "precious") << "x";
    fs::create_directory_symlink(away, cache() / std::string(24, 'd'));
    pruneArchives(cache(), {.age = 0h, .bytes = 0});
    EXPECT_TRUE(fs::exists(other));
    EXPECT_TRUE(fs::exists(away / "precious"));
    pruneArchives(folder() / "nowhere", {});
}

TEST_F(ArchiveCacheTest, AnOpenSessionIsInUse) {
    const QByteArray before = qgetenv("XDG_CACHE_HOME");
    qputenv("XDG_CACHE_HOME", QByteArray::fromStdString((folder() / "cache").string()));
    const fs::path saved = folder() / "saved.db";
    const auto written = inspector::store::saveSession(saved, *openSession(sample()), {});
    ASSERT_TRUE(written) << written.error().toString();
    const auto files = inspector::recognizeFiles(std::vector{saved});
    ASSERT_TRUE(files) << files.error().toString();
    auto outcome = studio::loadArchive({saved}, *files, {}, {});
    ASSERT_TRUE(outcome && outcome->session);
    const fs::path where = studio::archiveFolder(saved);
    pruneArchives(where.parent_path(), {.bytes = 0});
    EXPECT_TRUE(fs::exists(outcome->session->files.trace));
    EXPECT_EQ(fs::status(where).permissions(), fs::perms::owner_all);
    outcome->inUse = nullptr;
    pruneArchives(where.parent_path(), {.bytes = 0});
    EXPECT_FALSE(fs::exists(where));
    qputenv("XDG_CACHE_HOME", before);
}

}  // namespace

}  // namespace et::test
