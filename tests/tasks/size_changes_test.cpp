// Tests of shrinking tensors: which sizes follow, and which elements remain.
#include "app/tasks/rewrite/size_changes.h"

#include "backends/leading_block.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cstddef>
#include <cstdint>
#include <optional>
#include <vector>

namespace et::tasks {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using Sizes = std::vector<std::int64_t>;

TEST(SizeChanges, AreThoseOfTheInputs) {
    const PartSizes before{Sizes{1, 24, 24, 8}, std::nullopt, Sizes{24}};
    const PartSizes after{Sizes{1, 12, 12, 8}, std::nullopt, Sizes{6}};
    EXPECT_EQ(sizeChanges(before, after), (SizeChanges{{24, 12}}));
    EXPECT_TRUE(sizeChanges(before, before).empty());
}

TEST(SizeChanges, AViewKeepsItsElements) {
    const SizeChanges shorter{{24, 6}};
    EXPECT_THAT(changedView(Sizes{1, 24, 3, 2, 64}, shorter), ElementsAre(1, 6, 3, 2, -1));
    EXPECT_THAT(changedView(Sizes{48, 64}, shorter), ElementsAre(-1, 64));
    EXPECT_THAT(changedView(Sizes{2, -1}, shorter), ElementsAre(2, -1));
    EXPECT_THAT(changedView(Sizes{24, 24}, {}), ElementsAre(24, 24));
    EXPECT_THAT(changedView(Sizes{}, shorter), ElementsAre());
}

TEST(SizeChanges, AreWrittenAndReadBack) {
    const SizeChanges changes{{8, 4}, {48, 1}};
    EXPECT_EQ(sizeChangesText(changes), "8:4,48:1");
    EXPECT_EQ(parseSizeChanges("8:4,48:1").value(), changes);
    for (const char* const text : {"", "8", "8:", ":4", "8:8", "4:8", "8:0", "8:-1", "8:4,", "8:4,8:2",
                                   "8x2:1", "8:99999999999999999999"}) {
        const auto parsed = parseSizeChanges(text);
        ASSERT_FALSE(parsed) << text;
        EXPECT_THAT(parsed.error().message, HasSubstr("expected smaller sizes")) << text;
    }
}

TEST(LeadingBlock, ContainsTheElementsWithTheSmallestIndices) {
    std::vector<std::byte> bytes(24);
    for (std::size_t i = 0; i < bytes.size(); ++i) {
        bytes[i] = static_cast<std::byte>(i);
    }
    const auto block = backends::leadingBlock(bytes, 1, Sizes{2, 3, 4}, Sizes{2, 2, 3}).value();
    const std::vector<int> expected{0, 1, 2, 4, 5, 6, 12, 13, 14, 16, 17, 18};
    ASSERT_EQ(block.size(), expected.size());
    for (std::size_t i = 0; i < expected.size(); ++i) {
        EXPECT_EQ(static_cast<int>(block[i]), expected[i]) << i;
    }
    EXPECT_EQ(backends::leadingBlock(bytes, 2, Sizes{12}, Sizes{3}).value().size(), 6U);
    EXPECT_EQ(backends::leadingBlock(bytes, 4, Sizes{}, Sizes{}).value().size(), 4U);
    EXPECT_FALSE(backends::leadingBlock(bytes, 1, Sizes{2, 3, 4}, Sizes{3, 3, 4}));
    EXPECT_FALSE(backends::leadingBlock(bytes, 1, Sizes{2, 3, 4}, Sizes{2, 0, 4}));
    EXPECT_FALSE(backends::leadingBlock(bytes, 1, Sizes{2, 3, 5}, Sizes{1, 1, 1}));
}

}  // namespace
}  // namespace et::tasks
