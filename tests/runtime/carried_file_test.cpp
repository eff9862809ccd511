#include "runtime/core/carried_file.h"

#include "runtime/core/single_file.h"
#include "tests/support/scratch_folder.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cstdlib>
#include <cstring>
#include <fstream>
#include <string>
#include <string_view>

namespace et::core {
namespace {

std::uint64_t sumOf(std::string_view bytes) {
    return checksum(reinterpret_cast<const unsigned char*>(bytes.data()), bytes.size());
}

template <class T>
std::string_view bytesOf(const T& value) {
    return {reinterpret_cast<const char*>(&value), sizeof value};
}

/// As app/single_file/pack.py writes it: a starter, two files, the table, the trailer.
std::string makeSingleFile() {
    std::string file = "starter.";
    std::string table;
    const auto add = [&](const char* name, const std::string& content) {
        file.resize((file.size() + 15) / 16 * 16);
        CarriedFile row{.name = {}, .offset = file.size(), .size = content.size(), .sum = sumOf(content)};
        std::strcpy(row.name, name);
        table += bytesOf(row);
        file += content;
    };
    add("ld.so", "loader");
    add("agent", std::string(100, 'a'));
    file.resize((file.size() + 7) / 8 * 8);
    SingleFileTrailer trailer{.magic = {},
                              .table = file.size(),
                              .count = 2,
                              .tableSum = sumOf(table),
                              .hook = 0,
                              .starterSize = 8,
                              .starterSum = sumOf("starter."),
                              .sum = 0};
    std::memcpy(trailer.magic, singleFileMagic, sizeof singleFileMagic);
    trailer.sum = sumOf(bytesOf(trailer).substr(0, sizeof trailer - sizeof trailer.sum));
    return file + table + std::string(bytesOf(trailer));
}

class CarriedFileTest : public testing::Test {
  protected:
    ~CarriedFileTest() override { ::unsetenv(singleFileVariable); }

    /// Opens a carried file of a single file with this content.
    Result<std::shared_ptr<const MappedFile>> open(const std::string& content, std::string_view name) const {
        const auto path = scratch.path() / "single";
        std::ofstream(path, std::ios::binary) << content;
        ::setenv(singleFileVariable, path.c_str(), 1);
        return openCarried(name);
    }

    test::ScratchFolder scratch;
};

TEST_F(CarriedFileTest, OpensByName) {
    const auto agent = open(makeSingleFile(), "agent");
    ASSERT_TRUE(agent && *agent) << agent.error().toString();
    EXPECT_EQ((*agent)->bytes().size(), 100U);
    EXPECT_EQ((*agent)->bytes()[99], std::byte{'a'});
    const auto other = open(makeSingleFile(), "other");
    ASSERT_TRUE(other);
    EXPECT_EQ(*other, nullptr);
}

TEST_F(CarriedFileTest, ProcessesOfOtherFilesHaveNone) {
    ::unsetenv(singleFileVariable);
    const auto agent = openCarried("agent");
    ASSERT_TRUE(agent);
    EXPECT_EQ(*agent, nullptr);
}

TEST_F(CarriedFileTest, EveryTruncationIsAnError) {
    const std::string whole = makeSingleFile();
    for (std::size_t size = 0; size < whole.size(); ++size) {
        EXPECT_FALSE(open(whole.substr(0, size), "agent")) << size;
    }
}

TEST_F(CarriedFileTest, EveryChangedByteOfFileTableAndTrailerIsAnError) {
    const std::string whole = makeSingleFile();
    const std::size_t endOfFiles = whole.find("aaaa") + 100;
    const std::size_t startOfTable = whole.size() - sizeof(SingleFileTrailer) - 2 * sizeof(CarriedFile);
    for (std::size_t at = endOfFiles - 100; at < whole.size(); ++at) {
        std::string changed = whole;
        changed[at] = static_cast<char>(changed[at] ^ 0x10);
        const auto agent = open(changed, "agent");
        const bool isPadding = at >= endOfFiles && at < startOfTable;
        EXPECT_EQ(agent.has_value(), isPadding) << at;
        if (!agent) {
            EXPECT_THAT(agent.error().message, testing::StartsWith("the single file is damaged: "));
        }
    }
}

}  // namespace
}  // namespace et::core
