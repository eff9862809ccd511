#include "runtime/executor/method.h"
#include "runtime/executor/snapshot.h"
#include "tests/executor/run_program.h"

#include <gmock/gmock.h>

#include <unordered_set>

namespace et::test {
namespace {

using builder::MethodBuilder;
using builder::ProgramBuilder;
using testing::ElementsAre;
using testing::HasSubstr;

/// A method that adds `factor` to the state in arena 2, in `calls` instructions, and returns it.
void addCounter(ProgramBuilder& program, const char* name, int factor, int calls) {
    MethodBuilder& method = program.method(name);
    const auto one = method.constant<float>({.sizes = {1}}, Floats{1});
    const Floats hundred{100};
    const auto state =
        method.state({.sizes = {1}, .arena = program::ArenaId(2)}, std::as_bytes(std::span(hundred)));
    for (int i = 0; i < calls; ++i) {
        method.call("test::plus.out", {state, one, factor}, {state});
    }
    method.output(state);
}

/// forward(): counts an integer from 0 to `end` in a loop.
void addLoop(ProgramBuilder& program, std::int64_t end) {
    MethodBuilder& forward = program.method("forward");
    const auto counter = forward.integer(-5);
    const auto more = forward.boolean(false);
    const auto never = forward.boolean(false);
    forward.move(forward.integer(0), counter);
    const auto top = forward.nextInstruction();
    forward.callFunction("test::less", {counter, end}, more);
    const auto leave = forward.jumpFalse(more);
    forward.callFunction("test::increment", {counter}, counter);
    forward.setDestination(forward.jumpFalse(never), top);
    forward.setDestination(leave, forward.nextInstruction());
    forward.output(counter);
}

std::shared_ptr<const executor::Snapshot> saved(const executor::Module& module,
                                                const executor::Snapshot* previous = nullptr) {
    auto snapshot = module.saveState(previous);
    EXPECT_TRUE(snapshot) << errorText(snapshot);
    return *snapshot;
}

TEST(SteppingTest, StepsThroughALoop) {
    ProgramBuilder program;
    addLoop(program, 3);
    LoadedProgram loaded(program);
    auto& method = loaded.method();
    EXPECT_EQ(method.position(), std::nullopt);
    ASSERT_EQ(errorText(method.begin()), "");
    std::vector<std::int32_t> path;
    bool isRunning = true;
    while (isRunning) {
        const auto position = method.position();
        ASSERT_TRUE(position);
        EXPECT_EQ(position->executed, path.size());
        path.push_back(position->instruction);
        const auto more = method.step();
        ASSERT_EQ(errorText(more), "");
        isRunning = *more;
    }
    EXPECT_THAT(path, ElementsAre(0, 1, 2, 3, 4, 1, 2, 3, 4, 1, 2, 3, 4, 1, 2));
    EXPECT_EQ(outputNumber<std::int64_t>(method), 3);
    EXPECT_EQ(method.position(), std::nullopt);
    EXPECT_EQ(errorText(method.step()), "no execution is running");
}

TEST(SteppingTest, SkipsAnInstruction) {
    ProgramBuilder program;
    addCounter(program, "forward", 1, 3);
    LoadedProgram loaded(program);
    auto& method = loaded.method();
    ASSERT_EQ(errorText(method.begin()), "");
    EXPECT_EQ(method.step(), true);
    EXPECT_EQ(method.skip(), true);
    EXPECT_EQ(method.step(), false);
    EXPECT_THAT(outputFloats(method), ElementsAre(102));
    EXPECT_EQ(method.executedInstructions(), 3U);
}

TEST(SteppingTest, AFailedInstructionKeepsThePosition) {
    ProgramBuilder program;
    MethodBuilder& forward = program.method("forward");
    const auto x = forward.constant<float>({.sizes = {1}}, Floats{1});
    const auto y = forward.intermediate({.sizes = {1}});
    forward.call("test::plus.out", {x, x, 1}, {y});
    forward.call("test::fail.out", {x}, {y});
    LoadedProgram loaded(program);
    auto& method = loaded.method();
    ASSERT_EQ(errorText(method.begin()), "");
    EXPECT_EQ(method.step(), true);
    EXPECT_THAT(errorText(method.step()), HasSubstr("instructions[1] (test::fail.out): as told"));
    ASSERT_TRUE(method.position());
    EXPECT_EQ(method.position()->executed, 1U);
}

TEST(SteppingTest, AnEmptyMethodEndsAtTheFirstStep) {
    ProgramBuilder program;
    MethodBuilder& forward = program.method("forward");
    forward.output(forward.integer(7));
    LoadedProgram loaded(program);
    auto& method = loaded.method();
    ASSERT_EQ(errorText(method.begin()), "");
    EXPECT_EQ(method.position(), std::nullopt);
    EXPECT_EQ(method.step(), false);
}

TEST(SnapshotTest, RestoresThePositionInALoop) {
    ProgramBuilder program;
    addLoop(program, 5);
    LoadedProgram loaded(program);
    auto& method = loaded.method();
    ASSERT_EQ(errorText(method.begin()), "");
    for (int i = 0; i < 7; ++i) {
        ASSERT_EQ(method.step(), true);
    }
    const auto position = method.position();
    const auto snapshot = saved(loaded.loadedModule());
    for (int again = 0; again < 2; ++again) {
        while (*method.step()) {
        }
        EXPECT_EQ(outputNumber<std::int64_t>(method), 5);
        EXPECT_EQ(method.executedInstructions(), 23U);
        ASSERT_EQ(errorText(loaded.loadedModule().restoreState(*snapshot)), "");
        EXPECT_EQ(method.position(), position);
    }
}

TEST(SnapshotTest, RestoresStateThatMethodsShare) {
    ProgramBuilder program;
    addCounter(program, "forward", 1, 1);
    addCounter(program, "other", 10, 2);
    LoadedProgram loaded(program);
    auto& forward = loaded.method();
    auto& other = loaded.method("other");
    ASSERT_EQ(errorText(forward.execute()), "");
    ASSERT_EQ(errorText(other.begin()), "");
    ASSERT_EQ(other.step(), true);
    const auto snapshot = saved(loaded.loadedModule());  // one method waits while the other runs
    ASSERT_EQ(other.step(), false);
    ASSERT_EQ(errorText(forward.execute()), "");
    EXPECT_THAT(outputFloats(other), ElementsAre(122));
    ASSERT_EQ(errorText(loaded.loadedModule().restoreState(*snapshot)), "");
    EXPECT_THAT(outputFloats(other), ElementsAre(111));
    ASSERT_EQ(other.step(), false);
    EXPECT_THAT(outputFloats(other), ElementsAre(121));
}

TEST(SnapshotTest, RestoresGrowingTensors) {
    ProgramBuilder program;
    MethodBuilder& forward = program.method("forward");
    constexpr auto unbounded = program::ShapeDynamism::Unbounded;
    const auto x = forward.input({.sizes = {1}, .dynamism = unbounded}, builder::Memory::Caller);
    const auto y = forward.intermediate({.sizes = {1}, .dynamism = unbounded});
    forward.call("test::twice.out", {x}, {y});
    forward.output(y, builder::Memory::Caller);
    LoadedProgram loaded(program);
    auto& method = loaded.method();
    const auto run = [&](std::int64_t size, float value) {
        const Floats input(static_cast<std::size_t>(size), value);
        ASSERT_EQ(errorText(method.setInput(0, floats({size}, input))), "");
        ASSERT_EQ(errorText(method.execute()), "");
    };
    run(2, 1);
    const auto small = saved(loaded.loadedModule());
    run(5000, 2);
    const auto large = saved(loaded.loadedModule(), small.get());
    run(7, 3);
    ASSERT_EQ(errorText(loaded.loadedModule().restoreState(*small)), "");
    EXPECT_EQ(outputFloats(method), Floats(4, 1));
    ASSERT_EQ(errorText(loaded.loadedModule().restoreState(*large)), "");
    EXPECT_EQ(outputFloats(method), Floats(10000, 2));
    ASSERT_EQ(errorText(loaded.loadedModule().restoreState(*small)), "");
    run(5000, 4);
    EXPECT_EQ(outputFloats(method), Floats(10000, 4));
}

TEST(SnapshotTest, SharesEqualPages) {
    ProgramBuilder program;
    MethodBuilder& forward = program.method("forward");
    const auto x = forward.input({.sizes = {64 * 1024}});
    const auto y = forward.state({.sizes = {64 * 1024}});
    const auto one = forward.input({.sizes = {64 * 1024}});
    forward.call("test::plus.out", {x, one, 1}, {y});
    forward.output(y);
    LoadedProgram loaded(program);
    auto& method = loaded.method();
    std::unordered_set<const void*> counted;
    const auto zeros = saved(loaded.loadedModule());
    EXPECT_LT(zeros->countBytes(counted), 20'000U);  // pages of zeros take no memory
    Floats elements(64 * 1024, 2);
    const auto run = [&] {
        ASSERT_EQ(errorText(method.setInput(0, floats({64 * 1024}, elements))), "");
        ASSERT_EQ(errorText(method.setInput(1, floats({64 * 1024}, elements))), "");
        ASSERT_EQ(errorText(method.execute()), "");
    };
    run();
    const auto first = saved(loaded.loadedModule(), zeros.get());
    EXPECT_GT(first->countBytes(counted), 3 * 256 * 1024U);
    elements[1000] = 3;
    run();
    const auto second = saved(loaded.loadedModule(), first.get());
    EXPECT_LT(second->countBytes(counted), 20'000U);  // one page of each
    ASSERT_EQ(errorText(loaded.loadedModule().restoreState(*first)), "");
    EXPECT_EQ(outputFloats(method), Floats(64 * 1024, 4));
}

TEST(SnapshotTest, RejectsOneOfAnotherModule) {
    ProgramBuilder program;
    addLoop(program, 1);
    LoadedProgram loaded(program);
    static_cast<void>(loaded.method());
    executor::Module other(loaded.program, loaded.environment);
    EXPECT_EQ(errorText(other.restoreState(*saved(loaded.loadedModule()))),
              "the snapshot belongs to another module");
}

}  // namespace
}  // namespace et::test
