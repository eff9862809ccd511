#include "runtime/executor/method.h"

#include "tests/executor/run_program.h"

#include <gmock/gmock.h>

#include <atomic>

namespace et::test {
namespace {

using builder::MethodBuilder;
using builder::ProgramBuilder;
using testing::ElementsAre;
using testing::HasSubstr;

constexpr program::ShapeDynamism bounded = program::ShapeDynamism::Bounded;
constexpr program::ShapeDynamism unbounded = program::ShapeDynamism::Unbounded;

/// forward(x) = x + 2 * [10, 20]
void buildPlus(ProgramBuilder& program, const builder::TensorSpec& spec = {.sizes = {2}}) {
    MethodBuilder& forward = program.method("forward");
    const auto x = forward.input(spec);
    const auto weight = forward.constant<float>({.sizes = {2}}, Floats{10, 20});
    const auto y = forward.intermediate(spec);
    forward.call("test::plus.out", {x, weight, 2}, {y});
    forward.output(y);
}

TEST(MethodTest, RunsAKernelOnInputsAndConstants) {
    ProgramBuilder program;
    buildPlus(program);
    LoadedProgram loaded(program);
    auto& method = loaded.method();
    for (const float start : {1.0F, 5.0F}) {
        const Floats x{start, start + 1};
        ASSERT_EQ(errorText(method.setInput(0, floats({2}, x))), "");
        ASSERT_EQ(errorText(method.execute()), "");
        EXPECT_THAT(outputFloats(method), ElementsAre(start + 20, start + 41));
    }
    EXPECT_EQ(method.executedInstructions(), 1U);
}

TEST(MethodTest, RefusesWrongInputs) {
    ProgramBuilder program;
    buildPlus(program);
    LoadedProgram loaded(program);
    auto& method = loaded.method();
    const Floats three{1, 2, 3};
    EXPECT_EQ(errorText(method.setInput(0, floats({3}, three))),
              "inputs[0]: expected float32 [2], got float32 [3]");
    EXPECT_EQ(errorText(method.setInput(0, std::int64_t{4})), "inputs[0]: expected float32 [2], got Int");
    EXPECT_EQ(errorText(method.setInput(0, executor::TensorInput{.dtype = core::ScalarType::Long,
                                                                 .sizes = std::array{std::int64_t{2}},
                                                                 .data = {}})),
              "inputs[0]: expected float32 [2], got int64 [2]");
    EXPECT_EQ(errorText(method.setInput(0, floats({2}, three))), "inputs[0]: expected 8 bytes, got 12");
    EXPECT_EQ(errorText(method.setInputs({})), "expected 1 input, got 0");
    EXPECT_EQ(errorText(method.execute()), "inputs[0]: expected float32 [2], got nothing");
}

TEST(MethodTest, InputsMustBeSetForEachExecution) {
    ProgramBuilder program;
    buildPlus(program);
    LoadedProgram loaded(program);
    auto& method = loaded.method();
    const Floats x{1, 2};
    ASSERT_TRUE(method.setInput(0, floats({2}, x)));
    ASSERT_TRUE(method.execute());
    EXPECT_THAT(errorText(method.execute()), HasSubstr("got nothing"));
}

TEST(MethodTest, ConstantScalarInputsMustMatch) {
    ProgramBuilder program;
    MethodBuilder& forward = program.method("forward");
    const auto number = forward.integer(3);
    const auto anything = forward.none();
    forward.markInput(number);
    forward.markInput(anything);
    forward.output(anything);
    LoadedProgram loaded(program);
    auto& method = loaded.method();
    EXPECT_EQ(errorText(method.setInput(0, std::int64_t{4})), "inputs[0]: expected Int 3 as exported, got 4");
    ASSERT_TRUE(method.setInput(0, std::int64_t{3}));
    ASSERT_TRUE(method.setInput(1, 2.5));
    ASSERT_TRUE(method.execute());
    EXPECT_EQ(outputNumber<double>(method), 2.5);
}

TEST(MethodTest, InputsOfAnotherDimOrderAreRearranged) {
    ProgramBuilder program;
    MethodBuilder& forward = program.method("forward");
    const auto x = forward.input({.sizes = {2, 3}, .dimOrder = {1, 0}});
    forward.output(x);
    LoadedProgram loaded(program);
    auto& method = loaded.method();
    const Floats rowMajor{1, 2, 3, 4, 5, 6};
    ASSERT_TRUE(method.setInput(0, floats({2, 3}, rowMajor)));
    ASSERT_TRUE(method.execute());
    EXPECT_THAT(outputFloats(method), ElementsAre(1, 4, 2, 5, 3, 6));
}

TEST(MethodTest, BoundedShapesMayShrinkButNotGrow) {
    ProgramBuilder program;
    buildPlus(program, {.sizes = {2}, .dynamism = bounded});
    LoadedProgram loaded(program);
    auto& method = loaded.method();
    const Floats one{7};
    ASSERT_EQ(errorText(method.setInput(0, floats({1}, one))), "");
    ASSERT_EQ(errorText(method.execute()), "");
    EXPECT_THAT(outputFloats(method), ElementsAre(27));
    const Floats three{1, 2, 3};
    EXPECT_EQ(errorText(method.setInput(0, floats({3}, three))),
              "inputs[0]: expected float32 at most [2], got float32 [3]");
}

TEST(MethodTest, ResultsLargerThanPlannedAreErrors) {
    ProgramBuilder program;
    MethodBuilder& forward = program.method("forward");
    const auto x = forward.input({.sizes = {3}, .dynamism = bounded});
    const auto y = forward.intermediate({.sizes = {4}, .dynamism = bounded});
    forward.call("test::twice.out", {x}, {y});
    forward.output(y);
    LoadedProgram loaded(program);
    auto& method = loaded.method();
    const Floats three{1, 2, 3};
    ASSERT_TRUE(method.setInput(0, floats({3}, three)));
    EXPECT_EQ(errorText(method.execute()),
              "forward: instructions[0] (test::twice.out): expected a result of at most 16 bytes (the memory "
              "plan), "
              "got [6] with 24 bytes");
}

TEST(MethodTest, UnboundedTensorsGrow) {
    ProgramBuilder program;
    MethodBuilder& forward = program.method("forward");
    const auto x = forward.input({.sizes = {1}, .dynamism = unbounded}, builder::Memory::Caller);
    const auto y = forward.intermediate({.sizes = {1}, .dynamism = unbounded});
    forward.call("test::twice.out", {x}, {y});
    forward.output(y, builder::Memory::Caller);
    LoadedProgram loaded(program);
    auto& method = loaded.method();
    for (const std::size_t size : {std::size_t{2}, std::size_t{5000}, std::size_t{3}}) {
        const Floats x1(size, 1.5F);
        ASSERT_EQ(errorText(method.setInput(0, floats({static_cast<std::int64_t>(size)}, x1))), "");
        ASSERT_EQ(errorText(method.execute()), "");
        EXPECT_EQ(outputFloats(method), Floats(2 * size, 1.5F));
    }
    EXPECT_GE(method.memory().growing, 3 * 5000 * sizeof(float));
}

TEST(MethodTest, GrowingStopsAtTheLimit) {
    ProgramBuilder program;
    MethodBuilder& forward = program.method("forward");
    const auto x = forward.input({.sizes = {1000}});
    const auto y = forward.intermediate({.sizes = {1}, .dynamism = unbounded});
    forward.call("test::twice.out", {x}, {y});
    forward.output(y, builder::Memory::Caller);
    LoadedProgram loaded(program, {.memoryBytes = 8000});
    auto& method = loaded.method();
    const Floats thousand(1000, 1);
    ASSERT_TRUE(method.setInput(0, floats({1000}, thousand)));
    EXPECT_THAT(errorText(method.execute()), HasSubstr("expected a memory need of at most 8000 bytes"));
}

TEST(MethodTest, KernelErrorsNameTheInstruction) {
    ProgramBuilder program;
    MethodBuilder& forward = program.method("forward");
    const auto x = forward.constant<float>({.sizes = {1}}, Floats{1});
    const auto y = forward.intermediate({.sizes = {1}});
    forward.call("test::fail.out", {x}, {y});
    LoadedProgram loaded(program);
    EXPECT_EQ(errorText(loaded.method().execute()), "forward: instructions[0] (test::fail.out): as told");
}

TEST(MethodTest, ConstantsCannotBeWritten) {
    ProgramBuilder program;
    MethodBuilder& forward = program.method("forward");
    const auto x = forward.constant<float>({.sizes = {1}}, Floats{1});
    forward.call("test::plus.out", {x, x, 1}, {x});
    LoadedProgram loaded(program);
    EXPECT_EQ(
        errorText(loaded.method().execute()),
        "forward: instructions[0] (test::plus.out): argument 3: expected Tensor to write to, got Tensor");
}

TEST(MethodTest, ArgumentsOfTheWrongKindAreErrors) {
    ProgramBuilder program;
    MethodBuilder& forward = program.method("forward");
    const auto x = forward.input({.sizes = {1}});
    forward.call("test::plus.out", {x, x, 1.5}, {x});
    LoadedProgram loaded(program);
    auto& method = loaded.method();
    const Floats one{1};
    ASSERT_TRUE(method.setInput(0, floats({1}, one)));
    EXPECT_EQ(errorText(method.execute()),
              "forward: instructions[0] (test::plus.out): argument 2: expected Int, got Double");
}

TEST(MethodTest, WeightsArePackedBeforeTheFirstRun) {
    ProgramBuilder program;
    MethodBuilder& forward = program.method("forward");
    const auto x = forward.input({.sizes = {2}});
    const auto weight = forward.constant<float>({.sizes = {2}}, Floats{3, 4});
    const auto y = forward.intermediate({.sizes = {2}});
    forward.call("test::packed.out", {x, weight}, {y});
    forward.output(y);
    LoadedProgram loaded(program);
    auto& method = loaded.method();
    EXPECT_EQ(method.memory().packedWeights, 0U);
    EXPECT_EQ(method.memory().constants, 8U);
    const Floats x1{1, 2};
    for (int run = 0; run < 2; ++run) {
        ASSERT_TRUE(method.setInput(0, floats({2}, x1)));
        ASSERT_TRUE(method.execute());
        EXPECT_EQ(method.memory().packedWeights, packedBytes);
        EXPECT_THAT(outputFloats(method), ElementsAre(4, 6));
    }
}

TEST(MethodTest, OnlyConstantsArePacked) {
    ProgramBuilder program;
    MethodBuilder& forward = program.method("forward");
    const auto x = forward.input({.sizes = {2}});
    const auto weight = forward.input({.sizes = {2}});
    const auto y = forward.intermediate({.sizes = {2}});
    forward.call("test::packed.out", {x, weight}, {y});
    forward.output(y);
    LoadedProgram loaded(program);
    auto& method = loaded.method();
    EXPECT_EQ(method.memory().packedWeights, 0U);
    const Floats x1{1, 2};
    for (const Floats& weights : {Floats{3, 4}, Floats{5, 6}}) {
        ASSERT_TRUE(method.setInput(0, floats({2}, x1)));
        ASSERT_TRUE(method.setInput(1, floats({2}, weights)));
        ASSERT_TRUE(method.execute());
        EXPECT_THAT(outputFloats(method), ElementsAre(1 + weights[0], 2 + weights[1]));
    }
}

TEST(MethodTest, TemporaryMemoryIsCountedAndLimited) {
    for (const std::int64_t bytes : {std::int64_t{1000}, std::int64_t{100'000}, std::int64_t{2'000'000}}) {
        ProgramBuilder program;
        MethodBuilder& forward = program.method("forward");
        const auto y = forward.intermediate({.sizes = {1}});
        forward.call("test::scratch.out", {y, bytes}, {y});
        LoadedProgram loaded(program, {.temporaryBytes = 1'000'000});
        auto& method = loaded.method();
        const auto done = method.execute();
        EXPECT_EQ(done.has_value(), bytes < 1'000'000) << errorText(done);
        EXPECT_GE(method.memory().temporaryPeak, done ? static_cast<std::uint64_t>(bytes) : 0U);
    }
}

TEST(MethodTest, CallersMemoryIsUsedForInputsAndOutputs) {
    ProgramBuilder program;
    MethodBuilder& forward = program.method("forward");
    const auto x = forward.input({.sizes = {2}}, builder::Memory::Caller);
    const auto y = forward.intermediate({.sizes = {2}});
    forward.call("test::plus.out", {x, x, 1}, {y});
    forward.output(y, builder::Memory::Caller);
    LoadedProgram loaded(program);
    auto& method = loaded.method();
    Floats in{1, 2};
    Floats out(2);
    ASSERT_EQ(errorText(method.bindInput(0, std::as_writable_bytes(std::span(in)))), "");
    ASSERT_EQ(errorText(method.bindOutput(0, std::as_writable_bytes(std::span(out)))), "");
    ASSERT_EQ(errorText(method.execute()), "");
    EXPECT_THAT(out, ElementsAre(2, 4));
    in = {5, 6};
    ASSERT_TRUE(method.execute());
    EXPECT_THAT(out, ElementsAre(10, 12));
    EXPECT_THAT(errorText(method.bindOutput(0, std::as_writable_bytes(std::span(out).first(1)))),
                HasSubstr("expected memory of 8 bytes for float32 [2], got 4"));
}

TEST(MethodTest, AliasesOfTheCallersMemoryEndWithAnotherBinding) {
    ProgramBuilder program;
    MethodBuilder& forward = program.method("forward");
    const auto x = forward.input({.sizes = {2}}, builder::Memory::Caller);
    const auto alias = forward.none();
    forward.move(x, alias);
    forward.output(alias);
    LoadedProgram loaded(program);
    auto& method = loaded.method();
    for (const float start : {1.0F, 5.0F}) {
        auto in = std::make_unique<Floats>(Floats{start, start + 1});
        ASSERT_EQ(errorText(method.bindInput(0, std::as_writable_bytes(std::span(*in)))), "");
        ASSERT_EQ(errorText(method.execute()), "");
        EXPECT_THAT(outputFloats(method), ElementsAre(start, start + 1));
    }
}

TEST(MethodTest, PlannedMemoryIsIndependentOfCallers) {
    ProgramBuilder program;
    buildPlus(program);
    LoadedProgram loaded(program);
    auto& method = loaded.method();
    Floats memory(2);
    EXPECT_THAT(errorText(method.bindInput(0, std::as_writable_bytes(std::span(memory)))),
                HasSubstr("inputs[0]: expected a tensor without planned memory"));
    EXPECT_FALSE(method.bindOutput(0, std::as_writable_bytes(std::span(memory))));
    EXPECT_FALSE(method.bindOutput(7, std::as_writable_bytes(std::span(memory))));
}

TEST(MethodTest, CancelStopsBeforeTheNextInstruction) {
    ProgramBuilder program;
    buildPlus(program);
    LoadedProgram loaded(program);
    std::atomic<bool> cancel{true};
    loaded.environment.cancel = &cancel;
    auto& method = loaded.method();
    const Floats x{1, 2};
    ASSERT_TRUE(method.setInput(0, floats({2}, x)));
    const auto done = method.execute();
    ASSERT_FALSE(done);
    EXPECT_EQ(done.error().code, core::ErrorCode::Cancelled);
}

}  // namespace
}  // namespace et::test
