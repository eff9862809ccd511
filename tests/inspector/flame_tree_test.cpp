// Tests of trees of time: hierarchy above operators, sums that account for all time, and differences between
// two trees.
#include "inspector/events/flame_tree.h"

#include "etdump/writer.h"
#include "inspector/session/session.h"
#include "tests/support/shared_data.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <sstream>

namespace et::inspector {

namespace {

using events::EventRows;
using events::FlameBy;
using events::FlameNode;
using events::FlameTree;

/// A kernel, and a delegate with two operators of `inside` ticks each, in a run of 100.
std::shared_ptr<const EventBlocks> blocksOf(std::uint64_t inside, bool third = false) {
    etdump::TraceWriter writer;
    writer.beginRun("Execute");
    writer.profile("native_call_add.out", {.instruction = 0, .chain = 0}, 1000, 1010);
    writer.profile("", {.instruction = 1, .chain = 0, .delegateString = "Mul #1"}, 1020, 1020 + inside);
    writer.profile("", {.instruction = 1, .chain = 0, .delegateString = "Mul #2"}, 1040, 1040 + inside);
    if (third) {
        writer.profile("", {.instruction = 1, .chain = 0, .delegateString = "Sub #1"}, 1060, 1062);
    }
    writer.profile("DELEGATE_CALL", {.instruction = 1, .chain = 0}, 1015, 1075);
    writer.profile("Method::execute", {.instruction = 0}, 1000, 1100);
    const auto trace = etdump::Trace::parse(core::MappedFile::fromMemory(writer.finish().value())).value();
    JoinOptions options;
    options.target = TimeScale::Nanoseconds;
    return EventBlocks::build(trace, nullptr, nullptr, options).value();
}

FlameTree treeOf(const EventBlocks& blocks, FlameBy by) {
    return events::flameTree(blocks, events::eventRows(blocks), 0, by);
}

const FlameNode* find(const FlameTree& tree, std::string_view path) {
    for (std::size_t i = 0; i < tree.nodes.size(); ++i) {
        if (tree.pathOf(i) == path) {
            return &tree.nodes[i];
        }
    }
    return nullptr;
}

TEST(FoldedStacks, LoseNoTime) {
    const auto blocks = blocksOf(10);
    std::ostringstream out;
    ASSERT_TRUE(events::writeFoldedStacks(*blocks, FlameBy::Delegate, out));
    std::istringstream lines(out.str());
    long long sum = 0;
    for (std::string line; std::getline(lines, line);) {
        const std::size_t blank = line.rfind(' ');
        ASSERT_NE(blank, std::string::npos) << line;
        EXPECT_TRUE(line.starts_with("Inference;")) << line;
        sum += std::stoll(line.substr(blank + 1));
    }
    EXPECT_EQ(sum, 100);
    EXPECT_NE(out.str().find("Inference;Unknown delegate;instruction 1;Mul 20\n"), std::string::npos)
        << out.str();
}

TEST(FlameTree, WrapperEventsBelongToTheirKernel) {
    etdump::TraceWriter writer;
    writer.beginRun("Execute");
    writer.profile("native_call_add.out", {.instruction = 0, .chain = 0}, 1001, 1010);
    writer.profile("OPERATOR_CALL", {.instruction = 0, .chain = 0}, 1000, 1012);
    writer.profile("Method::execute", {.instruction = 0}, 1000, 1020);
    const auto trace = etdump::Trace::parse(core::MappedFile::fromMemory(writer.finish().value())).value();
    JoinOptions options;
    options.target = TimeScale::Nanoseconds;
    const auto blocks = EventBlocks::build(trace, nullptr, nullptr, options).value();
    const FlameTree tree = treeOf(*blocks, FlameBy::Module);
    const FlameNode* const add = find(tree, "Inference › add");
    ASSERT_NE(add, nullptr);
    EXPECT_DOUBLE_EQ(add->total, 12) << "with the call around it";
    EXPECT_EQ(tree.nodes.size(), 3U) << "root, operator and the rest of the run";
    EXPECT_DOUBLE_EQ(treeOf(*blocks, FlameBy::Order).root().total, 20) << "no time is lost";
}

TEST(FlameTree, DelegatesHoldTheirOperators) {
    const auto blocks = blocksOf(10);
    const FlameTree tree = treeOf(*blocks, FlameBy::Delegate);
    EXPECT_DOUBLE_EQ(tree.root().total, 100) << "no time is lost";
    const FlameNode* const mul = find(tree, "Inference › Unknown delegate › instruction 1 › Mul");
    ASSERT_NE(mul, nullptr);
    EXPECT_DOUBLE_EQ(mul->total, 20) << "equal operators of one call are one leaf";
    EXPECT_EQ(mul->events.size(), 2U);
    const FlameNode* const rest =
        find(tree, "Inference › Unknown delegate › instruction 1 › Delegate call (overhead)");
    ASSERT_NE(rest, nullptr);
    EXPECT_DOUBLE_EQ(rest->total, 40);
    const FlameNode* const kernel = find(tree, "Inference › Kernels › add");
    ASSERT_NE(kernel, nullptr);
    EXPECT_TRUE(kernel->isOperator);
    EXPECT_EQ(tree.eventsBelow(0).size(), 5U);
}

TEST(FlameTree, ComparesByPath) {
    FlameTree after = treeOf(*blocksOf(15, true), FlameBy::Delegate);
    events::compareWith(after, treeOf(*blocksOf(10), FlameBy::Delegate));
    const FlameNode* const mul = find(after, "Inference › Unknown delegate › instruction 1 › Mul");
    ASSERT_NE(mul, nullptr);
    EXPECT_EQ(mul->before, 20);
    EXPECT_DOUBLE_EQ(mul->total, 30);
    const FlameNode* const fresh = find(after, "Inference › Unknown delegate › instruction 1 › Sub");
    ASSERT_NE(fresh, nullptr);
    EXPECT_EQ(fresh->before, 0) << "it was not there";
    EXPECT_EQ(after.root().before, 100);
}

TEST(FlameTree, ByOrderEveryEventStandsForItself) {
    const auto blocks = blocksOf(10);
    const FlameTree tree = treeOf(*blocks, FlameBy::Order);
    ASSERT_EQ(tree.root().children.size(), 5U);
    EXPECT_EQ(tree.nodes[tree.root().children[1]].name, "Mul #1");
    EXPECT_EQ(tree.nodes[tree.root().children[2]].name, "Mul #2");
    EXPECT_DOUBLE_EQ(tree.root().total, 100);
}

TEST(FlameTree, RealModelsHaveTheirModulesAndStacks) {
    ET_NEEDS_SHARED_DATA();
    const auto folder = test::sharedData();
    const auto session =
        Session::open({.trace = folder / "traces" / "mobilenet_v2_small_portable" / "trace.etdp",
                       .record = folder / "programs" / "mobilenet_v2_small" / "portable.etrecord"})
            .value();
    const EventBlocks& blocks = *session->blocks;
    const EventRows rows = events::eventRows(blocks);
    for (const FlameBy by : {FlameBy::Module, FlameBy::Stack}) {
        const FlameTree tree = events::flameTree(blocks, rows, 1, by);
        EXPECT_GE(tree.depth, 3U) << static_cast<int>(by);
        double leaves = 0;
        for (const FlameNode& node : tree.nodes) {
            EXPECT_GE(node.self, 0);
            leaves += node.self;
            double parts = node.self;
            for (const std::size_t child : node.children) {
                parts += tree.nodes[child].total;
            }
            EXPECT_NEAR(parts, node.total, 1e-9 + node.total * 1e-9) << node.name;
        }
        EXPECT_NEAR(leaves, tree.root().total, tree.root().total * 1e-9);
    }
    const FlameTree modules = events::flameTree(blocks, rows, 1, FlameBy::Module);
    EXPECT_NE(find(modules, "forward › features › 2 › conv › 1 › 0 › conv2d"), nullptr);
}

}  // namespace

}  // namespace et::inspector
