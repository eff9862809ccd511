// Compares the file that grows during recording with the file written at the end.
#include "etdump/detail/live_trace.h"

#include "etdump/trace.h"
#include "tests/etdump/example_traces.h"
#include "tests/support/scratch_folder.h"
#include "tests/support/shared_data.h"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <array>
#include <cstring>
#include <filesystem>
#include <string>
#include <vector>

namespace et::etdump::detail {
namespace {

namespace fs = std::filesystem;

/// Text of everything readable in a value.
struct ValueText {
    std::string operator()(std::monostate) const { return "none"; }
    std::string operator()(const DebugTensor& tensor) const {
        std::string text = fmt::format("tensor of {} at {}:", tensor.scalarType, tensor.offset);
        for (const auto* list : {&tensor.sizes, &tensor.strides}) {
            for (const std::int64_t each : *list) {
                text += fmt::format(" {}", each);
            }
            text += ";";
        }
        return text;
    }
    std::string operator()(const std::vector<DebugTensor>& list) const {
        std::string text = "list";
        for (const DebugTensor& tensor : list) {
            text += " " + (*this)(tensor);
        }
        return text;
    }
    template <class Plain>
    std::string operator()(const Plain& value) const {
        return fmt::format("{}", value);
    }
};

std::string described(const DebugValue& value) {
    return std::visit(ValueText(), value.value) + (value.programOutput ? " (output)" : "");
}

/// Returns everything readable in a trace, one line per run and event.
std::vector<std::string> rowsOf(const Trace& trace) {
    std::vector<std::string> rows;
    const EventColumns& events = trace.events();
    for (const Run& run : trace.runs()) {
        std::string& row = rows.emplace_back(fmt::format("run {}", trace.text(run.name)));
        for (const NameId allocator : run.allocators) {
            row += fmt::format(" {}", trace.text(allocator));
        }
        for (EventIndex i = run.firstEvent; i < run.firstEvent + run.eventCount; ++i) {
            const bool isDebug = events.kind[i] == EventKind::Debug;
            std::string metadata;
            for (const std::byte each : trace.metadata(i)) {
                metadata += fmt::format("{:02x}", static_cast<unsigned>(each));
            }
            rows.push_back(fmt::format("{} {} {} {} {} {} {} {} {} {}", static_cast<int>(events.kind[i]),
                                       trace.text(events.name[i]), events.instruction[i], events.chain[i],
                                       events.delegateInt[i], trace.text(events.delegateString[i]),
                                       isDebug ? 0 : events.start[i], events.end[i], metadata,
                                       isDebug ? described(trace.debugValue(i)) : ""));
        }
    }
    return rows;
}

class LiveTraceTest : public testing::Test {
  protected:
    void add(std::string_view name, std::int32_t instruction = 0, std::string_view delegate = "",
             core::Bytes metadata = {}) {
        events.add({.start = ++clock,
                    .end = ++clock,
                    .instruction = instruction,
                    .chain = 0,
                    .delegateInt = -1,
                    .name = events.texts.intern(name),
                    .delegateText = events.texts.intern(delegate),
                    .part = events.addMetadata(metadata),
                    .kind = EventKind::Profile});
    }
    void addValue(decltype(DebugValue::value) value) {
        events.add({.start = 0,
                    .end = 0,
                    .instruction = 3,
                    .chain = -1,
                    .delegateInt = 8,
                    .name = events.texts.intern(""),
                    .delegateText = events.texts.intern("id"),
                    .part = events.addValue({.value = std::move(value), .programOutput = true}),
                    .kind = EventKind::Debug});
    }
    void addAllocation(std::uint32_t allocator, std::uint64_t bytes) {
        events.add({.start = allocator,
                    .end = bytes,
                    .instruction = -1,
                    .chain = -1,
                    .delegateInt = -1,
                    .name = events.texts.intern(""),
                    .delegateText = events.texts.intern(""),
                    .part = RecordedEvent::noPart,
                    .kind = EventKind::Allocation});
    }
    void addRun(std::string_view name, int count) {
        events.beginRun(name);
        for (int i = 0; i < count; ++i) {
            add("x", i);
        }
        events.endRun();
    }
    void save() {
        const RecordedPart part = events.published();
        if (live.wants(part)) {
            const auto saved = live.save(part, never);
            ASSERT_TRUE(saved) << saved.error().toString();
        }
        live.looked(part);
    }
    /// Returns the rows of the saved file, which flatbuffers' verifier must accept.
    [[nodiscard]] std::vector<std::string> savedRows() const {
        const auto bytes = test::readBytes(file);
        EXPECT_TRUE(test::verifies(bytes));
        const auto trace = Trace::open(file);
        EXPECT_TRUE(trace) << trace.error().toString();
        return trace ? rowsOf(**trace) : std::vector<std::string>();
    }
    [[nodiscard]] std::vector<std::string> rows() const {
        TraceWriter writer;
        events.writeTo(writer);
        return rowsOf(*Trace::parse(core::MappedFile::fromMemory(writer.finish().value())).value());
    }

