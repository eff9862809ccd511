#include "inspector/numeric_gap/handle_mapping.h"

#include <gtest/gtest.h>

#include <set>
#include <vector>

namespace et::inspector {
namespace {

using backends::reference::ReferenceValue;

HandleList handles(std::initializer_list<std::int64_t> numbers) {
    HandleList list;
    for (const std::int64_t each : numbers) {
        list.emplace_back(each);
    }
    return list;
}

EventOutput event(std::initializer_list<std::int64_t> numbers, std::int32_t instruction,
                  std::vector<std::int64_t> values = {0}) {
    EventOutput made{.handles = handles(numbers), .instruction = instruction, .name = "op", .values = {}};
    for (const std::int64_t each : values) {
        made.values.emplace_back().content = each;
    }
    return made;
}

GraphOutput node(std::int64_t handle, std::int64_t value, const std::string& name = "node") {
    GraphOutput made;
    made.handles = handles({handle});
    made.nodes.push_back(name);
    made.value.content = value;
    return made;
}

std::int64_t number(const ReferenceValue& value) {
    const auto* whole = value.as<std::int64_t>();
    return whole == nullptr ? -1 : *whole;
}

TEST(MergeOverlaps, TheLastInstructionGoesOnWithItsHandlesBehind) {
    const std::vector events{event({1, 10}, 1), event({2, 5}, 2), event({1, 7, 9}, 3), event({11, 13}, 4),
                             event({11, 15}, 5)};
    const auto merged = mergeOverlaps(events);
    ASSERT_EQ(merged.size(), 3U);
    EXPECT_EQ(merged[0].handles, handles({2, 5}));
    EXPECT_EQ(merged[1].handles, handles({10, 1, 7, 9}));
    EXPECT_EQ(merged[1].instruction, 3);
    EXPECT_EQ(merged[2].handles, handles({13, 11, 15}));
}

TEST(MergeOverlaps, JoinsGroupsTransitively) {
    const auto merged = mergeOverlaps(std::vector{event({1}, 1), event({2}, 2), event({1, 2}, 3)});
    ASSERT_EQ(merged.size(), 1U);
    EXPECT_EQ(merged[0].handles, handles({1, 2}));
    EXPECT_EQ(merged[0].instruction, 3);
}

TEST(MergeOverlaps, KeepsRepeatedHandlesThatNothingOverlaps) {
    EXPECT_EQ(mergeOverlaps(std::vector{event({1, 2, 2, 3}, 1)})[0].handles, handles({1, 2, 2, 3}));
    const auto merged = mergeOverlaps(std::vector{event({9}, 1), event({9, 9, 9}, 2), event({9, 9}, 3)});
    ASSERT_EQ(merged.size(), 1U);
    EXPECT_EQ(merged[0].handles, handles({9}));
}

TEST(MatchHandles, OneToOne) {
    const std::vector graph{node(0, 100), node(1, 200)};
    const std::vector events{event({1}, 1, {250}), event({0}, 2, {150})};
    const auto matches = matchHandles(graph, events);
    ASSERT_EQ(matches.size(), 2U);
    EXPECT_EQ(number(matches[0].reference), 100);
    EXPECT_EQ(number(matches[0].runtime), 150);
    EXPECT_EQ(number(matches[1].runtime), 250);
}

TEST(MatchHandles, SeveralNodesMatchTheNodeOfTheLastHandle) {
    const std::vector graph{node(0, 100), node(1, 200, "a"), node(2, 300, "b"), node(3, 400, "c")};
    const auto matches = matchHandles(graph, std::vector{event({2, 3, 1}, 1, {250}), event({8, 9}, 2)});
    ASSERT_EQ(matches.size(), 1U);
    EXPECT_EQ(matches[0].handles, handles({2, 3, 1}));
    EXPECT_EQ(number(matches[0].reference), 200);
    EXPECT_EQ(matches[0].nodes, (std::vector<std::string>{"a", "b", "c"}));
}

TEST(MatchHandles, ADelegateHasItsOutputsLastAndAHandleEach) {
    EventOutput call = event({3, 4}, 1, {7, 8, 30, 40});
    call.isDelegate = true;
    call.outputs = 2;
    const auto matches = matchHandles(std::vector{node(3, 3), node(4, 4)}, std::vector{call});
    ASSERT_EQ(matches.size(), 2U);
    EXPECT_EQ(number(matches[0].reference), 3);
    EXPECT_EQ(number(matches[0].runtime), 30);
    EXPECT_EQ(number(matches[1].reference), 4);
    EXPECT_EQ(number(matches[1].runtime), 40);
}

TEST(MatchHandles, AKernelHasItsOutputFirst) {
    const auto matches = matchHandles(std::vector{node(2, 5)}, std::vector{event({2}, 1, {50, 60, 70})});
    ASSERT_EQ(matches.size(), 1U);
    EXPECT_EQ(number(matches[0].runtime), 50);
}

TEST(MatchHandles, DisjointHandlesDoNotMatch) {
    EXPECT_TRUE(matchHandles(std::vector{node(0, 1)}, std::vector{event({2}, 1), event({}, 2)}).empty());
    EXPECT_TRUE(matchHandles({}, {}).empty());
}

TEST(AddOutput, NodesOfOneHandleShareAnEntryWithTheLastValue) {
    std::vector<GraphOutput> outputs;
    addOutput(outputs, handles({1}), "a", ReferenceValue{std::int64_t{1}});
    addOutput(outputs, handles({2}), "b", ReferenceValue{std::int64_t{2}});
    addOutput(outputs, handles({1}), "c", ReferenceValue{std::int64_t{3}});
    ASSERT_EQ(outputs.size(), 2U);
    EXPECT_EQ(outputs[0].nodes, (std::vector<std::string>{"a", "c"}));
    EXPECT_EQ(number(outputs[0].value), 3);
}

TEST(ComparedHandles, MatchesNeedNoOtherValues) {
    std::vector<EventOutput> events{event({1, 2, 3}, 1, {7, 8, 9}), event({3, 4, 5}, 2, {10, 11}),
                                    event({6}, 3), event({}, 4), event({8, 9}, 5, {12, 13})};
    events[0].isDelegate = true;
    events[0].outputs = 2;
    events[1].isDelegate = true;
    events[1].outputs = 2;
    events[4].isDelegate = true;
    events[4].outputs = 5;  // more than it has handles
    std::vector<GraphOutput> graph;
    for (std::int64_t handle = 1; handle < 10; ++handle) {
        graph.push_back(node(handle, 100 + handle));
    }
    const auto compared = comparedHandles(events);
    EXPECT_EQ(compared, (std::set{core::DebugHandle(4), core::DebugHandle(5), core::DebugHandle(6),
                                  core::DebugHandle(8), core::DebugHandle(9)}));
    const auto all = matchHandles(graph, events);
    for (GraphOutput& each : graph) {
        each.value = compared.contains(each.handles.front()) ? each.value : ReferenceValue{};
    }
    const auto some = matchHandles(graph, events);
    ASSERT_EQ(all.size(), some.size());
    EXPECT_EQ(all.size(), 5U);
    for (std::size_t i = 0; i < all.size(); ++i) {
        EXPECT_EQ(number(all[i].reference), number(some[i].reference));
        EXPECT_NE(number(some[i].reference), -1);
    }
}

}  // namespace
}  // namespace et::inspector
