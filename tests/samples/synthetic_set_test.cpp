// Tests of the set with made-up times that front-end tests use: it is readable, consistent and marked as
// synthetic.
#include "tests/support/synthetic_set/synthetic_set.h"

#include "etdump/trace.h"
#include "etrecord/record.h"
#include "inspector/join/event_blocks.h"
#include "runtime/core/scalar_type.h"
#include "tests/support/synthetic_set/operators.h"
#include "tests/support/synthetic_set/values.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cstring>
#include <numeric>

namespace et::test::synthetic {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;

std::shared_ptr<const core::MappedFile> inMemory(const SetFile& file) {
    return core::MappedFile::fromMemory(file.bytes, file.name);
}

std::shared_ptr<const etdump::Trace> convNetTrace() {
    return etdump::Trace::parse(inMemory(makeSet().value()[0])).value();
}

/// The floats of a logged tensor.
std::vector<float> logged(const etdump::Trace& trace, etdump::EventIndex event,
                          const std::vector<std::byte>& buffer) {
    const auto& tensor = std::get<etdump::DebugTensor>(trace.debugValue(event).value);
    const auto bytes = core::tensorBytes(tensor.scalarType, tensor.sizes).value();
    std::vector<float> values(static_cast<std::size_t>(bytes) / sizeof(float));
    EXPECT_LE(tensor.offset + bytes, static_cast<std::int64_t>(buffer.size()));
    std::memcpy(values.data(), buffer.data() + tensor.offset, static_cast<std::size_t>(bytes));
    return values;
}

TEST(SyntheticSet, IsTheSameEachTime) {
    const auto first = makeSet().value();
    const auto second = makeSet().value();
    for (std::size_t i = 0; i < first.size(); ++i) {
        EXPECT_EQ(first[i].bytes, second[i].bytes) << first[i].name;
    }
}

TEST(SyntheticSet, TraceIsMarkedAsSynthetic) {
    const auto trace = convNetTrace();
    EXPECT_THAT(std::string(trace->text(trace->events().name[0])), HasSubstr("SYNTHETIC"));
    EXPECT_EQ(trace->events().start[0], trace->events().end[0]);
}

TEST(SyntheticSet, HasALoadingRunAndTenAlikeExecutions) {
    const auto trace = convNetTrace();
    ASSERT_EQ(trace->runs().size(), 11U);
    const etdump::Run& first = trace->runs()[1];
    for (const etdump::Run& run : trace->runs().subspan(1)) {
        EXPECT_EQ(trace->text(run.name), "Execute");
        ASSERT_EQ(run.eventCount, first.eventCount);
        for (etdump::EventIndex i = 0; i < run.eventCount; ++i) {
            EXPECT_EQ(trace->events().name[run.firstEvent + i], trace->events().name[first.firstEvent + i]);
        }
    }
}

TEST(SyntheticSet, InnerEventsLieWithinOuterOnes) {
    const auto trace = convNetTrace();
    const etdump::EventColumns& events = trace->events();
    for (const etdump::Run& run : trace->runs()) {
        std::uint64_t lastEnd = 0;
        std::uint64_t earliest = ~std::uint64_t{0};
        for (etdump::EventIndex i = run.firstEvent; i < run.firstEvent + run.eventCount; ++i) {
            if (events.kind[i] == etdump::EventKind::Profile) {
                EXPECT_GE(events.end[i], lastEnd);  // events are appended when they end
                lastEnd = events.end[i];
                earliest = std::min(earliest, events.start[i]);
            }
        }
        // The last event is the whole method or the whole load.
        const auto whole = static_cast<etdump::EventIndex>(run.firstEvent + run.eventCount -
                                                           (trace->text(run.name) == "Execute" ? 2 : 1));
        EXPECT_EQ(events.start[whole], earliest);
    }
}

TEST(SyntheticSet, TheOutputIsADistributionThatTheNetComputes) {
    const auto files = makeSet().value();
    const auto trace = convNetTrace();
    const auto last = static_cast<etdump::EventIndex>(trace->eventCount() - 1);
    EXPECT_TRUE(trace->debugValue(last).programOutput);
    const std::vector<float> output = logged(*trace, last, files[1].bytes);
    EXPECT_EQ(output.size(), 10U);
    EXPECT_NEAR(std::accumulate(output.begin(), output.end(), 0.0), 1.0, 1e-5);
    EXPECT_EQ(output, computeValues()["aten__softmax_default"].elements);
}

TEST(SyntheticSet, StackTracesNameTheLinesOfTheNet) {
    const auto ops = operators();
    const auto op = [&](std::string_view node) { return *std::ranges::find(ops, node, &Operator::node); };
    EXPECT_EQ(stackTrace(op("aten_relu_default")),
              "File \"conv_net.py\", line 18, in forward\n    x = torch.relu(self.conv(x))");
    EXPECT_EQ(stackTrace(op("aten_sigmoid_default")),
              "File \"conv_net.py\", line 19, in forward\n    x = self.gate(x)\n"
              "  File \"conv_net.py\", line 7, in forward\n    return x * torch.sigmoid(x)");
}

TEST(SyntheticSet, TheRecordBelongsToTheTrace) {
    const auto files = makeSet().value();
    const auto record = etrecord::Record::parse(inMemory(files[2])).value();
    const auto blocks = inspector::EventBlocks::build(convNetTrace(), record, inMemory(files[1]));
    ASSERT_TRUE(blocks) << blocks.error().toString();
    EXPECT_THAT((*blocks)->warnings(), ElementsAre());
    ASSERT_EQ((*blocks)->blocks().size(), 2U);
    const inspector::Block& loading = (*blocks)->blocks()[0];
    // the note is not an operator
    EXPECT_THAT(inspector::opTypes(loading, loading.events[0]), ElementsAre());
    const inspector::Block& execute = (*blocks)->blocks()[1];
    EXPECT_EQ(execute.method, "forward");
    EXPECT_EQ(execute.runs.size(), 10U);

    const auto event = [&](std::string_view name) -> const inspector::Event& {
        const auto found = std::ranges::find(execute.events, name, &inspector::Event::name);
        EXPECT_NE(found, execute.events.end()) << name;
        return *found;
    };
    const inspector::Event& delegated = event("aten_mul_tensor_1");
    EXPECT_TRUE(delegated.delegated);
    EXPECT_EQ(delegated.backend, "SampleBackend");
    EXPECT_EQ(delegated.handleSource, inspector::HandleSource::DelegateMap);
    EXPECT_THAT(inspector::opTypes(execute, delegated), ElementsAre("aten.mul.Tensor"));
    EXPECT_THAT(inspector::opTypes(execute, event("native_call_convolution.out")),
                ElementsAre("aten.convolution.default"));
    EXPECT_THAT(inspector::opTypes(execute, event("native_call_addmm.out")),
                ElementsAre("aten.permute_copy.default", "aten.addmm.default"));
    EXPECT_EQ(event("native_call_relu.out").samples.size(), 10U);
}

}  // namespace
}  // namespace et::test::synthetic
