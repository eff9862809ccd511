// Kernels and a backend written for ExecuTorch's headers (executorch/), loaded as plugins.
#include "runtime/executor/plugin.h"
#include "tests/executor/run_program.h"

#include <gmock/gmock.h>

#include <algorithm>
#include <array>
#include <string>
#include <vector>

namespace et::test {
namespace {

using builder::MethodBuilder;
using builder::ProgramBuilder;
using testing::ElementsAre;
using testing::HasSubstr;

/// The kernels of executorch/kernels.cpp.
const kernels::KernelRegistry& ownKernels() {
    static const executor::Plugin plugin = [] {
        auto loaded = executor::Plugin::load(ET_EXECUTORCH_KERNELS);
        EXPECT_TRUE(loaded) << errorText(loaded);
        return std::move(*loaded);
    }();
    static const kernels::KernelRegistry registry = [] {
        kernels::KernelRegistry made;
        made.add(plugin.kernels());
        return made;
    }();
    return registry;
}

TEST(ExecutorchPlugin, TellsSignaturesOfTypedFunctions) {
    const auto* const scale = ownKernels().find("own::scale.out");
    ASSERT_NE(scale, nullptr);
    EXPECT_EQ(scale->kernel.arguments, 4u);
    EXPECT_EQ(scale->kernel.written, 8u);
    EXPECT_EQ(ownKernels().find("own::halves.out")->kernel.written, 6u);
    EXPECT_EQ(ownKernels().find("own::generated.out")->kernel.arguments, 0u);
}

TEST(ExecutorchPlugin, RunsKernelOfTypedFunction) {
    ProgramBuilder program;
    MethodBuilder& forward = program.method("forward");
    const auto x = forward.input({.sizes = {3}});
    const auto y = forward.intermediate({.sizes = {3}});
    const auto z = forward.intermediate({.sizes = {3}});
    forward.call("own::scale.out", {x, 2.5, forward.constant<float>({.sizes = {1}}, Floats{1})}, {y});
    forward.call("own::scale.out", {y, 2, forward.none()}, {z});
    forward.output(z);
    LoadedProgram loaded(program, {}, ownKernels());
    auto& method = loaded.method();
    for (const float factor : {1.0F, 2.0F}) {
        const Floats numbers{factor, 2 * factor, -factor};
        ASSERT_TRUE(method.setInput(0, floats({3}, numbers)));
        ASSERT_EQ(errorText(method.execute()), "");
        EXPECT_THAT(outputFloats(method), ElementsAre(5 * factor + 2, 10 * factor + 2, -5 * factor + 2));
    }
}

TEST(ExecutorchPlugin, PassesListsAndText) {
    ProgramBuilder program;
    MethodBuilder& forward = program.method("forward");
    const auto x = forward.input({.sizes = {1}});
    const auto y = forward.intermediate({.sizes = {1}});
    const std::array<std::int64_t, 2> integers{10, 20};
    forward.call("own::lists.out",
                 {forward.tensors({x, x}), forward.integers(integers), forward.reals({0.5}),
                  forward.boolean(true), forward.text("four")},
                 {y});
    forward.output(y);
    LoadedProgram loaded(program, {}, ownKernels());
    auto& method = loaded.method();
    const Floats numbers{100};
    ASSERT_TRUE(method.setInput(0, floats({1}, numbers)));
    ASSERT_EQ(errorText(method.execute()), "");
    EXPECT_THAT(outputFloats(method), ElementsAre(235.5F));
}

TEST(ExecutorchPlugin, RunsKernelsWithoutContextAndWithUtilities) {
    ProgramBuilder program;
    MethodBuilder& forward = program.method("forward");
    const auto x = forward.input({.sizes = {2, 3}});
    const auto row = forward.constant<float>({.sizes = {3}}, Floats{1, 2, 3});
    const auto sum = forward.intermediate({.sizes = {2}});
    const auto low = forward.intermediate({.sizes = {3}});
    const auto high = forward.intermediate({.sizes = {3}});
    forward.call("own::add_sum.out", {x, row, 1}, {sum});
    forward.call("own::halves.out", {x}, {low, high});
    forward.output(sum);
    forward.output(high);
    LoadedProgram loaded(program, {}, ownKernels());
    auto& method = loaded.method();
    const Floats numbers{1, 2, 3, 4, 5, 6};
    ASSERT_TRUE(method.setInput(0, floats({2, 3}, numbers)));
    ASSERT_EQ(errorText(method.execute()), "");
    EXPECT_THAT(outputFloats(method, 0), ElementsAre(12, 21));
    EXPECT_THAT(outputFloats(method, 1), ElementsAre(4, 5, 6));
}

TEST(ExecutorchPlugin, RunsGeneratedKernels) {
    ProgramBuilder program;
    MethodBuilder& forward = program.method("forward");
    const auto x = forward.input({.sizes = {2}});
    const auto y = forward.intermediate({.sizes = {2}});
    const auto z = forward.intermediate({.sizes = {2}});
    const auto count = forward.integer(0);
    forward.call("own::generated.out", {x, 3}, {y});
    forward.call("own::special.out", {y}, {z});
    forward.callFunction("own::size.Scalar", {x}, count);
    forward.output(y);
    forward.output(z);
    forward.output(count);
    LoadedProgram loaded(program, {}, ownKernels());
    auto& method = loaded.method();
    const Floats numbers{1, 2};
    ASSERT_TRUE(method.setInput(0, floats({2}, numbers)));
    ASSERT_EQ(errorText(method.execute()), "");
    EXPECT_THAT(outputFloats(method, 0), ElementsAre(3, 6));
    EXPECT_EQ(outputFloats(method, 1)[0], 6);
    EXPECT_EQ(outputNumber<std::int64_t>(method, 2), 2);
}

/// Builds a program of one call, runs it on a tensor of three ones, and returns its error.
std::string errorOfCall(std::string_view name, const std::vector<builder::Argument>& more,
                        core::ScalarType dtype = core::ScalarType::Float, std::int64_t outSize = 3) {
    ProgramBuilder program;
    MethodBuilder& forward = program.method("forward");
    const auto x = forward.input({.sizes = {3}});
    const auto y = forward.intermediate({.dtype = dtype, .sizes = {outSize}});
    std::vector<builder::Argument> arguments{x};
    arguments.insert(arguments.end(), more.begin(), more.end());
    forward.call(name, arguments, {y});
    forward.output(y);
    LoadedProgram loaded(program, {}, ownKernels());
    auto& method = loaded.method();
    const Floats ones{1, 1, 1};
    EXPECT_TRUE(method.setInput(0, floats({3}, ones)));
    return errorText(method.execute());
}

TEST(ExecutorchPlugin, ReportsFailedChecksWithTheInstruction) {
    EXPECT_THAT(errorOfCall("own::generated.out", {2}, core::ScalarType::Double),
                testing::AllOf(HasSubstr("instructions[0] (own::generated.out)"),
                               HasSubstr("in dtype: Float and Double")));
    EXPECT_THAT(errorOfCall("own::generated.out", {2}, core::ScalarType::Float, 4),
                HasSubstr("out has another shape"));
    // Ends a call on a thread of the pool.
    EXPECT_THAT(errorOfCall("own::generated.out", {13}), HasSubstr("13 is unlucky"));
    // Arguments of another number and kind.
    EXPECT_THAT(errorOfCall("own::generated.out", {}), HasSubstr("expected a value of kind"));
    EXPECT_THAT(errorOfCall("own::scale.out", {}), HasSubstr("expected 4 arguments, got 3"));
    EXPECT_THAT(errorOfCall("own::special.out", {}, core::ScalarType::Double),
                HasSubstr("no kernel for these dtypes"));
}

class ExecutorchBackend : public testing::Test {
  protected:
    void SetUp() override {
        auto loaded = executor::Plugin::load(ET_EXECUTORCH_BACKEND);
        ASSERT_TRUE(loaded) << errorText(loaded);
        plugin.emplace(std::move(*loaded));
    }

