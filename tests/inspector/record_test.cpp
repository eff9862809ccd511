// Tests of joining a trace with an ETRecord: handles, methods, and ETRecords that do not match.
#include "tests/inspector/join_support.h"

#include <gmock/gmock.h>

namespace et::test {
namespace {

using core::DebugHandle;
using core::InstructionId;
using etdump::TraceWriter;
using etrecord::DelegateEntry;
using etrecord::MethodMaps;
using etrecord::RecordWriter;
using inspector::Block;
using inspector::Event;
using inspector::EventBlocks;
using inspector::HandleSource;
using inspector::JoinOptions;
using testing::Contains;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;

const JoinOptions asReference{.referenceQuirks = true};

TEST(Record, EventsFindTheirNodes) {
    const Blocks joined =
        join(traceFor({"mm.out", "add.out"}), recordFor({"aten.mm.default", "aten.add.Tensor"}));
    const Block& block = joined->blocks()[1];
    EXPECT_EQ(block.method, "forward");
    const Event& add = eventNamed(block, "native_call_add.out");
    EXPECT_THAT(handlesOf(add), ElementsAre(2));
    EXPECT_FALSE(add.handlesAreList);
    EXPECT_EQ(add.handleSource, HandleSource::Instruction);
    EXPECT_THAT(opTypes(block, add), ElementsAre("aten.add.Tensor"));
    EXPECT_EQ(block.graph->nodes[add.nodes[0]].name, "node_2");
    EXPECT_THAT(joined->warnings(), IsEmpty());
}

TEST(Record, FrameworkEventsHaveNoNodes) {
    const Blocks joined = join(traceFor({"mm.out"}), recordFor({"aten.mm.default"}));
    const Event& execute = eventNamed(joined->blocks()[1], "Method::execute");
    EXPECT_THAT(handlesOf(execute), ElementsAre(1));
    EXPECT_THAT(execute.nodes, IsEmpty());
    EXPECT_EQ(joined->blocks()[0].method, "forward") << "the load phase belongs to what runs next";
}

TEST(Record, HandlesThatRepeatRepeatTheirNodes) {
    RecordWriter writer;
    writer.addEdgeGraph("forward", edgeGraph({"aten.mm.default", "aten.add.Tensor"}));
    MethodMaps maps;
    maps.debugHandles[InstructionId(0)] = {.handles = {DebugHandle(2), DebugHandle(1), DebugHandle(2)},
                                           .list = true};
    maps.outputCounts[InstructionId(0)] = 3;
    writer.setMaps("forward", maps);
    const Blocks joined = join(traceFor({"add.out"}), recordOf(writer));
    const Event& add = joined->blocks()[1].events[0];
    EXPECT_TRUE(add.handlesAreList);
    EXPECT_EQ(add.outputCount, 3);
    EXPECT_THAT(opTypes(joined->blocks()[1], add),
                ElementsAre("aten.add.Tensor", "aten.mm.default", "aten.add.Tensor"));
}

// The default table matches the reference's; the operator is nevertheless known.
TEST(Record, CustomLibrariesAreKeptBesideTheReferencesList) {
    for (const char* op :
         {"llama.custom_sdpa.default", "cadence.custom_sdpa.out", "mine.custom_sdpa.default"}) {
        const Record record = recordFor({op});
        const Blocks ours = join(traceFor({"custom_sdpa.out"}), record);
        const Block& block = ours->blocks()[1];
        EXPECT_EQ(block.events[0].nodes.size(), 1U);
        EXPECT_THAT(opTypes(block, block.events[0]), IsEmpty());
        EXPECT_THAT(opTypes(block, block.events[0], inspector::OpTypes::All), ElementsAre(op));
        EXPECT_THAT(join(traceFor({"custom_sdpa.out"}), record, asReference)->blocks()[1].events[0].nodes,
                    IsEmpty());
    }
}

TEST(Record, ReferenceLibrariesAreListed) {
    for (const char* op :
         {"aten.add.Tensor", "dim_order_ops._clone_dim_order.default",
          "quantized_decomposed.quantize_per_tensor.default", "torchao.dequantize_affine.default"}) {
        const Blocks joined = join(traceFor({"add.out"}), recordFor({op}), asReference);
        EXPECT_THAT(opTypes(joined->blocks()[1], joined->blocks()[1].events[0]), ElementsAre(op));
    }
}

/// A delegate at instruction 0 with handles 1 to 3 and these identifiers.
Record delegateRecord(std::vector<std::pair<std::string, std::vector<DebugHandle>>> identifiers,
                      bool listed = true) {
    RecordWriter writer;
    writer.addEdgeGraph("forward", edgeGraph({"aten.mm.default", "aten.add.Tensor", "aten.relu.default"}));
    MethodMaps maps;
    maps.debugHandles[InstructionId(0)] = {.handles = {DebugHandle(1), DebugHandle(2), DebugHandle(3)},
                                           .list = true};
    if (listed) {
        maps.delegates[InstructionId(0)] =
            DelegateEntry{.backend = "TestBackend", .identifiers = std::move(identifiers)};
    }
    writer.setMaps("forward", maps);
    return recordOf(writer);
}

Trace delegateTrace() {
    TraceWriter writer;
    writer.beginRun("Execute");
    writer.profile("", delegated(0, 2), 0, 1);
    writer.profile("", delegated(0, 12), 0, 1);
    writer.profile("", delegated(0, "relu_2"), 0, 1);
    writeDelegateCall(writer, 0);
    writeExecute(writer);
    return traceOf(writer);
}

TEST(RecordDelegate, IdentifiersAreFoundExactly) {
    const Blocks joined =
        join(delegateTrace(), delegateRecord({{"2", {DebugHandle(1)}}, {"relu_2", {DebugHandle(3)}}}));
    const Block& block = joined->blocks()[0];
    EXPECT_THAT(handlesOf(eventNamed(block, "2")), ElementsAre(1));
    EXPECT_EQ(eventNamed(block, "2").handleSource, HandleSource::DelegateMap);
    EXPECT_THAT(opTypes(block, eventNamed(block, "relu_2")), ElementsAre("aten.relu.default"));
    EXPECT_EQ(eventNamed(block, "2").backend, "TestBackend");
    EXPECT_EQ(eventNamed(block, "DELEGATE_CALL").backend, "TestBackend");
    EXPECT_EQ(eventNamed(block, "Method::execute").backend, "");
    EXPECT_THAT(joined->warnings(), IsEmpty());
}

TEST(RecordDelegate, UnmappedIdentifierIsUnknownNotItsSubstring) {
    const Record record = delegateRecord({{"2", {DebugHandle(1)}}});
    const Blocks joined = join(delegateTrace(), record);
    const Event& ours = eventNamed(joined->blocks()[0], "12");
    EXPECT_THAT(ours.handles, IsEmpty());
    EXPECT_EQ(ours.handleSource, HandleSource::UnmappedDelegate);
    EXPECT_EQ(ours.regionHandles.size(), 3U) << "somewhere in the delegate";
    const Blocks theirs = join(delegateTrace(), record, asReference);
    EXPECT_THAT(handlesOf(eventNamed(theirs->blocks()[0], "12")), ElementsAre(1));
}

TEST(RecordDelegate, HandlesBesideAnEventCount) {
    const auto blocksFor = [](std::string_view metadata, const JoinOptions& options = {}) {
        TraceWriter writer;
        writer.beginRun("Execute");
        writer.profile("", delegated(0, "Convolution #1"), 0, 1, std::as_bytes(std::span(metadata)));
        writeDelegateCall(writer, 0);
        writeExecute(writer);
        return join(traceOf(writer), delegateRecord({}), options);
    };
    const Blocks known = blocksFor(R"({"debug_handles":[3,1],"start":"synthetic"})");
    const Event& event = known->blocks()[0].events[0];
    EXPECT_THAT(handlesOf(event), ElementsAre(3, 1));
    EXPECT_EQ(event.handleSource, HandleSource::DelegateMetadata);
    EXPECT_EQ(event.nodes.size(), 2U);
    EXPECT_EQ(event.backend, "TestBackend");
    for (const std::string_view other :
         {R"({"start":"synthetic"})", R"({"debug_handles":["a"]})", R"({"debug_handles":[-1]})",
          R"({"debug_handles":[1])", "[1]", "{", "\xff\xfe"}) {
        const Blocks unknown = blocksFor(other);
        EXPECT_EQ(unknown->blocks()[0].events[0].handleSource, HandleSource::UnmappedDelegate) << other;
    }
    const Blocks theirs = blocksFor(R"({"debug_handles":[3]})", asReference);
    EXPECT_EQ(theirs->blocks()[0].events[0].handleSource, HandleSource::UnmappedDelegate);
}

// The reference searches for substrings even if the map contains the number, and uses the last match.
TEST(RecordDelegate, ReferenceLetsAPartOverrideANumber) {
    const Record record =
        delegateRecord({{"12", {DebugHandle(3)}}, {"2", {DebugHandle(1)}}, {"relu_2", {DebugHandle(2)}}});
    const Blocks ours = join(delegateTrace(), record);
    EXPECT_THAT(handlesOf(eventNamed(ours->blocks()[0], "12")), ElementsAre(3));
    const Blocks theirs = join(delegateTrace(), record, asReference);
    EXPECT_THAT(handlesOf(eventNamed(theirs->blocks()[0], "12")), ElementsAre(1));
    EXPECT_THAT(handlesOf(eventNamed(theirs->blocks()[0], "relu_2")), ElementsAre(2));
}

TEST(RecordDelegate, RecordMissingAnExecutedDelegateIsIgnored) {
    TraceWriter writer;
    writer.beginRun("Execute");
    writer.profile("", delegated(0, 5), 0, 1);
    const Trace trace = traceOf(writer);
    const Blocks ours = join(trace, delegateRecord({}, false));
    EXPECT_EQ(ours->blocks()[0].events[0].handleSource, HandleSource::None);
    EXPECT_THAT(handlesOf(ours->blocks()[0].events[0]), IsEmpty());
    EXPECT_THAT(ours->warnings(), Contains(HasSubstr("no delegate")));
    const Blocks theirs = join(trace, delegateRecord({}, false), asReference);
    EXPECT_EQ(theirs->blocks()[0].events[0].handleSource, HandleSource::WholeDelegate);
    EXPECT_THAT(handlesOf(theirs->blocks()[0].events[0]), ElementsAre(1, 2, 3));
}

/// Methods forward [mm, relu] and other [mm, add, add].
Record twoMethods() {
    RecordWriter writer;
    writer.addEdgeGraph("other", edgeGraph({"aten.mm.default", "aten.add.Tensor", "aten.add.Tensor"}));
    writer.setMaps("other", plainMaps(3));
    writer.addEdgeGraph("forward", edgeGraph({"aten.mm.default", "aten.relu.default"}));
    writer.setMaps("forward", plainMaps(2));
    return recordOf(writer);
}

TEST(RecordMethod, BlockIsMatchedToTheMethodThatFits) {
    const Blocks other = join(traceFor({"mm.out", "add.out", "add.out"}), twoMethods());
    EXPECT_EQ(other->blocks()[1].method, "other");
    EXPECT_EQ(other->blocks()[0].method, "other");
    EXPECT_THAT(opTypes(other->blocks()[1], other->blocks()[1].events[2]), ElementsAre("aten.add.Tensor"));
    EXPECT_THAT(other->warnings(), IsEmpty());
    const Blocks forward = join(traceFor({"mm.out", "relu.out"}), twoMethods());
    EXPECT_EQ(forward->blocks()[1].method, "forward");
    EXPECT_THAT(forward->warnings(), IsEmpty());
}

TEST(RecordMethod, EachBlockHasItsOwnMethod) {
    TraceWriter writer;
    for (const char* last : {"native_call_relu.out", "native_call_add.out"}) {
        writer.beginRun("Default");
        writer.profile(std::string("loading of ") + last, {}, 0, 1);  // load phases with different names
        writer.beginRun("Execute");
        writeKernel(writer, 0, "native_call_mm.out");
        writeKernel(writer, 1, last);
        if (std::string_view(last).contains("add")) {
            writeKernel(writer, 2, last);
        }
        writeExecute(writer);
    }
    const Blocks joined = join(traceOf(writer), twoMethods());
    ASSERT_EQ(joined->blocks().size(), 4U);
    EXPECT_EQ(joined->blocks()[1].method, "forward");
    EXPECT_EQ(joined->blocks()[3].method, "other");
}

TEST(RecordMethod, ReferenceTakesForward) {
    const Blocks joined = join(traceFor({"mm.out", "add.out", "add.out"}), twoMethods(), asReference);
    EXPECT_EQ(joined->blocks()[1].method, "forward");
    EXPECT_THAT(opTypes(joined->blocks()[1], joined->blocks()[1].events[2]),
                ElementsAre("aten.relu.default"));
}

TEST(RecordMethod, OptionSelectsTheMethod) {
    const Blocks joined = join(traceFor({"mm.out", "relu.out"}), twoMethods(), {.method = "other"});
    EXPECT_EQ(joined->blocks()[1].method, "");
    EXPECT_THAT(joined->warnings(),
                Contains(HasSubstr("instruction 1 ran native_call_relu.out, but the record "
                                   "has aten.add.Tensor")))
        << "what does not fit is not joined";
    const Blocks fits = join(traceFor({"mm.out", "add.out", "add.out"}), twoMethods(), {.method = "other"});
    EXPECT_EQ(fits->blocks()[1].method, "other");
}

TEST(RecordMethod, UnknownMethodErrorListsKnownMethods) {
    const auto joined = EventBlocks::build(traceFor({"mm.out"}), twoMethods(), nullptr, {.method = "decode"});
    ASSERT_FALSE(joined);
    EXPECT_EQ(joined.error().code, core::ErrorCode::NotFound);
    EXPECT_THAT(joined.error().toString(), testing::AllOf(HasSubstr("test.etrecord"), HasSubstr("\"decode\""),
                                                          HasSubstr("forward"), HasSubstr("other")));
}

TEST(RecordMethod, ReferenceNeedsForward) {
    RecordWriter writer;
    writer.addEdgeGraph("decode", edgeGraph({"aten.mm.default"}));
    writer.setMaps("decode", plainMaps(1));
    const Record record = recordOf(writer);
    EXPECT_FALSE(EventBlocks::build(traceFor({"mm.out"}), record, nullptr, asReference));
    EXPECT_EQ(join(traceFor({"mm.out"}), record)->blocks()[1].method, "decode");
}

TEST(RecordMethod, TwinsAreAmbiguousAndForwardWins) {
    RecordWriter writer;
    for (const char* name : {"alpha", "forward"}) {
        writer.addEdgeGraph(name, edgeGraph({"aten.mm.default"}));
        writer.setMaps(name, plainMaps(1));
    }
    const Blocks joined = join(traceFor({"mm.out"}), recordOf(writer));
    EXPECT_EQ(joined->blocks()[1].method, "forward");
    EXPECT_THAT(joined->warnings(),
                ElementsAre(testing::AllOf(HasSubstr("alpha"), HasSubstr("using forward"))));
}

TEST(RecordMethod, TraceWithoutCallsLeavesItOpen) {
    TraceWriter writer;
    writer.beginRun("Execute");
    writeExecute(writer);
    const Trace trace = traceOf(writer);
    EXPECT_EQ(join(trace, twoMethods())->blocks()[0].method, "");
    EXPECT_EQ(join(trace, recordFor({"aten.mm.default"}))->blocks()[0].method, "forward");
}

}  // namespace
}  // namespace et::test
