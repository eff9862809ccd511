#include "runtime/executor/method.h"
#include "tests/executor/run_program.h"

#include <gmock/gmock.h>

namespace et::test {
namespace {

using builder::MethodBuilder;
using builder::ProgramBuilder;
using testing::ElementsAre;
using testing::HasSubstr;

/// forward(): counts an integer from 0 to `end` in a loop.
void buildLoop(ProgramBuilder& program, std::int64_t end) {
    MethodBuilder& forward = program.method("forward");
    const auto start = forward.integer(0);
    const auto counter = forward.integer(-5);
    const auto more = forward.boolean(false);
    const auto never = forward.boolean(false);
    forward.move(start, counter);
    const auto top = forward.nextInstruction();
    forward.callFunction("test::less", {counter, end}, more);
    const auto leave = forward.jumpFalse(more);
    forward.callFunction("test::increment", {counter}, counter);
    const auto again = forward.jumpFalse(never);
    forward.setDestination(again, top);
    forward.setDestination(leave, forward.nextInstruction());
    forward.output(counter);
}

TEST(ControlFlowTest, LoopsRunUntilTheirConditionIsFalse) {
    ProgramBuilder program;
    buildLoop(program, 10);
    LoadedProgram loaded(program);
    auto& method = loaded.method();
    for (int again = 0; again < 2; ++again) {
        ASSERT_EQ(errorText(method.execute()), "");
        EXPECT_EQ(outputNumber<std::int64_t>(method), 10);
        EXPECT_EQ(method.executedInstructions(), 1U + 10 * 4 + 2);
    }
}

TEST(ControlFlowTest, EndlessLoopsEndAtTheLimit) {
    ProgramBuilder program;
    MethodBuilder& forward = program.method("forward");
    const auto never = forward.boolean(false);
    forward.setDestination(forward.jumpFalse(never), core::InstructionId(0));
    LoadedProgram loaded(program, {.instructions = 1000});
    EXPECT_EQ(errorText(loaded.method().execute()),
              "forward: instructions[0] (jump if false): exceeded the maximum of 1000 "
              "instructions: possibly an "
              "infinite loop");
}

TEST(ControlFlowTest, TensorsOfBoolsAreConditions) {
    ProgramBuilder program;
    MethodBuilder& forward = program.method("forward");
    const auto condition = forward.input({.dtype = core::ScalarType::Bool, .sizes = {2}});
    const auto one = forward.integer(1);
    const auto two = forward.integer(2);
    const auto result = forward.integer(0);
    forward.move(two, result);
    const auto jump = forward.jumpFalse(condition);
    forward.move(one, result);
    forward.setDestination(jump, forward.nextInstruction());
    forward.output(result);
    LoadedProgram loaded(program);
    auto& method = loaded.method();
    for (const bool second : {true, false}) {
        const std::array truths{true, second};
        ASSERT_TRUE(method.setInput(0, executor::TensorInput{.dtype = core::ScalarType::Bool,
                                                             .sizes = std::array{std::int64_t{2}},
                                                             .data = std::as_bytes(std::span(truths))}));
        ASSERT_EQ(errorText(method.execute()), "");
        EXPECT_EQ(outputNumber<std::int64_t>(method), second ? 1 : 2);
    }
}

TEST(ControlFlowTest, RejectsOtherValuesAsConditions) {
    ProgramBuilder program;
    MethodBuilder& forward = program.method("forward");
    forward.jumpFalse(forward.integer(1));
    LoadedProgram loaded(program);
    EXPECT_THAT(errorText(loaded.method().execute()),
                HasSubstr("expected a condition of type Bool or bool Tensor, got Int"));
}

/// ExecuTorch's MoveCall copies the value, which holds a reference to the tensor.
TEST(ControlFlowTest, MovedTensorIsTheSourceItself) {
    ProgramBuilder program;
    MethodBuilder& forward = program.method("forward");
    const auto x = forward.input({.sizes = {2}});
    const auto y = forward.intermediate({.sizes = {2}});
    const auto z = forward.intermediate({.sizes = {2}});
    forward.call("test::plus.out", {x, x, 1}, {y});
    forward.move(y, z);
    forward.call("test::plus.out", {y, y, 1}, {y});
    forward.output(y);
    forward.output(z);
    LoadedProgram loaded(program);
    auto& method = loaded.method();
    for (int again = 0; again < 2; ++again) {
        ASSERT_TRUE(method.setInput(0, floats({2}, Floats{1, 2})));
        ASSERT_EQ(errorText(method.execute()), "");
        EXPECT_THAT(outputFloats(method, 0), ElementsAre(4, 8));
        EXPECT_THAT(outputFloats(method, 1), ElementsAre(4, 8));
        EXPECT_EQ(method.output(0).as<core::Tensor>(), method.output(1).as<core::Tensor>());
    }
}

TEST(ControlFlowTest, MovedTensorHasTheShapeOfTheSource) {
    ProgramBuilder program;
    MethodBuilder& forward = program.method("forward");
    const auto x = forward.input({.sizes = {2}});
    const auto y = forward.intermediate({.sizes = {2}});
    const auto z = forward.intermediate({.sizes = {3}});
    forward.call("test::plus.out", {x, x, 1}, {y});
    forward.move(y, z);
    forward.output(y);
    forward.output(z);
    LoadedProgram loaded(program);
    auto& method = loaded.method();
    ASSERT_TRUE(method.setInput(0, floats({2}, Floats{1, 2})));
    ASSERT_EQ(errorText(method.execute()), "");
    EXPECT_THAT(outputFloats(method, 1), ElementsAre(2, 4));
}

/// An input that a run replaced by another value's tensor is set in its own memory, not in that value's.
TEST(ControlFlowTest, InputsAreSetInTheirOwnMemoryAfterAMove) {
    ProgramBuilder program;
    MethodBuilder& forward = program.method("forward");
    const auto x = forward.input({.sizes = {2}});
    const auto y = forward.intermediate({.sizes = {2}});
    forward.call("test::plus.out", {x, x, 1}, {y});
    forward.move(y, x);
    forward.output(y);
    forward.output(x);
    LoadedProgram loaded(program);
    auto& method = loaded.method();
    for (const float first : {1.0F, 5.0F}) {
        ASSERT_TRUE(method.setInput(0, floats({2}, Floats{first, 2})));
        ASSERT_EQ(errorText(method.execute()), "");
        EXPECT_THAT(outputFloats(method, 0), ElementsAre(2 * first, 4));
        EXPECT_THAT(outputFloats(method, 1), ElementsAre(2 * first, 4));
    }
}

TEST(ControlFlowTest, TheMemoryOfFreedTensorsComesBack) {
    ProgramBuilder program;
    MethodBuilder& forward = program.method("forward");
    const auto x = forward.input({.sizes = {2}});
    const auto y = forward.intermediate({.sizes = {1}, .dynamism = program::ShapeDynamism::Unbounded});
    const auto z = forward.intermediate({.sizes = {8}, .dynamism = program::ShapeDynamism::Bounded});
    forward.call("test::twice.out", {x}, {y});
    forward.call("test::twice.out", {y}, {z});
    forward.free(y);
    forward.output(z);
    LoadedProgram loaded(program);
    auto& method = loaded.method();
    for (int again = 0; again < 3; ++again) {
        const Floats x1{1, 2};
        ASSERT_TRUE(method.setInput(0, floats({2}, x1)));
        ASSERT_EQ(errorText(method.execute()), "");
        EXPECT_THAT(outputFloats(method), ElementsAre(1, 2, 1, 2, 1, 2, 1, 2));
    }
}

/// Freed memory is returned to the system and then reads as zeros.
TEST(ControlFlowTest, FreeingForgetsTheElements) {
    ProgramBuilder program;
    MethodBuilder& forward = program.method("forward");
    const auto x = forward.input({.sizes = {2}});
    const auto y = forward.intermediate({.sizes = {1}, .dynamism = program::ShapeDynamism::Unbounded});
    forward.call("test::twice.out", {x}, {y});
    forward.free(y);
    forward.output(y, builder::Memory::Caller);
    LoadedProgram loaded(program);
    auto& method = loaded.method();
    const Floats x1{1, 2};
    ASSERT_TRUE(method.setInput(0, floats({2}, x1)));
    ASSERT_EQ(errorText(method.execute()), "");
    EXPECT_THAT(outputFloats(method), ElementsAre(0, 0, 0, 0));
}

}  // namespace
}  // namespace et::test