    /// A program with one delegate that has this payload.
    void build(const std::vector<float>& payload, std::string_view key) {
        const float offset = 0.25F;
        program.addNamedData("offset", std::as_bytes(std::span(&offset, 1)));
        MethodBuilder& forward = program.method("forward");
        const auto x = forward.input({.sizes = {2}});
        const auto y = forward.intermediate({.sizes = {2}});
        const auto delegate = forward.delegate("ScalingBackend", std::as_bytes(std::span(payload)), true,
                                               {{.key = "offset", .value = std::as_bytes(std::span(key))}});
        forward.callDelegate(delegate, {x, y});
        forward.output(y);
    }

    std::optional<executor::Plugin> plugin;
    ProgramBuilder program;
};

TEST_F(ExecutorchBackend, RunsDelegatedProgram) {
    build({3}, "offset");
    LoadedProgram loaded(program);
    loaded.environment.backends = plugin->backends();
    auto& method = loaded.method();
    const Floats numbers{1, -2};
    ASSERT_TRUE(method.setInput(0, floats({2}, numbers)));
    ASSERT_EQ(errorText(method.execute()), "");
    EXPECT_THAT(outputFloats(method), ElementsAre(3.25F, -5.75F));
}

TEST_F(ExecutorchBackend, ReportsErrorsOfInit) {
    build({3, 4}, "offset");
    LoadedProgram loaded(program);
    loaded.environment.backends = plugin->backends();
    EXPECT_THAT(errorText(loaded.load()), HasSubstr("expected a payload of 4 bytes, got 8"));
}

TEST_F(ExecutorchBackend, ReportsMissingNamedData) {
    build({3}, "another");
    LoadedProgram loaded(program);
    loaded.environment.backends = plugin->backends();
    EXPECT_THAT(errorText(loaded.load()), HasSubstr("no data named \"another\""));
}

}  // namespace
}  // namespace et::test
