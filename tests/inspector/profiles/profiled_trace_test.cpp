#include "inspector/profiles/profiled_trace.h"

#include "inspector/session/session.h"
#include "runtime/core/event_names.h"
#include "tests/inspector/join_support.h"
#include "tests/inspector/profiles/profile_samples.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>
#include <utility>

namespace et::inspector {
namespace {

using ::testing::DoubleNear;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::SizeIs;

/// Two runs of a kernel and a delegate call of 10,000 ticks at instruction 1.
test::Trace traceOfCalls() {
    etdump::TraceWriter writer;
    for (std::uint64_t run = 0; run < 2; ++run) {
        writer.beginRun("Execute");
        test::writeKernel(writer, 0, "native_call_add.out", run * 20000, 10);
        writer.profile(core::event_name::delegateCall, test::at(1), run * 20000 + 100, run * 20000 + 10100);
        writer.profile(core::event_name::methodExecute, {}, run * 20000, run * 20000 + 10200);
    }
    return test::traceOf(writer);
}

/// A record whose instruction 1 calls a delegate of this backend with three nodes, node_1 to node_3.
test::Record recordOfDelegate(const std::string& backend) {
    etrecord::RecordWriter writer;
    writer.addEdgeGraph("forward",
                        test::edgeGraph({"aten.add.Tensor", "aten.mul.Tensor", "aten.sub.Tensor"}));
    etrecord::MethodMaps maps;
    maps.debugHandles[core::InstructionId(1)] = {
        .handles = {core::DebugHandle(1), core::DebugHandle(2), core::DebugHandle(3)}, .list = true};
    maps.delegates[core::InstructionId(1)] = {.backend = backend, .identifiers = {}};
    writer.setMaps("forward", maps);
    return test::recordOf(writer);
}

ProfiledTrace added(const ProfiledModel& model, std::initializer_list<std::string_view> texts) {
    std::vector<VendorProfile> profiles;
    for (const std::string_view text : texts) {
        profiles.push_back(test::readProfileText(text).value());
    }
    return addProfiles(model, std::move(profiles), "trace").value();
}

test::Blocks joined(const ProfiledTrace& profiled, const test::Record& record) {
    return test::join(profiled.trace, record, {.target = TimeScale::Nanoseconds});
}

TEST(ProfiledTrace, AddsOperatorsToTheDelegateCallsOfATrace) {
    const auto record = recordOfDelegate("QnnBackend");
    const ProfiledTrace profiled = added({.trace = traceOfCalls(), .record = record.get()}, {test::qnnCsv});
    EXPECT_THAT(profiled.warnings, IsEmpty());
    const auto blocks = joined(profiled, record);
    ASSERT_NE(blocks, nullptr);
    EXPECT_THAT(blocks->warnings(), IsEmpty());
    ASSERT_THAT(blocks->blocks(), SizeIs(1));
    const Event& first = test::eventNamed(blocks->blocks()[0], "node_1:OpId_21 (cycles)");
    EXPECT_TRUE(first.delegated);
    EXPECT_EQ(first.backend, "QnnBackend");
    EXPECT_THAT(first.samples, ElementsAre(DoubleNear(3000, 1), DoubleNear(1200, 1))) << "call by call";
    EXPECT_THAT(test::handlesOf(first), ElementsAre(1));
    EXPECT_THAT(opTypes(blocks->blocks()[0], first), ElementsAre("aten.add.Tensor"));
    const Event& second = test::eventNamed(blocks->blocks()[0], "node_2:OpId_22 (cycles)");
    EXPECT_THAT(second.startTicks, ElementsAre(3100, 21300)) << "behind the first";
    EXPECT_THAT(test::eventNamed(blocks->blocks()[0], "native_call_add.out").samples, SizeIs(2))
        << "unchanged";
    EXPECT_THAT(core::textOf(blocks->trace().metadata(first.profileEvents[0])),
                HasSubstr(R"("Timing Source")"));
}

TEST(ProfiledTrace, UsesTheMeanOfRunsThatAreNotThoseOfTheTrace) {
    const auto record = recordOfDelegate("TensorRTBackend");
    const ProfiledTrace profiled =
        added({.trace = traceOfCalls(), .record = record.get()}, {test::tensorRtTimes, test::tensorRtLayers});
    EXPECT_THAT(profiled.warnings, IsEmpty());
    const auto blocks = joined(profiled, record);
    ASSERT_NE(blocks, nullptr);
    const Event& fused = test::eventNamed(blocks->blocks()[0], "node_1 + node_2");
    EXPECT_THAT(fused.samples, ElementsAre(50000, 50000));
    EXPECT_THAT(test::handlesOf(fused), ElementsAre(1, 2));
    const auto text = core::textOf(blocks->trace().metadata(fused.profileEvents[0]));
    EXPECT_THAT(text, HasSubstr("medianMs"));
    EXPECT_THAT(text, HasSubstr("LayerType")) << "of the file with the properties of the layers";
    const Event& unplaced = test::eventNamed(blocks->blocks()[0], "Reformat");
    EXPECT_THAT(unplaced.handles, IsEmpty());
    EXPECT_EQ(unplaced.handleSource, HandleSource::UnmappedDelegate);
}

TEST(ProfiledTrace, MakesATraceOfAProfileAlone) {
    const auto record = recordOfDelegate("QnnBackend");
    const ProfiledTrace profiled = added({.record = record.get()}, {test::qnnCsv});
    const auto blocks = joined(profiled, record);
    ASSERT_NE(blocks, nullptr);
    ASSERT_THAT(blocks->blocks(), SizeIs(1));
    EXPECT_THAT(test::namesOf(blocks->blocks()[0]),
                ElementsAre("node_1:OpId_21 (cycles)", "node_2:OpId_22 (cycles)", "DELEGATE_CALL",
                            "Method::execute"));
    const Event& call = test::eventNamed(blocks->blocks()[0], "DELEGATE_CALL");
    EXPECT_THAT(call.samples, ElementsAre(4000, 2000));
    EXPECT_EQ(call.instruction, core::InstructionId(1));
}

TEST(ProfiledTrace, DividesCallsByTheSharesOfAComputePlan) {
    const auto record = recordOfDelegate("CoreMLBackend");
    const auto blocks =
        joined(added({.trace = traceOfCalls(), .record = record.get()}, {test::computePlan}), record);
    ASSERT_NE(blocks, nullptr);
    const Event& first = test::eventNamed(blocks->blocks()[0], "node_1_cast_fp16");
    EXPECT_THAT(first.samples, ElementsAre(7500, 7500));
    EXPECT_THAT(test::handlesOf(first), ElementsAre(1));
    EXPECT_THAT(added({}, {test::computePlan}).warnings, ElementsAre(HasSubstr("no times")));
}

TEST(ProfiledTrace, ReportsUnknownClocksAndProfilesWithoutACall) {
    const auto record = recordOfDelegate("XnnBackend");
    EXPECT_THAT(added({}, {test::velaCsv}).warnings, ElementsAre(HasSubstr("cycles of an unknown clock")));
    const ProfiledTrace other = added({.trace = traceOfCalls(), .record = record.get()}, {test::qnnCsv});
    EXPECT_THAT(other.warnings, ElementsAre("the QNN profile was not added: no delegate call of QnnBackend "
                                            "without operators"));
    EXPECT_EQ(other.trace->eventCount(), traceOfCalls()->eventCount());
}

TEST(ProfiledTrace, ConvertsCyclesOfAProfileAloneByTheGivenClock) {
    const TraceClock clock{.delegates = {parseDelegateTimeScale("500MHz").value()}};
    const ProfiledTrace profiled = added({.clock = clock}, {test::velaCsv});
    EXPECT_THAT(profiled.warnings, IsEmpty());
    EXPECT_TRUE(profiled.isProfile);
    const auto blocks = joined(profiled, nullptr);
    ASSERT_NE(blocks, nullptr);
    EXPECT_THAT(test::eventNamed(blocks->blocks()[0], "node_1").samples, ElementsAre(14624));
    EXPECT_THAT(test::eventNamed(blocks->blocks()[0], "DELEGATE_CALL").samples, ElementsAre(20608));
}

TEST(ProfiledTrace, IsOpenedByASessionInPlaceOfATraceOrBesideIt) {
    const auto bytes = std::as_bytes(std::span(test::qnnCsv));
    const RecognizedFile profile =
        RecognizedFile::of(core::MappedFile::fromMemory({bytes.begin(), bytes.end()}, "qnn.csv"));
    EXPECT_EQ(profile.kind, core::FileKind::Profile);
    const auto alone =
        Session::open({.trace = "qnn.csv", .record = {}, .debugBuffer = {}}, {}, std::span(&profile, 1));
    ASSERT_TRUE(alone) << alone.error().toString();
    EXPECT_THAT((*alone)->blocks->blocks(), SizeIs(1));

    const auto trace = traceOfCalls();
    const auto content = trace->file().bytes();
    const RecognizedFile files[] = {profile, RecognizedFile::of(core::MappedFile::fromMemory(
                                                 {content.begin(), content.end()}, "run.etdp"))};
    SessionFiles placed{.trace = "run.etdp", .record = {}, .debugBuffer = {}};
    placed.profiles = {"qnn.csv"};
    const auto both = Session::open(placed, {}, files);
    ASSERT_TRUE(both) << both.error().toString();
    EXPECT_THAT(test::eventNamed((*both)->blocks->blocks()[0], "node_1:OpId_21 (cycles)").samples, SizeIs(2));
}

}  // namespace
}  // namespace et::inspector
