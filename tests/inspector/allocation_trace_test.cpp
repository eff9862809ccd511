// Tests of the Chrome trace of a memory plan.
#include "inspector/memory/allocation_trace.h"

#include "runtime/builder/method_builder.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <simdjson.h>

#include <algorithm>
#include <array>
#include <string>
#include <tuple>
#include <vector>

namespace et::test {
namespace {

using builder::MethodBuilder;
using inspector::AllocationPlace;
using program::ValueId;
using testing::ElementsAre;
using testing::HasSubstr;

/// A box: name, position, width, arena, step.
using Box = std::tuple<std::string, std::uint64_t, std::uint64_t, std::uint64_t, std::uint64_t>;

std::vector<Box> boxesIn(const std::string& json) {
    simdjson::dom::parser parser;
    std::vector<Box> boxes;
    const simdjson::dom::array events = parser.parse(json)["traceEvents"].get_array().value();
    for (const auto event : events) {
        if (event["ph"].get_string().value() == "X") {
            boxes.emplace_back(event["name"].get_string().value(), event["ts"].get_uint64().value(),
                               event["dur"].get_uint64().value(), event["pid"].get_uint64().value(),
                               event["tid"].get_uint64().value());
        }
    }
    return boxes;
}

/// out = in + in, then out = out + in.
program::Method twoAdds(MethodBuilder& builder) {
    const builder::TensorSpec small{.sizes = {4}};  // 16 bytes
    const ValueId in = builder.input(small);
    const ValueId sum = builder.intermediate(small);
    const ValueId out = builder.intermediate(small);
    builder.call("aten::add.out", {in, in, 1}, {sum});
    builder.call("aten::add.out", {sum, in, 1}, {out});
    builder.output(out);
    auto built = builder.finish();
    EXPECT_TRUE(built) << built.error().toString();
    return std::move(*built);
}

TEST(AllocationTrace, StacksTheTensorsOfEachStep) {
    MethodBuilder builder("forward");
    const program::Method method = twoAdds(builder);
    const auto timeline = inspector::MemoryTimeline::build(method);
    ASSERT_TRUE(timeline) << timeline.error().toString();
    const inspector::InstructionNodes nodes(nullptr, "forward");
    const std::array views{inspector::MemoryView{.timeline = *timeline, .nodes = nodes}};
    const auto trace = allocationTrace(views, AllocationPlace::Stacked);
    ASSERT_TRUE(trace) << trace.error().toString();
    EXPECT_THAT(boxesIn(*trace), ElementsAre(Box("value_0", 0, 16, 1, 0), Box("value_0", 0, 16, 1, 1),
                                             Box("value_1", 16, 16, 1, 1), Box("value_0", 0, 16, 1, 2),
                                             Box("value_1", 16, 16, 1, 2), Box("value_2", 32, 16, 1, 2),
                                             Box("value_2", 0, 16, 1, 3)));
    EXPECT_THAT(*trace, HasSubstr(R"("args": {"op_name": "aten::add.out", "Memory ID": 1, "fqn": "", )"
                                  R"("source": "", "bytes": 16})"));
    EXPECT_THAT(*trace, HasSubstr(R"("args": {"name": "0 aten::add.out"})"));
}

TEST(AllocationTrace, PlacesTensorsAtTheirOffsets) {
    MethodBuilder builder("forward");
    const program::Method method = twoAdds(builder);
    const auto timeline = inspector::MemoryTimeline::build(method);
    ASSERT_TRUE(timeline) << timeline.error().toString();
    const inspector::InstructionNodes nodes(nullptr, "forward");
    const inspector::MemoryView view{.timeline = *timeline, .nodes = nodes};
    const std::array views{view, view};
    const auto trace = allocationTrace(views, AllocationPlace::Offset);
    ASSERT_TRUE(trace) << trace.error().toString();
    const std::vector<Box> boxes = boxesIn(*trace);
    ASSERT_EQ(boxes.size(), 14U);
    for (std::size_t i = 0; i < boxes.size(); ++i) {
        const std::string& name = std::get<0>(boxes[i]);
        const auto& tensors = timeline->tensors;
        const auto tensor = std::ranges::find_if(
            tensors, [&](const auto& each) { return "value_" + std::to_string(each.value.value) == name; });
        ASSERT_NE(tensor, tensors.end()) << name;
        EXPECT_EQ(std::get<1>(boxes[i]), tensor->offset);
        EXPECT_EQ(std::get<3>(boxes[i]), i < 7 ? 1U : 2U) << "each method has its arenas";
    }
}

}  // namespace
}  // namespace et::test
