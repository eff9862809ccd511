#include "app/tasks/gap/short_inputs.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cstdint>
#include <memory>
#include <numeric>
#include <optional>
#include <string>
#include <vector>

namespace et::tasks {
namespace {

using backends::reference::ReferenceTensor;
using backends::reference::ReferenceValue;
using etrecord::ExportedGraph;
using testing::ElementsAre;

using Sizes = std::vector<std::int64_t>;

/// A size that is a number or an expression.
etrecord::SymInt size(std::int64_t value, std::string expression = {}) {
    return {.value = value, .expression = std::move(expression)};
}

void addInput(ExportedGraph& graph, const std::string& name, std::vector<etrecord::SymInt> sizes) {
    graph.tensors[name].sizes = std::move(sizes);
    graph.inputSpecs.push_back({.kind = "user_input", .value = name});
}

/// 0, 1, 2, …
ReferenceValue counting(const Sizes& sizes) {
    auto numbers = std::make_shared<std::vector<std::int64_t>>(static_cast<std::size_t>(
        std::accumulate(sizes.begin(), sizes.end(), std::int64_t{1}, std::multiplies())));
    std::iota(numbers->begin(), numbers->end(), 0);
    return ReferenceValue{
        ReferenceTensor{.view = core::Tensor::over(numbers->data(), sizes), .owner = numbers}};
}

Sizes sizesOf(const ReferenceValue& value) {
    const auto& sizes = value.as<ReferenceTensor>()->view.sizes();
    return {sizes.begin(), sizes.end()};
}

TEST(ShortInputs, CutsDynamicSizesOfAllInputs) {
    ExportedGraph graph;
    addInput(graph, "tokens", {size(1), size(2047, "s0")});
    addInput(graph, "mask", {size(2047, "s0"), size(3)});
    addInput(graph, "position", {size(1)});
    GapInputSet set{.name = "example inputs",
                    .values = {counting({1, 2047}), counting({2047, 3}), counting({1})}};
    const auto cut = shortenInputs(graph, set);
    ASSERT_TRUE(cut) << cut.error().toString();
    EXPECT_EQ(*cut, "tokens [1, 2047] to [1, 32], mask [2047, 3] to [32, 3]");
    EXPECT_THAT(sizesOf(set.values[0]), ElementsAre(1, 32));
    EXPECT_THAT(sizesOf(set.values[1]), ElementsAre(32, 3));
    EXPECT_THAT(sizesOf(set.values[2]), ElementsAre(1));
    const auto* last = set.values[1].as<ReferenceTensor>()->view.data<std::int64_t>();
    EXPECT_EQ(last[95], 95);
}

TEST(ShortInputs, KeepsTheFirstElementsOfEachRow) {
    ExportedGraph graph;
    addInput(graph, "x", {size(2), size(100, "s0")});
    GapInputSet set{.name = {}, .values = {counting({2, 100})}};
    ASSERT_TRUE(shortenInputs(graph, set));
    const auto* numbers = set.values[0].as<ReferenceTensor>()->view.data<std::int64_t>();
    EXPECT_EQ(numbers[31], 31);
    EXPECT_EQ(numbers[32], 100);
}

TEST(ShortInputs, RespectsTheMinimum) {
    ExportedGraph graph;
    addInput(graph, "x", {size(100, "s0")});
    graph.rangeConstraints["s0"] = {.minimum = 64, .maximum = std::nullopt};
    GapInputSet set{.name = {}, .values = {counting({100})}};
    EXPECT_EQ(shortenInputs(graph, set).value_or("error"), "x [100] to [64]");
}

TEST(ShortInputs, KeepsShortStaticAndComputedSizes) {
    for (const auto& expression : {"", "2*s0"}) {
        ExportedGraph graph;
        addInput(graph, "short", {size(20, "s0")});
        addInput(graph, "x", {size(100, expression)});
        GapInputSet set{.name = {}, .values = {counting({20}), counting({100})}};
        EXPECT_EQ(shortenInputs(graph, set).value_or("error"), "");
        EXPECT_THAT(sizesOf(set.values[1]), ElementsAre(100));
    }
}

}  // namespace
}  // namespace et::tasks
