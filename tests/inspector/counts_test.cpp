// Tests of hardware counts stored next to a trace.
#include "tests/inspector/join_support.h"
#include "tests/support/scratch_folder.h"

#include <gmock/gmock.h>

#include <filesystem>
#include <fstream>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

namespace et::test {
namespace {

using etdump::TraceWriter;
using inspector::Event;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;

/// Returns counts of instruction 0 in the format written by `run --counters`.
std::string countsText(std::string_view method, const inspector::TraceMark& mark, std::string_view faults) {
    return R"({"schema": 1, "method": ")" + std::string(method) + R"(", "trace": {"events": )" +
           std::to_string(mark.events) + R"(, "first_start": )" + std::to_string(mark.firstStart) +
           R"(}, "instructions": [{"chain": 0, "instruction": 0, "page_faults": )" + std::string(faults) +
           R"(, "cycles": null}]})";
}

core::Result<std::shared_ptr<const inspector::InstructionCounts>> countsOf(const ScratchFolder& folder,
                                                                           const std::string& text) {
    const std::filesystem::path file = folder.path() / "counts.json";
    std::ofstream(file) << text;
    return inspector::InstructionCounts::open(file);
}

TEST(Join, CountsAreOfKernelsOfTheTraceTheyWereCountedWith) {
    TraceWriter writer;
    writer.beginRun("Execute");
    writeKernel(writer, 0, "native_call_add.out", 100, 300);
    writeExecute(writer);
    const Trace trace = traceOf(writer);
    const ScratchFolder folder;
    inspector::TraceMark mark = inspector::markOf(*trace);
    const auto counts = countsOf(folder, countsText("forward", mark, "2.5"));
    ASSERT_TRUE(counts) << counts.error().toString();
    const Blocks joined = join(trace, nullptr, {.counts = *counts});
    EXPECT_THAT(joined->warnings(), IsEmpty());
    const std::vector<Event>& events = joined->blocks()[0].events;
    ASSERT_NE(events[0].counts, nullptr);
    EXPECT_EQ((*events[0].counts)[static_cast<std::size_t>(inspector::Counter::PageFaults)], 2.5);
    EXPECT_EQ((*events[0].counts)[static_cast<std::size_t>(inspector::Counter::Cycles)], std::nullopt);
    EXPECT_EQ(events[1].counts, nullptr) << "the call around it would count twice";
    EXPECT_EQ(events[2].counts, nullptr);
    ++mark.firstStart;
    const auto others = countsOf(folder, countsText("forward", mark, "2.5"));
    ASSERT_TRUE(others);
    const Blocks without = join(trace, nullptr, {.counts = *others});
    EXPECT_EQ(without->blocks()[0].events[0].counts, nullptr);
    EXPECT_THAT(without->warnings(), ElementsAre(HasSubstr("another")));
}

TEST(Join, DamagedCountsAreNamed) {
    const ScratchFolder folder;
    const auto refusal = [&](const std::string& text) {
        const auto counts = countsOf(folder, text);
        return counts ? std::string() : counts.error().toString();
    };
    EXPECT_THAT(refusal("{"), HasSubstr("invalid JSON"));
    EXPECT_THAT(refusal("[]"), HasSubstr("expected an object"));
    EXPECT_THAT(refusal(R"({"schema": 2})"), HasSubstr("schema"));
    EXPECT_THAT(refusal(R"({"schema": 1, "method": "f"})"), HasSubstr("trace"));
    EXPECT_THAT(refusal(countsText("f", {}, "-1")), HasSubstr("instructions[0].page_faults"));
    EXPECT_THAT(refusal(countsText("f", {}, "\"x\"")), HasSubstr("instructions[0].page_faults"));
    EXPECT_EQ(refusal(countsText("f", {}, "null")), "");
}

}  // namespace
}  // namespace et::test
