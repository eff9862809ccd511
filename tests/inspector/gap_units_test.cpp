#include "inspector/numeric_gap/graph_walk.h"
#include "inspector/numeric_gap/units.h"

#include <gtest/gtest.h>

#include <array>
#include <cstdint>
#include <string>

namespace et::inspector {
namespace {

using backends::reference::ReferenceValue;
using core::DebugHandle;

/// A graph of one quantizing node, and a delegate call that computes it without inner taps.
class QuantizingDelegate {
  public:
    QuantizingDelegate() {
        etrecord::Node node;
        node.name = "quantize";
        node.target = "quantized_decomposed.quantize_per_tensor.default";
        node.op = node.target;
        node.inputs.push_back({.name = "input", .kind = "as_tensor", .value = etrecord::ValueRef{"x"}});
        node.inputs.push_back({.name = "scale", .kind = "as_float", .value = 0.5});
        node.inputs.push_back({.name = "zero_point", .kind = "as_int", .value = std::int64_t{1}});
        node.outputs.push_back({.name = "", .kind = "as_tensor", .value = etrecord::ValueRef{"q"}});
        node.debugHandles.emplace_back(1);
        graph.nodes.push_back(node);
        graph.outputs = node.outputs;
        graph.indexHandles();
        maps.debugHandles[core::InstructionId(0)] = {.handles = {DebugHandle(1)}};
    }

    core::Result<FoundUnits> units(const core::Tensor& result) {
        const ReferenceValue value{ReferenceTensor{.view = result, .owner = nullptr}};
        RuntimeValues runtime;
        runtime.calls.push_back({.name = "DELEGATE_CALL", .chain = 0, .instruction = 0, .values = {value}});
        const GraphWalk walk(graph);
        const GraphValues reference{{"q", value}};
        return findUnits({.graph = walk, .reference = reference, .maps = maps, .runtime = runtime});
    }

  private:
    etrecord::ExportedGraph graph;
    etrecord::MethodMaps maps;
};

TEST(GapUnits, ADelegatesOutputIsDequantized) {
    std::array<std::int8_t, 3> numbers{1, 3, -1};
    const std::array<std::int64_t, 1> sizes{3};
    QuantizingDelegate delegate;
    const auto found = delegate.units(core::Tensor::over(numbers.data(), std::span(sizes)));
    ASSERT_TRUE(found) << found.error().message;
    ASSERT_EQ(found->units.size(), 1U);
    const auto real = numbersOf(found->units.front().real.view);
    EXPECT_EQ(*real, (std::vector<double>{0, 1, -1}));
}

TEST(GapUnits, AnOutputThatCannotBeDequantizedIsAnError) {
    // Sizes from a damaged trace: the bytes in float32 would overflow 63 bits.
    const std::array<std::int64_t, 1> sizes{std::int64_t{1} << 61};
    const auto huge = core::Tensor::make(core::ScalarType::Char, sizes, nullptr);
    ASSERT_TRUE(huge);
    QuantizingDelegate delegate;
    const auto found = delegate.units(*huge);
    ASSERT_FALSE(found);
    EXPECT_EQ(found.error().code, core::ErrorCode::InvalidArgument);
}

}  // namespace
}  // namespace et::inspector
