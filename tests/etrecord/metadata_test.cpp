#include "etrecord/detail/metadata.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace et::etrecord {
namespace {

using core::DebugHandle;
using detail::parseHandles;
using detail::parseModuleStack;
using testing::ElementsAre;
using testing::IsEmpty;

TEST(Metadata, HandlesAreANumberOrSeveral) {
    EXPECT_THAT(parseHandles("12"), ElementsAre(DebugHandle(12)));
    EXPECT_THAT(parseHandles("(1, 2,)"), ElementsAre(DebugHandle(1), DebugHandle(2)));
    EXPECT_THAT(parseHandles("[3,4]"), ElementsAre(DebugHandle(3), DebugHandle(4)));
    for (const char* text : {"", "[]", "None", "1, 2", "[1, x]", "12a", "(1", "99999999999999999999"}) {
        EXPECT_THAT(parseHandles(text), IsEmpty()) << text;
    }
}

TEST(Metadata, ModuleStackIsOutermostFirst) {
    EXPECT_THAT(
        parseModuleStack(
            "L__self__,,__main__.Net.<locals>.Inner;L__self___conv,conv,torch.nn.modules.conv.Conv2d"),
        ElementsAre(ModuleFrame{"L__self__", "", "__main__.Net.<locals>.Inner"},
                    ModuleFrame{"L__self___conv", "conv", "torch.nn.modules.conv.Conv2d"}));
    EXPECT_THAT(parseModuleStack(""), IsEmpty());
}

TEST(Metadata, BracketsProtectSeparatorsOfTheModuleStack) {
    EXPECT_THAT(parseModuleStack("getattr(L__self__, 'a;b'),layers[1, 2],pkg.Block;k,f"),
                ElementsAre(ModuleFrame{"getattr(L__self__, 'a;b')", "layers[1, 2]", "pkg.Block"},
                            ModuleFrame{"k", "f", ""}));
    EXPECT_THAT(parseModuleStack("k,f,pkg.Generic[int, str]"),
                ElementsAre(ModuleFrame{"k", "f", "pkg.Generic[int, str]"}));
    // An unclosed bracket must not consume the following frames.
    EXPECT_THAT(parseModuleStack("odd(,f,T;k,g,U"),
                ElementsAre(ModuleFrame{"odd(", "f", "T"}, ModuleFrame{"k", "g", "U"}));
}

Node nodeFrom(std::string history) {
    Node node;
    node.metadata.emplace_back("from_node", std::move(history));
    return node;
}

TEST(Metadata, HistoryIsDepthFirst) {
    const Node node = nodeFrom(
        R"([{"name": "c", "target": "t", "graph_id": 3, "pass_name": "p", "action": "create", "from_node": [
        {"name": "b", "graph_id": 2, "from_node": [{"name": "a", "graph_id": 1, "from_node": []}]}, {"name": "b2", "graph_id": 2}]}])");
    EXPECT_THAT(node.history(),
                ElementsAre(NodeSource{"c", "t", "p", "create", 3, 0}, NodeSource{"b", "", "", "", 2, 1},
                            NodeSource{"a", "", "", "", 1, 2}, NodeSource{"b2", "", "", "", 2, 1}));
}

TEST(Metadata, HistoryRoundTrips) {
    const std::vector<NodeSource> history{{"c", "t\"", "p", "create", 3, 0},
                                          {"b", "", "", "", 2, 1},
                                          {"a", "", "", "", 1, 2},
                                          {"b2", "", "", "", 2, 1},
                                          {"d", "", "", "", 9, 0}};
    EXPECT_EQ(nodeFrom(serializeHistory(history)).history(), history);
    EXPECT_THAT(nodeFrom(serializeHistory({})).history(), IsEmpty());
}

TEST(Metadata, HistoryMayBeLongButNotEndless) {
    std::vector<NodeSource> chain;
    for (std::uint32_t depth = 0; depth < 200; ++depth) {
        chain.push_back(
            {.name = "n", .target = {}, .pass = {}, .action = {}, .graphId = depth, .depth = depth});
    }
    EXPECT_EQ(nodeFrom(serializeHistory(chain)).history(), chain);
    for (std::uint32_t depth = 200; depth < 100'000; ++depth) {
        chain.push_back(
            {.name = "n", .target = {}, .pass = {}, .action = {}, .graphId = depth, .depth = depth});
    }
    EXPECT_THAT(nodeFrom(serializeHistory(chain)).history(), IsEmpty());
}

TEST(Metadata, InvalidHistoryIsEmpty) {
    for (const char* text : {"", "None", "[", "7", "[7]", "[{\"from_node\": [null]}]", "{\"a\": 1}"}) {
        EXPECT_THAT(nodeFrom(text).history(), IsEmpty()) << text;
    }
    EXPECT_THAT(Node{}.history(), IsEmpty());
}

}  // namespace
}  // namespace et::etrecord
