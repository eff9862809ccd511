#include "runtime/core/file_replacement.h"

#include "tests/support/scratch_folder.h"
#include "tests/support/shared_data.h"

#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <span>
#include <string_view>
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

TEST_F(FileReplacementTest, TakesItsNameAtTheEnd) {
    auto file = FileReplacement::open(path).value();
    ASSERT_TRUE(file.write(bytes("after")));
    EXPECT_EQ(test::readText(path), "before");
    ASSERT_TRUE(file.finish());
    EXPECT_EQ(test::readText(path), "after");
    EXPECT_EQ(files(), 1);
}

TEST_F(FileReplacementTest, GrowsOnBehindItsName) {
    auto file = FileReplacement::open(path).value();
    ASSERT_TRUE(file.write(bytes("one")));
    ASSERT_TRUE(file.publish());
    EXPECT_EQ(test::readText(path), "one");
    auto moved = std::move(file);
    ASSERT_TRUE(moved.write(bytes(" two")));
    EXPECT_EQ(test::readText(path), "one two");
    EXPECT_EQ(files(), 1);
}

TEST_F(FileReplacementTest, GoesAwayWhenNobodyFinishesIt) {
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

}  // namespace
}  // namespace et::core
