// Tests that the events of a running method survive the recorder and the file.
#include "etdump/recorder.h"

#include "etdump/trace.h"
#include "tests/etdump/example_traces.h"
#include "tests/support/scratch_folder.h"
#include "tests/support/shared_data.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sys/wait.h>
#include <unistd.h>

#include <array>
#include <chrono>
#include <csignal>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <thread>

namespace et::etdump {
namespace {

namespace fs = std::filesystem;
using core::DebugLevel;
using core::TraceName;
using testing::ElementsAre;
using testing::HasSubstr;

std::unique_ptr<Recorder> recorder(RecorderOptions options = {}) {
    return Recorder::create(std::move(options)).value();
}

std::shared_ptr<const Trace> traceOf(const Recorder& recorded) {
    return Trace::parse(core::MappedFile::fromMemory(recorded.trace().value())).value();
}

/// Returns the names of the events of one run.
std::vector<std::string> namesOf(const Trace& trace, std::size_t run) {
    std::vector<std::string> names;
    const auto& found = trace.runs()[run];
    for (EventIndex i = found.firstEvent; i < found.firstEvent + found.eventCount; ++i) {
        names.emplace_back(trace.text(trace.events().name[i]));
    }
    return names;
}

/// Records a run of `count` events called `event`, complete or not.
void record(Recorder& into, std::string_view run, std::string_view event, int count, bool complete = true) {
    const TraceName name = into.name(event);
    into.beginRun(run);
    for (int i = 0; i < count; ++i) {
        into.profile(name, {.chain = 0, .instruction = i}, 1, 2);
    }
    if (complete) {
        into.endRun();
    }
}

core::Value tensorValue(std::span<float> elements) {
    const std::array sizes{static_cast<std::int64_t>(elements.size())};
    return core::Value(core::Tensor::over(elements.data(), sizes));
}

/// Returns a recorder that has received every kind of event.
std::unique_ptr<Recorder> everything() {
    static std::array<float, 3> elements{1, 2, 3};
    constexpr std::array metadata{std::byte{1}, std::byte{0}, std::byte{255}};
    auto told = recorder({.debugLevel = DebugLevel::Intermediates, .allocations = true});
    const TraceName init = told->name("Method::init");
    const TraceName kernel = told->name("native_call_x.out");
    const TraceName none = told->name("");
    told->beginRun("Default");
    const std::uint32_t arena = told->allocator("arena");
    told->allocation(told->allocator("scratch"), 1ULL << 40);
    told->allocation(arena, 16);
    told->profile(init, {.instruction = 0}, 10, 20);
    told->endRun();
    told->beginRun("Execute");
    told->profile(none, {.chain = 0, .instruction = 2, .delegateString = "conv #1"}, 5, 6, metadata);
    told->profile(none, {.chain = 0, .instruction = 2, .delegateInt = 7}, 6, ~0ULL);
    std::array values{tensorValue(elements), core::Value(std::int64_t{-5}), core::Value(true),
                      core::Value(0.25), core::Value()};
    for (core::Value& value : values) {
        told->debug(kernel, {.chain = 0, .instruction = 4}, value, false);
    }
    core::TensorListValue list;
    list.items = {&values[0], nullptr};
    list.tensors.resize(2);
    list.optionalItems = true;
    core::Value tensors(std::move(list));
    told->debug(kernel, {.instruction = 0}, tensors, true);
    told->endRun();
    return told;
}

TEST(Recorder, RoundTripsEvents) {
    const auto trace = traceOf(*everything());
    const EventColumns& events = trace->events();
    using enum EventKind;
    EXPECT_THAT(events.kind, ElementsAre(Allocation, Allocation, Profile, Profile, Profile, Debug, Debug,
                                         Debug, Debug, Debug));
    EXPECT_THAT(events.instruction, ElementsAre(-1, -1, 0, 2, 2, 4, 4, 4, 4, 0));
    EXPECT_THAT(events.chain, ElementsAre(-1, -1, -1, 0, 0, 0, 0, 0, 0, -1));
    EXPECT_THAT(events.delegateInt, ElementsAre(-1, -1, -1, -1, 7, -1, -1, -1, -1, -1));
    EXPECT_EQ(trace->text(events.name[2]), "Method::init");
    EXPECT_EQ(trace->text(events.name[5]), "") << "as the reference writes values";
    EXPECT_EQ(trace->text(events.delegateString[3]), "conv #1");
    EXPECT_EQ(trace->text(events.delegateString[4]), "");
    EXPECT_EQ(events.start[2], 10U);
    EXPECT_EQ(events.end[2], 20U);
    EXPECT_EQ(events.end[4], ~0ULL);
    EXPECT_THAT(trace->metadata(3), ElementsAre(std::byte{1}, std::byte{0}, std::byte{255}));
    EXPECT_EQ(events.end[0], 1ULL << 40);
    EXPECT_EQ(trace->text(trace->runs()[0].allocatorName(events.start[0])), "scratch");
    EXPECT_EQ(trace->runs()[0].eventCount, 3U);
    EXPECT_EQ(trace->text(trace->runs()[1].name), "Execute");
    EXPECT_EQ(trace->runs()[1].bundledInputIndex, -1);
}

TEST(Recorder, RoundTripsValues) {
    const auto trace = traceOf(*everything());
    const auto& tensor = std::get<DebugTensor>(trace->debugValue(5).value);
    EXPECT_EQ(tensor.scalarType, static_cast<std::int8_t>(core::ScalarType::Float));
    EXPECT_THAT(tensor.sizes, ElementsAre(3));
    EXPECT_THAT(tensor.strides, ElementsAre(1));
    EXPECT_EQ(tensor.offset, 0);
    EXPECT_FALSE(trace->debugValue(5).programOutput);
    EXPECT_EQ(std::get<std::int64_t>(trace->debugValue(6).value), -5);
    EXPECT_EQ(std::get<bool>(trace->debugValue(7).value), true);
    EXPECT_EQ(std::get<double>(trace->debugValue(8).value), 0.25);
    const auto& list = std::get<std::vector<DebugTensor>>(trace->debugValue(9).value);
    ASSERT_EQ(list.size(), 1U);  // the format cannot represent the missing tensor
    EXPECT_EQ(list[0].offset, 64);
    EXPECT_TRUE(trace->debugValue(9).programOutput);
}

TEST(Recorder, WritesFlatbuffersThatVerifyAndHaveNoMissingText) {
    const auto bytes = everything()->trace().value();
    EXPECT_TRUE(test::verifies(bytes));
    const auto trace = Trace::parse(core::MappedFile::fromMemory(bytes)).value();
    for (EventIndex i = 0; i < trace->eventCount(); ++i) {
        if (trace->events().kind[i] != EventKind::Allocation) {
            EXPECT_NE(trace->events().name[i], noName);
            EXPECT_NE(trace->events().delegateString[i], noName);
        }
    }
}

TEST(Recorder, LeavesAllocationsOutUnlessAsked) {
    const auto told = recorder();
    told->beginRun("Default");
    told->allocation(told->allocator("arena"), 16);
    told->endRun();
    EXPECT_EQ(traceOf(*told)->eventCount(), 0U);
}

TEST(Recorder, HoldsManyBlocksOfEvents) {
    const auto told = recorder();
    record(*told, "Execute", "x", 50'000);
    const auto trace = traceOf(*told);
    ASSERT_EQ(trace->eventCount(), 50'000U);
    for (std::int32_t i = 0; i < 50'000; ++i) {
        ASSERT_EQ(trace->events().instruction[static_cast<std::size_t>(i)], i);
    }
}

TEST(Recorder, KeepsWholeRunsAtItsLimit) {
    const auto told = recorder({.maxEvents = 25});
    for (int run = 0; run < 4; ++run) {
        record(*told, "Execute", "x", 10);
    }
    const auto trace = traceOf(*told);
    EXPECT_EQ(trace->runs().size(), 2U);
    EXPECT_EQ(trace->eventCount(), 20U);
    const RecordingInfo info = told->info();
    EXPECT_EQ(info.runs, 2U);
    EXPECT_EQ(info.events, 20U);
    EXPECT_EQ(info.runsLeftOut, 2U);
    EXPECT_EQ(info.eventsLeftOut, 20U);
}

TEST(Recorder, KeepsAPartWhereNoRunFits) {
    const auto told = recorder({.maxEvents = 5});
    record(*told, "Execute", "x", 10);
    EXPECT_EQ(traceOf(*told)->eventCount(), 4U);  // the run is the fifth
    EXPECT_EQ(told->info().eventsLeftOut, 6U);
}

TEST(Recorder, ShowsABrokenRunOnlyWhereNoWholeOneIs) {
    const auto told = recorder();
    record(*told, "Default", "load", 1);
    record(*told, "Execute", "x", 2, false);
    EXPECT_THAT(namesOf(*traceOf(*told), 1), ElementsAre("x", "x"));
    record(*told, "Execute", "x", 3);
    record(*told, "Execute", "x", 1, false);
    const auto trace = traceOf(*told);
    ASSERT_EQ(trace->runs().size(), 2U);
    EXPECT_EQ(trace->runs()[1].eventCount, 3U);
}

TEST(Recorder, AsksTheFilter) {
    DebugFilter filter;
    filter.names = {"conv*", "add.out"};
    filter.instructions = {{.first = 7, .last = 9}};
    const auto told = recorder({.debugLevel = DebugLevel::Intermediates, .debugFilter = filter});
    const auto wants = [&](std::string_view name, std::int32_t instruction, std::string_view id = {}) {
        return told->wantsDebug(told->name(name),
                                {.chain = 0, .instruction = instruction, .delegateString = id});
    };
    EXPECT_TRUE(wants("native_call_convolution.out", 1));
    EXPECT_TRUE(wants("native_call_add.out", 1));
    EXPECT_FALSE(wants("native_call_add.Scalar_out", 1));
    EXPECT_TRUE(wants("native_call_mul.out", 8));
    EXPECT_FALSE(wants("native_call_mul.out", 10));
    EXPECT_TRUE(wants("DELEGATE_CALL", 1, "conv #1"));
    EXPECT_FALSE(wants("DELEGATE_CALL", 1, "Clamp #1"));
}

TEST(DebugFilter, TakesGlobs) {
    const auto matches = [](std::string pattern, std::string_view text) {
        return DebugFilter{.names = {std::move(pattern)}, .instructions = {}}.matchesName(text);
    };
    EXPECT_TRUE(matches("*", ""));
    EXPECT_TRUE(matches("a*c?e", "abcbcde"));
    EXPECT_FALSE(matches("a*c?e", "abcbcd"));
    EXPECT_TRUE(matches("max_pool2d*", "native_call_max_pool2d_with_indices.out"));
    EXPECT_TRUE(matches("add", "native_call_add.out"));
    EXPECT_FALSE(matches("ad", "native_call_add.out"));
    EXPECT_FALSE(matches(std::string(40, '*') + "b", std::string(10'000, 'a')));
}

TEST(Recorder, LogsOnlyOutputsWhenAskedToAndAlignsThem) {
    const test::ScratchFolder folder;
    const fs::path file = folder.path() / "debug.bin";
    std::array<float, 3> small{1, 2, 3};
    std::vector<float> large(1 << 19, 0.5F);  // more than is buffered
    core::Value smallValue = tensorValue(small);
    core::Value largeValue = tensorValue(large);
    const auto told = recorder({.traceFile = folder.path() / "trace.etdp",
                                .saveInterval = std::chrono::hours(1),
                                .debugLevel = DebugLevel::Outputs,
                                .debugBufferFile = file});
    const TraceName none = told->name("");
    told->beginRun("Execute");
    for (core::Value* value : {&smallValue, &largeValue, &smallValue}) {
        told->debug(none, {.chain = 0, .instruction = 1}, *value, false);
        told->debug(none, {.instruction = 0}, *value, true);
    }
    told->endRun();
    EXPECT_FALSE(fs::exists(file)) << "nothing has been saved yet";
    ASSERT_TRUE(told->finish());

    const auto trace = Trace::open(folder.path() / "trace.etdp").value();
    ASSERT_EQ(trace->eventCount(), 3U);
    const auto bytes = test::readBytes(file);
    const std::size_t last = 64 + large.size() * sizeof(float);
    EXPECT_EQ(bytes.size(), last + sizeof(small));
    const std::array offsets{std::size_t{0}, std::size_t{64}, last};
    for (EventIndex i = 0; i < 3; ++i) {
        EXPECT_EQ(std::get<DebugTensor>(trace->debugValue(i).value).offset,
                  static_cast<std::int64_t>(offsets[i]));
    }
    EXPECT_EQ(std::memcmp(bytes.data(), small.data(), sizeof(small)), 0);
    EXPECT_EQ(std::memcmp(bytes.data() + 64, large.data(), large.size() * sizeof(float)), 0);
    EXPECT_EQ(std::memcmp(bytes.data() + last, small.data(), sizeof(small)), 0);
}

TEST(Recorder, CountsTensorsThatFindNoRoom) {
    std::array<float, 32> elements{};
    core::Value value = tensorValue(elements);
    const auto told = recorder({.debugLevel = DebugLevel::Outputs, .maxDebugBytes = 200});
    told->beginRun("Execute");
    told->debug(told->name(""), {}, value, true);
    told->debug(told->name(""), {}, value, true);
    const auto trace = traceOf(*told);
    EXPECT_EQ(std::get<DebugTensor>(trace->debugValue(0).value).offset, 0);
    EXPECT_EQ(std::get<DebugTensor>(trace->debugValue(1).value).offset, -1);
    EXPECT_EQ(told->debugBuffer().size(), 128U);
    EXPECT_EQ(told->info().tensorsLeftOut, 1U);
}

TEST(Recorder, ReportsWriteErrorsAtTheEnd) {
    std::vector<float> elements(1 << 19);
    core::Value value = tensorValue(elements);
    const auto told = recorder({.debugLevel = DebugLevel::Outputs, .debugBufferFile = "/dev/full"});
    told->beginRun("Execute");
    told->debug(told->name(""), {}, value, true);
    told->endRun();
    const auto done = told->finish();
    ASSERT_FALSE(done);
    EXPECT_EQ(done.error().toString(), "/dev/full: cannot write: No space left on device");

    const auto later = recorder({.debugLevel = DebugLevel::Outputs, .debugBufferFile = "/dev/full"});
    core::Value small = tensorValue(std::span(elements).first(1));  // buffered at first
    later->beginRun("Execute");
    later->debug(later->name(""), {}, small, true);
    EXPECT_FALSE(later->finish());

    const auto full = recorder({.traceFile = "/dev/full"});
    record(*full, "Execute", "x", 1);
    EXPECT_THAT(full->finish().error().toString(), HasSubstr("No space left on device"));
}

/// Records runs of 10 events until it is killed.
[[noreturn]] void recordUntilKilled(const fs::path& file) {
    const auto told = recorder({.traceFile = file, .saveInterval = std::chrono::milliseconds(20)});
    for (const auto end = std::chrono::steady_clock::now() + std::chrono::milliseconds(400);
         std::chrono::steady_clock::now() < end;) {
        record(*told, "Execute", "x", 10);
        std::this_thread::sleep_for(std::chrono::milliseconds(1));
    }
    record(*told, "Execute", "x", 5, false);
    std::raise(SIGKILL);
    _exit(1);
}

TEST(Recorder, AKilledProcessLeavesWholeRuns) {
    const test::ScratchFolder folder;
    const fs::path file = folder.path() / "trace.etdp";
    const pid_t child = fork();
    if (child == 0) {
        recordUntilKilled(file);
    }
    int status = 0;
    waitpid(child, &status, 0);
    ASSERT_TRUE(WIFSIGNALED(status));
    const auto trace = Trace::open(file);
    ASSERT_TRUE(trace) << trace.error().toString();
    EXPECT_GE((*trace)->runs().size(), 10U);
    for (const auto& run : (*trace)->runs()) {
        EXPECT_EQ(run.eventCount, 10U);
    }
    EXPECT_EQ(std::distance(fs::directory_iterator(folder.path()), {}), 1) << "no temporary file is left";
}

TEST(Recorder, SavesNowAndThenNotWithEveryRun) {
    const test::ScratchFolder folder;
    const auto told =
        recorder({.traceFile = folder.path() / "trace.etdp", .saveInterval = std::chrono::milliseconds(20)});
    std::uint64_t runs = 0;
    for (; told->info().saves < 3 && runs < 30'000; ++runs) {
        record(*told, "Execute", "x", 10);
        std::this_thread::sleep_for(std::chrono::milliseconds(1));
    }
    const RecordingInfo info = told->info();
    EXPECT_GE(info.saves, 3U);
    EXPECT_LT(info.saves, runs);
    EXPECT_GT(info.savingNanoseconds, 0U);
}

TEST(Recorder, FinalFileIsIndependentOfSaves) {
    const test::ScratchFolder folder;
    std::array<std::vector<std::byte>, 2> files;
    for (std::size_t i = 0; i < files.size(); ++i) {
        const fs::path file = folder.path() / "trace.etdp";
        const auto told =
            recorder({.traceFile = file, .saveInterval = std::chrono::milliseconds(i == 0 ? 3'600'000 : 1)});
        for (int run = 0; run < 200; ++run) {
            record(*told, run % 50 == 0 ? "Default" : "Execute", "x", run % 7, run % 5 != 0);
            std::this_thread::sleep_for(std::chrono::microseconds(200));
        }
        ASSERT_TRUE(told->finish());
        EXPECT_EQ(told->info().saves > 0, i == 1);
        files[i] = test::readBytes(file);
    }
    EXPECT_EQ(files[0], files[1]);
}

TEST(Recorder, KeepsTheOldFileUntilTheFirstSave) {
    const test::ScratchFolder folder;
    const fs::path file = folder.path() / "debug.bin";
    std::ofstream(file) << "before";
    {
        const auto told = recorder({.traceFile = folder.path() / "trace.etdp",
                                    .saveInterval = std::chrono::hours(1),
                                    .debugLevel = DebugLevel::Outputs,
                                    .debugBufferFile = file});
        record(*told, "Execute", "x", 1);
    }
    EXPECT_EQ(test::readText(file), "before");
    EXPECT_EQ(std::distance(fs::directory_iterator(folder.path()), {}), 1);
}

}  // namespace
}  // namespace et::etdump
