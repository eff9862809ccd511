#include "runtime/core/file_replacement.h"

#include "runtime/core/file_lock.h"
#include "runtime/core/mapped_ranges.h"
#include "tests/support/scratch_folder.h"
#include "tests/support/shared_data.h"

#include <gtest/gtest.h>

#include <chrono>
#include <filesystem>
#include <fstream>
#include <span>
#include <string>
#include <string_view>
#include <thread>
#include <utility>

namespace et::core {
namespace {

namespace fs = std::filesystem;

class FileReplacementTest : public testing::Test {
  protected:
    FileReplacementTest() { std::ofstream(path) << "before"; }

    static Bytes bytes(std::string_view text) { return std::as_bytes(std::span(text)); }
    [[nodiscard]] std::ptrdiff_t files() const {
        return std::distance(fs::directory_iterator(folder.path()), fs::directory_iterator{});
    }

    test::ScratchFolder folder;
    fs::path path = folder.path() / "x";
};

TEST_F(FileReplacementTest, AppearsOnlyWhenFinished) {
    auto file = FileReplacement::open(path).value();
    ASSERT_TRUE(file.write(bytes("after")));
    EXPECT_EQ(test::readText(path), "before");
    ASSERT_TRUE(file.finish());
    EXPECT_EQ(test::readText(path), "after");
    EXPECT_EQ(files(), 1);
}

TEST_F(FileReplacementTest, AppearsOnlyWhenFinishedIfSyncedLater) {
    auto file =
        FileReplacement::open(path, FileReplacement::Links::Follow, FileReplacement::Sync::Later).value();
    ASSERT_TRUE(file.write(bytes("after")));
    EXPECT_EQ(test::readText(path), "before");
    ASSERT_TRUE(file.finish());
    EXPECT_EQ(test::readText(path), "after");
    EXPECT_EQ(files(), 1);
}

TEST_F(FileReplacementTest, CanBeExtendedAfterPublishing) {
    auto file = FileReplacement::open(path).value();
    ASSERT_TRUE(file.write(bytes("one")));
    ASSERT_TRUE(file.publish());
    EXPECT_EQ(test::readText(path), "one");
    auto moved = std::move(file);
    ASSERT_TRUE(moved.write(bytes(" two")));
    EXPECT_EQ(test::readText(path), "one two");
    EXPECT_EQ(files(), 1);
}

TEST_F(FileReplacementTest, IsRemovedUnlessFinished) {
    {
        auto file = FileReplacement::open(path).value();
        ASSERT_TRUE(file.write(bytes("after")));
        auto other = FileReplacement::open(path).value();
        other = std::move(file);
        EXPECT_EQ(files(), 2);
    }
    EXPECT_EQ(test::readText(path), "before");
    EXPECT_EQ(files(), 1);
}

TEST_F(FileReplacementTest, RemovesFilesOfKilledProcesses) {
    const fs::path left = folder.path() / ".x.4242.7.part";
    const fs::path others = folder.path() / ".x.y.4242.7.part";
    const fs::path ours = folder.path() / ".x.notes.part";
    for (const fs::path& each : {left, others, ours}) {
        std::ofstream(each) << "half";
    }
    auto running = FileReplacement::open(path).value();  // another active writer
    ASSERT_TRUE(running.write(bytes("running")));
    auto file = FileReplacement::open(path).value();
    EXPECT_FALSE(fs::exists(left));
    EXPECT_TRUE(fs::exists(others));
    EXPECT_TRUE(fs::exists(ours));
    EXPECT_TRUE(fs::exists(running.writtenTo()));
    ASSERT_TRUE(running.finish());
    EXPECT_EQ(test::readText(path), "running");
}

TEST_F(FileReplacementTest, DoesNotOverwriteExistingFiles) {
    auto file = FileReplacement::open(path).value();
    ASSERT_TRUE(file.write(bytes("after")));
    ASSERT_TRUE(file.finishUnlessTaken());
    EXPECT_EQ(test::readText(path), "before");
    fs::remove(path);
    auto free = FileReplacement::open(path).value();
    ASSERT_TRUE(free.write(bytes("after")));
    ASSERT_TRUE(free.finishUnlessTaken());
    EXPECT_EQ(test::readText(path), "after");
    EXPECT_EQ(files(), 1);
}

TEST_F(FileReplacementTest, ReplacesALinkOnRequest) {
    const fs::path link = folder.path() / "link";
    fs::create_symlink(path, link);
    auto file = FileReplacement::open(link, FileReplacement::Links::Replace).value();
    ASSERT_TRUE(file.write(bytes("after")));
    ASSERT_TRUE(file.finish());
    EXPECT_FALSE(fs::is_symlink(link));
    EXPECT_EQ(test::readText(link), "after");
    EXPECT_EQ(test::readText(path), "before");
}

TEST_F(FileReplacementTest, DiscardsContentOfTruncatedFiles) {
    ASSERT_TRUE(guardMappedFiles());
    const fs::path source = folder.path() / "source";
    std::ofstream(source) << std::string(1 << 16, 'x');
    auto file = FileReplacement::open(path).value();
    {
        const auto opened = MappedFile::open(source).value();
        fs::resize_file(source, 1);
        EXPECT_EQ(std::to_integer<int>(opened->bytes().back()), 0);
        const auto refused = file.finish();
        ASSERT_FALSE(refused);
        EXPECT_EQ(refused.error().where.file, source.string());
    }
    EXPECT_EQ(test::readText(path), "before");
}

TEST_F(FileReplacementTest, LockAppliesToTheCurrentFile) {
    using namespace std::chrono_literals;
    auto first = FileLock::exclusive(path, 0ms);
    ASSERT_TRUE(first);
    EXPECT_EQ(FileLock::exclusive(path, 20ms).error().code, ErrorCode::Io);
    std::thread waiting([&] {
        const auto second = FileLock::exclusive(path, 10s);
        ASSERT_TRUE(second) << second.error().toString();
        EXPECT_EQ(test::readText(path), "after");
    });
    std::this_thread::sleep_for(20ms);
    auto file = FileReplacement::open(path).value();
    ASSERT_TRUE(file.write(bytes("after")));
    ASSERT_TRUE(file.finish());
    {
        const auto released = std::move(first);
    }
    waiting.join();
    EXPECT_EQ(FileLock::exclusive(folder.path() / "nothing", 0ms).error().code, ErrorCode::Io);
}

}  // namespace
}  // namespace et::core
