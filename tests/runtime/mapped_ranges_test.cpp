// Tests of a file that another process truncates while it is mapped here.
#include "runtime/core/mapped_ranges.h"

#include "runtime/core/mapped_file.h"

#include <gtest/gtest.h>
#include <sys/mman.h>
#include <unistd.h>

#include <algorithm>
#include <csignal>
#include <filesystem>
#include <fstream>
#include <string>
#include <thread>
#include <vector>

namespace et::core {
namespace {

constexpr std::size_t pages = 4;

class MappedRangesTest : public testing::Test {
  protected:
    MappedRangesTest() : page(static_cast<std::size_t>(::sysconf(_SC_PAGESIZE))) {
        path =
            std::filesystem::path(testing::TempDir()) /
            (std::string("mapped_ranges_") + testing::UnitTest::GetInstance()->current_test_info()->name());
        std::ofstream(path, std::ios::binary) << std::string(pages * page, 'x');
    }
    ~MappedRangesTest() override { std::filesystem::remove(path); }

    std::size_t page;
    std::filesystem::path path;
};

TEST_F(MappedRangesTest, TruncatedRangesReadAsZeros) {
    ASSERT_TRUE(guardMappedFiles());
    const auto file = MappedFile::open(path);
    ASSERT_TRUE(file);
    std::filesystem::resize_file(path, page + 10);
    const Bytes bytes = (*file)->bytes();
    EXPECT_EQ(bytes.size(), pages * page);
    EXPECT_EQ(std::ranges::count(bytes, std::byte{'x'}), static_cast<std::ptrdiff_t>(page + 10));
    EXPECT_EQ(bytes.back(), std::byte{0});
}

TEST_F(MappedRangesTest, SeveralThreadsMayFindItAtOnce) {
    ASSERT_TRUE(guardMappedFiles());
    const auto file = MappedFile::open(path);
    ASSERT_TRUE(file);
    std::filesystem::resize_file(path, 0);
    std::vector<std::ptrdiff_t> found(4);
    {
        std::vector<std::jthread> threads;
        for (std::ptrdiff_t& count : found) {
            threads.emplace_back(
                [&count, bytes = (*file)->bytes()] { count = std::ranges::count(bytes, std::byte{0}); });
        }
    }
    EXPECT_EQ(found, std::vector<std::ptrdiff_t>(4, static_cast<std::ptrdiff_t>(pages * page)));
}

using MappedRangesDeathTest = MappedRangesTest;

/// Maps a file outside of our code, truncates it and reads it.
void readStrangersFile(const std::filesystem::path& path, std::size_t size) {
    std::FILE* const stream = std::fopen(path.c_str(), "rb");
    const void* mapping = ::mmap(nullptr, size, PROT_READ, MAP_PRIVATE, ::fileno(stream), 0);
    std::filesystem::resize_file(path, 0);
    const volatile char* first = static_cast<const char*>(mapping);
    std::fprintf(stderr, "%d\n", *first);
}

TEST_F(MappedRangesDeathTest, OtherFaultsEndTheProcessAsBefore) {
    GTEST_FLAG_SET(death_test_style, "threadsafe");
    const auto guarded = [&](const auto& use) {
        std::signal(SIGBUS, SIG_DFL);  // a sanitizer installs its own handler
        guardMappedFiles();
        use();
    };
    EXPECT_EXIT(guarded([&] { readStrangersFile(path, page); }), testing::KilledBySignal(SIGBUS), "");
    EXPECT_EXIT(guarded([] { ::raise(SIGBUS); }), testing::KilledBySignal(SIGBUS), "");
}

}  // namespace
}  // namespace et::core
