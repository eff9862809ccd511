// Tests which values belong to a delegate call when operators of several calls share a debug handle.

#include "backends/reference/delegate_cut.h"

#include "tests/backends/reference/graph_builder.h"

#include <gmock/gmock.h>

#include <array>

namespace et::backends::reference {
namespace {

using core::DebugHandle;
using testing::ElementsAre;
using testing::IsEmpty;
using Names = std::vector<std::string>;

/// x -> a -> b -> c -> d, all except d with one debug handle; d also reads the weight w.
class DelegateCutTest : public testing::Test {
  protected:
    DelegateCutTest() {
        using test::tensorArgument;
        builder.input("x", {2}).input("w", {2});
        builder.node("a", "aten.relu.default", {tensorArgument("self", "x")});
        builder.node("b", "aten.relu.default", {tensorArgument("self", "a")});
        builder.node("c", "aten.relu.default", {tensorArgument("self", "b")});
        builder.node("d", "aten.add.Tensor", {tensorArgument("self", "c"), tensorArgument("other", "w")});
        builder.output("d");
        etrecord::ExportedGraph& graph = builder.graph();
        for (std::size_t i = 0; i < graph.nodes.size(); ++i) {
            graph.nodes[i].debugHandles = {DebugHandle(i < 3 ? 7 : 8)};
        }
        graph.indexHandles();
    }

    /// Returns the input and output chosen for a call with these handles.
    Names chosen(const std::vector<std::int32_t>& handles, const Names& inputs, const Names& outputs) {
        std::vector<DebugHandle> list;
        for (const std::int32_t each : handles) {
            list.emplace_back(each);
        }
        const DelegateCut cut(builder.graph(), list, kernels, own);
        const std::array candidates{inputs, outputs};
        return cut.choose(candidates, {true, false});
    }

    test::GraphBuilder builder;
    std::set<etrecord::NodeIndex> kernels;
    std::map<std::string, std::string> own{{"w", "weight"}};
};

TEST_F(DelegateCutTest, HandleCountGivesTheNumberOfItsNodes) {
    const Names all{"x", "a", "b", "c"};
    EXPECT_THAT(chosen({7, 8}, all, {"d"}), ElementsAre("b", "d"));
    EXPECT_THAT(chosen({7, 7, 8}, all, {"d"}), ElementsAre("a", "d"));
    EXPECT_THAT(chosen({7, 7, 7, 8}, all, {"d"}), ElementsAre("x", "d"));
    EXPECT_THAT(chosen({7, 7}, all, {"c", "b"}), ElementsAre("x", "b"));
}

TEST_F(DelegateCutTest, KernelOutputsAreNotAttributedToTheDelegate) {
    kernels = {0};
    EXPECT_THAT(chosen({7, 7}, {"x", "a"}, {"b", "c"}), ElementsAre("a", "c"));
}

TEST_F(DelegateCutTest, ResultsNeedNothingButTheInputs) {
    EXPECT_THAT(chosen({7, 8}, {"d"}, {"c"}), IsEmpty()) << "c needs x";
    own.clear();
    EXPECT_THAT(chosen({7, 8}, {"b"}, {"d"}), IsEmpty()) << "d needs w";
    EXPECT_THAT(chosen({7, 8}, {}, {"d"}), IsEmpty()) << "no name fits the input";
}

TEST_F(DelegateCutTest, HandleWithMoreNodesThanTheCallIsShared) {
    const std::array once{DebugHandle(7), DebugHandle(8)};
    const DelegateCut cut(builder.graph(), once, kernels, own);
    EXPECT_TRUE(cut.isShared("a"));
    EXPECT_FALSE(cut.isShared("d"));
    EXPECT_FALSE(cut.isShared("x"));
}

}  // namespace
}  // namespace et::backends::reference
