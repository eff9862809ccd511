#include "runtime/builder/tensor_data_writer.h"
#include "runtime/executor/method.h"
#include "runtime/executor/plugin.h"
#include "tests/executor/run_program.h"

#include <gmock/gmock.h>

#include <filesystem>
#include <fstream>

namespace et::test {
namespace {

using builder::MethodBuilder;
using builder::ProgramBuilder;
using testing::ElementsAre;
using testing::HasSubstr;

/// A method that adds `factor` times one to the state in arena 2 and returns it.
void buildCounter(ProgramBuilder& program, std::string_view name, std::int64_t factor) {
    MethodBuilder& method = program.method(name);
    const std::array hundred{100.0F};
    const auto one = method.constant<float>({.sizes = {1}}, Floats{1});
    const auto state =
        method.state({.sizes = {1}, .arena = program::ArenaId(2)}, std::as_bytes(std::span(hundred)));
    method.call("test::plus.out", {state, one, factor}, {state});
    method.output(state);
}

TEST(ModuleTest, StateStaysBetweenExecutions) {
    ProgramBuilder program;
    buildCounter(program, "forward", 1);
    LoadedProgram loaded(program);
    auto& method = loaded.method();
    for (const float expected : {101.0F, 102.0F, 103.0F}) {
        ASSERT_EQ(errorText(method.execute()), "");
        EXPECT_THAT(outputFloats(method), ElementsAre(expected));
    }
}

TEST(ModuleTest, MethodsShareTheArenasBehindTheFirst) {
    ProgramBuilder program;
    buildCounter(program, "one", 1);
    buildCounter(program, "ten", 10);
    LoadedProgram loaded(program);
    auto& one = loaded.method("one");
    ASSERT_TRUE(one.execute());
    // Loading the second method does not reset the state.
    auto& ten = loaded.method("ten");
    ASSERT_TRUE(ten.execute());
    EXPECT_THAT(outputFloats(ten), ElementsAre(111));
    ASSERT_TRUE(one.execute());
    EXPECT_THAT(outputFloats(one), ElementsAre(112));
}

TEST(ModuleTest, UnknownMethodsAreNamedWithTheKnownOnes) {
    ProgramBuilder program;
    buildCounter(program, "one", 1);
    buildCounter(program, "ten", 10);
    LoadedProgram loaded(program);
    EXPECT_EQ(errorText(loaded.load("two")), "built.pte: no method \"two\"; available: one, ten");
}

TEST(ModuleTest, AllMissingOperatorsAreNamed) {
    ProgramBuilder program;
    MethodBuilder& forward = program.method("forward");
    const auto x = forward.intermediate({.sizes = {1}});
    forward.call("mine::b.out", {x}, {x});
    forward.call("mine::a.out", {x}, {x});
    LoadedProgram loaded(program);
    EXPECT_EQ(errorText(loaded.load()),
              "built.pte: forward: no kernel for operators mine::a.out, mine::b.out: load a plugin that "
              "provides them "
              "(--plugin)");
}

TEST(ModuleTest, MissingBackendsAreNamed) {
    ProgramBuilder program;
    MethodBuilder& forward = program.method("forward");
    const std::array payload{std::byte{1}};
    forward.callDelegate(forward.delegate("NobodyBackend", payload), {});
    LoadedProgram loaded(program);
    EXPECT_EQ(errorText(loaded.load()),
              "built.pte: forward: delegates[0]: no backend NobodyBackend, which the program is delegated "
              "to: pass the ETRecord to emulate it (--etrecord), or a plugin that provides it (--plugin); "
              "available backends are: none");
}

TEST(ModuleTest, PlannedMemoryIsLimited) {
    ProgramBuilder program;
    MethodBuilder& forward = program.method("forward");
    forward.output(forward.intermediate({.sizes = {1000}}));
    LoadedProgram loaded(program, {.memoryBytes = 3999});
    EXPECT_THAT(errorText(loaded.load()),
                HasSubstr("expected a memory need of at most 3999 bytes, got 4000"));
}

TEST(ModuleTest, MisalignedPlacesAreErrors) {
    ProgramBuilder program;
    MethodBuilder& forward = program.method("forward");
    const auto x = forward.intermediate({.sizes = {2}});
    forward.place(x, {.arena = program::ArenaId(1), .offset = 6});
    forward.output(x);
    LoadedProgram loaded(program);
    EXPECT_EQ(errorText(loaded.load()),
              "built.pte: forward: values[0]: expected an offset for float32 that is a multiple of 4, got 6");
}

std::shared_ptr<const program::TensorData> tensorData(const Floats& weight) {
    const program::TensorDataEntry entry{
        .name = "weight",
        .segment = {},
        .data = std::as_bytes(std::span(weight)),
        .layout =
            program::TensorLayout{.scalarType = 6,
                                  .sizes = {static_cast<std::int64_t>(weight.size())},
                                  .dimOrder = {0},
                                  .byteSize = static_cast<std::int64_t>(weight.size() * sizeof(float))}};
    auto bytes = builder::writeTensorData(std::array{entry});
    EXPECT_TRUE(bytes);
    auto parsed = program::TensorData::parse(core::MappedFile::fromMemory(std::move(*bytes), "weights.ptd"));
    EXPECT_TRUE(parsed) << errorText(parsed);
    return *parsed;
}

void buildExternal(ProgramBuilder& program) {
    MethodBuilder& forward = program.method("forward");
    const auto weight = forward.external({.sizes = {2}}, "weight");
    const auto y = forward.intermediate({.sizes = {2}});
    forward.call("test::plus.out", {weight, weight, 1}, {y});
    forward.output(y);
}

TEST(ModuleTest, TensorDataIsFoundByName) {
    ProgramBuilder program;
    buildExternal(program);
    LoadedProgram loaded(program);
    const std::array files{tensorData({3, 4})};
    loaded.environment.tensorData = files;
    auto& method = loaded.method();
    ASSERT_EQ(errorText(method.execute()), "");
    EXPECT_THAT(outputFloats(method), ElementsAre(6, 8));
}

TEST(ModuleTest, MissingTensorDataIsNamed) {
    ProgramBuilder program;
    buildExternal(program);
    LoadedProgram loaded(program);
    EXPECT_EQ(errorText(loaded.load()),
              "built.pte: forward: values[0]: no tensor data contains \"weight\", float32 [2]: pass the .ptd "
              "file that does "
              "(--data)");
}

TEST(ModuleTest, TensorDataOfAnotherShapeIsAnError) {
    ProgramBuilder program;
    buildExternal(program);
    LoadedProgram loaded(program);
    const std::array files{tensorData({3, 4, 5})};
    loaded.environment.tensorData = files;
    EXPECT_EQ(errorText(loaded.load()),
              "weights.ptd: forward: values[0]: \"weight\": the program expects float32 [2] in 8 bytes, got "
              "float32 [3] in "
              "12 bytes");
}

TEST(PluginTest, OperatorsOfAPluginRun) {
    auto plugin = executor::Plugin::load(ET_PLUGIN_PATH);
    ASSERT_TRUE(plugin) << errorText(plugin);
    kernels::KernelRegistry registry;
    registry.add(plugin->kernels());

    ProgramBuilder program;
    MethodBuilder& forward = program.method("forward");
    const auto x = forward.input({.sizes = {3}});
    const auto y = forward.intermediate({.sizes = {3}});
    forward.call("my::relu6.out", {x}, {y});
    forward.output(y);
    LoadedProgram loaded(program, {}, registry);
    auto& method = loaded.method();
    const Floats x1{-1, 3, 9};
    ASSERT_TRUE(method.setInput(0, floats({3}, x1)));
    ASSERT_EQ(errorText(method.execute()), "");
    EXPECT_THAT(outputFloats(method), ElementsAre(0, 3, 6));
}

TEST(PluginTest, OtherFilesAreNoPlugins) {
    const auto folder = std::filesystem::path(testing::TempDir());
    EXPECT_FALSE(executor::Plugin::load(folder / "no-such-plugin.so"));
    const auto text = folder / "text.so";
    std::ofstream(text) << "no library";
    EXPECT_FALSE(executor::Plugin::load(text));
    const auto other = executor::Plugin::load("/lib64/ld-linux-x86-64.so.2");
    EXPECT_FALSE(other);
}

}  // namespace
}  // namespace et::test
