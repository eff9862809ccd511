// Tests of selecting delegate operators on the command line and in files.
#include "app/tasks/rewrite/node_choice.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cstddef>
#include <string>
#include <vector>

namespace et::tasks {
namespace {

using testing::HasSubstr;
using Numbers = std::vector<std::size_t>;

TEST(NodeChoice, OfTheOnlyInstructionNeedsNoName) {
    const Numbers only{7};
    EXPECT_EQ(parseNodeChoice("3,5..6", only, "--nodes").value(), (NodeChoice{{7, {3, 5, 6}}}));
    EXPECT_EQ(nodeChoiceText({{7, {3, 5, 6}}}, only), "3,5..6");
}

TEST(NodeChoice, SelectsAmongSeveralByInstruction) {
    const Numbers several{2, 4, 7};
    const NodeChoice nodes{{2, {3, 5, 6}}, {7, {0}}};
    EXPECT_EQ(nodeChoiceText(nodes, several), "2:3,5..6+7:0");
    EXPECT_EQ(parseNodeChoice("2:3,5..6+7:0", several, "--nodes").value(), nodes);
    EXPECT_EQ(nodeCount(nodes), 4U);
    EXPECT_EQ(nodeChoiceText({{4, {1}}}, several), "4:1");
}

TEST(NodeChoice, RejectsInvalidChoices) {
    const Numbers several{2, 7};
    for (const char* const text : {"", "3", "2:", ":3", "2:3+", "+2:3", "2:3+2:4", "3:1", "2..7:1", "2:3:4",
                                   "2:4,3", "2:99999999999999999999", "x:1", "2:-1"}) {
        const auto parsed = parseNodeChoice(text, several, "--nodes");
        ASSERT_FALSE(parsed) << text;
        EXPECT_THAT(parsed.error().message, HasSubstr("expected")) << text;
    }
}

}  // namespace
}  // namespace et::tasks
