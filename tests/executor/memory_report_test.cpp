// Tests the memory that a method reports to its tracer: everything allocated, once.
#include "runtime/executor/allocators.h"
#include "tests/executor/run_program.h"

#include <gmock/gmock.h>

#include <array>
#include <map>
#include <numeric>

namespace et::test {
namespace {

using builder::MethodBuilder;
using builder::ProgramBuilder;
using executor::Allocator;
using executor::allocatorName;
using executor::MemoryKind;
using executor::parseAllocator;
using testing::Contains;
using testing::IsEmpty;
using testing::Pair;

/// Sums the bytes of each allocator.
class Event final : public core::EventTracer {
  public:
    [[nodiscard]] core::TraceName name(std::string_view) override { return core::TraceName{0}; }
    void beginRun(std::string_view) override {}
    void endRun() override {}
    void profile(core::TraceName, const core::TraceIds&, std::uint64_t, std::uint64_t, core::Bytes) override {
    }
    [[nodiscard]] std::uint32_t allocator(std::string_view text) override {
        names.emplace_back(text);
        return wants ? static_cast<std::uint32_t>(names.size()) : 0;
    }
    void allocation(std::uint32_t id, std::uint64_t bytes) override { taken[names.at(id - 1)] += bytes; }

    bool wants = true;
    std::vector<std::string> names;
    std::map<std::string, std::uint64_t> taken;
};

TEST(AllocatorNames, RoundTripThroughText) {
    EXPECT_EQ(allocatorName({.kind = MemoryKind::PlannedArena, .method = "forward", .number = 1}),
              "forward: planned memory 1");
    EXPECT_EQ(allocatorName({.kind = MemoryKind::DelegateWorkspace, .method = "a: b", .number = 12}),
              "a: b: workspace of delegate 12");
    EXPECT_EQ(allocatorName({.kind = MemoryKind::ProcessPeak}), "process: peak resident memory");
    for (std::uint8_t kind = 0; kind <= static_cast<std::uint8_t>(MemoryKind::ProcessPeak); ++kind) {
        Allocator made{.kind = static_cast<MemoryKind>(kind), .method = "a: b"};
        made.number = executor::traits(made.kind).isNumbered ? 7 : 0;
        made.method = made.kind == MemoryKind::ProcessPeak ? "" : made.method;
        const std::string name = allocatorName(made);
        EXPECT_EQ(parseAllocator(name), made) << name;
    }
}

TEST(AllocatorNames, NamesFromOtherRuntimesAreUnknown) {
    for (const char* name :
         {"", "scratch", "forward: ", "forward: planned memory", "forward: planned memory x",
          "forward: planned memory 01", "forward: planned memory -1",
          "forward: planned memory 99999999999999999999999", "planned memory 1",
          "forward: peak resident memory", "forward: temporary memory 1"}) {
        EXPECT_FALSE(parseAllocator(name)) << name;
    }
}

class MemoryReportTest : public testing::Test {
  protected:
    /// The method packs a weight and needs temporary memory when it runs.
    MemoryReportTest() {
        MethodBuilder& forward = program.method("forward");
        const auto x = forward.input({.sizes = {2}});
        const auto weight = forward.constant<float>({.sizes = {2}}, Floats{3, 4});
        const auto y = forward.intermediate({.sizes = {2}});
        forward.call("test::packed.out", {x, weight}, {y});
        forward.call("test::scratch.out", {y, std::int64_t{1000}}, {y});
        forward.output(y);
    }
    static void run(executor::Method& method) {
        const Floats x{1, 2};
        ASSERT_TRUE(method.setInput(0, floats({2}, x)));
        ASSERT_EQ(errorText(method.execute()), "");
    }

    ProgramBuilder program;
    Event told;
};

TEST_F(MemoryReportTest, CoversAllMemoryOfTheMethod) {
    LoadedProgram loaded(program);
    loaded.environment.tracer = &told;
    auto& method = loaded.method();
    const std::uint64_t planned = method.memory().arenas.at(1);
    ASSERT_GT(planned, 0U);
    EXPECT_EQ(told.taken.at("forward: planned memory 1"), planned);
    EXPECT_EQ(told.taken.size(), 1U) << "it did not run yet";
    run(method);
    EXPECT_EQ(told.taken.at("forward: packed weights of kernels"), packedBytes);
    EXPECT_THAT(told.taken, Contains(Pair("forward: temporary memory", method.memory().temporaryPeak)));
    const std::size_t calls = told.names.size();
    run(method);
    EXPECT_EQ(told.names.size(), calls) << "nothing was taken in the second run";
}

TEST_F(MemoryReportTest, NewTracerReceivesAllEvents) {
    LoadedProgram loaded(program);
    auto& method = loaded.method();
    run(method);
    method.setTracer(&told);
    run(method);
    EXPECT_EQ(told.taken.at("forward: packed weights of kernels"), packedBytes);
    Event other;
    method.setTracer(&other);
    run(method);
    EXPECT_EQ(other.taken, told.taken);
}

TEST_F(MemoryReportTest, TracersWithoutInterestGetNoEvents) {
    told.wants = false;
    LoadedProgram loaded(program);
    loaded.environment.tracer = &told;
    run(loaded.method());
    EXPECT_THAT(told.taken, IsEmpty());
}

TEST_F(MemoryReportTest, EachMethodReportsItsOwnMemory) {
    ProgramBuilder both;
    for (const char* name : {"first", "second"}) {
        MethodBuilder& method = both.method(name);
        const auto x = method.input({.sizes = {2}});
        const auto y = method.intermediate({.sizes = {2}});
        method.call("test::plus.out", {x, x, 1}, {y});
        method.output(y);
    }
    LoadedProgram loaded(both);
    loaded.environment.tracer = &told;
    std::uint64_t planned = 0;
    for (const char* name : {"first", "second"}) {
        const auto arenas = loaded.method(name).memory().arenas;
        planned += std::accumulate(arenas.begin(), arenas.end(), std::uint64_t{0});
    }
    std::uint64_t sum = 0;
    for (const auto& [name, bytes] : told.taken) {
        sum += name.find("planned memory") != std::string::npos ? bytes : 0;
    }
    EXPECT_EQ(sum, planned) << "arena 1 is each method's own";
}

}  // namespace
}  // namespace et::test
