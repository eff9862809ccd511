#include "app/tasks/base/output_file.h"
#include "tests/support/scratch_folder.h"
#include "tests/support/shared_data.h"

#include <gtest/gtest.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <iterator>

namespace et::tasks {
namespace {

namespace fs = std::filesystem;
using test::readText;
using test::ScratchFolder;

std::ptrdiff_t entries(const fs::path& folder) {
    return std::distance(fs::directory_iterator(folder), fs::directory_iterator{});
}

void put(const fs::path& path, std::string_view text) {
    std::ofstream(path) << text;
}

TEST(WriteFile, MakesAndReplaces) {
    const ScratchFolder scratch;
    const fs::path file = scratch.path() / "out.txt";
    ASSERT_TRUE(writeFile(file, tasks::producerOf("one")));
    EXPECT_EQ(readText(file), "one");
    const std::string large(100'000, 'x');
    ASSERT_TRUE(writeFile(file, tasks::producerOf(large)));
    EXPECT_EQ(readText(file), large);
    EXPECT_EQ(entries(scratch.path()), 1);
}

TEST(WriteFile, KeepsTheOldFileIfTheProducerFails) {
    const ScratchFolder scratch;
    const fs::path file = scratch.path() / "out.txt";
    put(file, "before");
    const auto written = writeFile(file, [](std::ostream& out) -> core::Result<> {
        out << "half";
        return core::fail(core::ErrorCode::Format, "no more");
    });
    ASSERT_FALSE(written);
    EXPECT_EQ(written.error().message, "no more");
    EXPECT_EQ(readText(file), "before");
    EXPECT_EQ(entries(scratch.path()), 1);
}

TEST(WriteFile, KeepsModeAndFollowsLinks) {
    const ScratchFolder scratch;
    const fs::path file = scratch.path() / "real.txt";
    put(file, "before");
    fs::permissions(file, fs::perms::owner_all);
    fs::create_symlink("real.txt", scratch.path() / "link.txt");
    ASSERT_TRUE(writeFile(scratch.path() / "link.txt", tasks::producerOf("after")));
    EXPECT_TRUE(fs::is_symlink(scratch.path() / "link.txt"));
    EXPECT_EQ(readText(file), "after");
    EXPECT_EQ(fs::status(file).permissions(), fs::perms::owner_all);
}

TEST(WriteFile, ErrorContainsTheSystemMessage) {
    const ScratchFolder scratch;
    const auto full = writeFile("/dev/full", tasks::producerOf("text"));
    ASSERT_FALSE(full);
    EXPECT_EQ(full.error().toString(), "/dev/full: cannot write: No space left on device");
    const auto nowhere = writeFile(scratch.path() / "no/such/file", tasks::producerOf("text"));
    ASSERT_FALSE(nowhere);
    EXPECT_EQ(nowhere.error().code, core::ErrorCode::Io);
    const auto folder = writeFile(scratch.path(), tasks::producerOf("text"));
    ASSERT_FALSE(folder);
    EXPECT_EQ(entries(scratch.path()), 0);
}

TEST(WriteFile, WritesDevicesDirectly) {
    ASSERT_TRUE(writeFile("/dev/null", tasks::producerOf("text")));
    EXPECT_TRUE(fs::is_character_file("/dev/null"));
}

}  // namespace
}  // namespace et::tasks