    test::ScratchFolder folder;
    fs::path file = folder.path() / "live.etdp";
    RecordedEvents events{1'000'000};
    LiveTrace live{events, file};
    std::uint64_t clock = 0;
    std::atomic<bool> never = false;
};

TEST_F(LiveTraceTest, HoldsEveryKindOfEvent) {
    constexpr std::array metadata{std::byte{1}, std::byte{0}, std::byte{255}};
    const DebugTensor tensor{.scalarType = 6, .sizes = {2, 3}, .strides = {3, 1}, .offset = 64};
    events.beginRun("Default");
    static_cast<void>(events.addAllocator("arena"));
    add("Method::init", 0);
    addAllocation(events.addAllocator("scratch"), 1ULL << 40);
    events.endRun();
    save();
    EXPECT_EQ(savedRows(), rows());
    events.beginRun("Execute");
    add("native_call_add.out", 1);
    add("", 2, "conv #1", metadata);
    addValue(tensor);
    addValue(std::vector{tensor, DebugTensor{.scalarType = 1, .sizes = {}, .strides = {}, .offset = -1}});
    addValue(std::int64_t{-5});
    addValue(true);
    addValue(0.25);
    addValue(std::monostate());
    events.endRun();
    save();
    EXPECT_EQ(savedRows(), rows());
    addAllocation(events.addAllocator("peak"), 5);  // after the last run, as in `run`
    save();
    EXPECT_EQ(savedRows(), rows());
}

TEST_F(LiveTraceTest, GrowsWithEverySave) {
    int count = 0;
    for (int i = 0; i < 40; ++i) {
        for (int run = 0; run < i % 4; ++run) {
            addRun(count % 7 == 0 ? "Default" : "Execute", count % 5);
            ++count;
        }
        save();
        if (count > 0) {
            ASSERT_EQ(savedRows(), rows());
        }
    }
}

TEST_F(LiveTraceTest, HoldsARunInProgressFromTheSecondSave) {
    addRun("Execute", 2);
    events.beginRun("Execute");
    add("slow", 0);
    save();
    EXPECT_EQ(savedRows().size(), 3U) << "it may be a short one";
    add("slow", 1);
    save();
    EXPECT_EQ(savedRows().size(), 6U);
    add("slow", 2);
    save();
    EXPECT_EQ(savedRows().size(), 7U);
    add("slow", 3);
    events.endRun();
    addRun("Execute", 1);
    save();
    EXPECT_EQ(savedRows(), rows());
}

TEST_F(LiveTraceTest, OmitsPartialRunNextToACompleteOne) {
    addRun("Execute", 2);
    events.beginRun("Execute");
    add("broken off");
    addRun("Execute", 2);
    save();
    EXPECT_EQ(savedRows(), rows());
    EXPECT_EQ(savedRows().size(), 6U);
}

TEST_F(LiveTraceTest, MakesMoreRoomForALongRun) {
    events.beginRun("Execute");
    for (int i = 0; i < 100'000; ++i) {
        add(i % 2 == 0 ? "even" : "odd", i);
        if (i % 7'001 == 0) {
            save();
        }
    }
    save();
    EXPECT_EQ(savedRows(), rows());
    events.endRun();
    save();
    EXPECT_EQ(savedRows(), rows());
}

TEST_F(LiveTraceTest, MakesMoreRoomForRuns) {
    addRun("Default", 1);
    save();
    for (int i = 0; i < 70'000; ++i) {
        addRun("Execute", i % 2);
    }
    save();
    EXPECT_EQ(savedRows(), rows());
    addRun("Execute", 3);
    save();
    EXPECT_EQ(savedRows(), rows());
}

TEST_F(LiveTraceTest, EndsWithWholeRunsAtTheLimit) {
    RecordedEvents few{25};
    LiveTrace limited{few, file};
    const std::uint32_t name = few.texts.intern("x");
    for (int i = 0; i < 4; ++i) {
        few.beginRun("Execute");
        for (int event = 0; event < 10; ++event) {
            few.add({.start = 1,
                     .end = 2,
                     .instruction = event,
                     .chain = 0,
                     .delegateInt = -1,
                     .name = name,
                     .delegateText = name,
                     .part = RecordedEvent::noPart,
                     .kind = EventKind::Profile});
        }
        few.endRun();
        ASSERT_TRUE(limited.save(few.published(), never));
    }
    EXPECT_EQ(savedRows().size(), 22U);
}

TEST_F(LiveTraceTest, IsUnchangedByAnInterruptedSave) {
    addRun("Execute", 2);
    save();
    const auto before = savedRows();
    addRun("Execute", 20'000);
    const std::atomic<bool> stopped = true;
    const auto saved = live.save(events.published(), stopped);
    ASSERT_FALSE(saved);
    EXPECT_EQ(saved.error().code, core::ErrorCode::Cancelled);
    EXPECT_EQ(savedRows(), before);
}

}  // namespace
}  // namespace et::etdump::detail
