// Tests that fused instructions give bit-identical results to separate execution.
#include "runtime/kernels/builtin.h"
#include "tests/executor/fusion_listeners.h"
#include "tests/kernels/every_target.h"

#include <fmt/format.h>
#include <gmock/gmock.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>

namespace et::test {
namespace {

using builder::Ints;
using builder::MethodBuilder;
using builder::PlanStrategy;
using builder::ProgramBuilder;
using program::ValueId;

constexpr float infinity = std::numeric_limits<float>::infinity();

/// An image convolution and the instructions after it.
struct Chain {
    std::string name;
    Ints input;  ///< [N, C, H, W]
    std::int64_t outputs = 8;
    Ints kernel = {3, 3};
    std::int64_t stride = 1;
    std::int64_t padding = 1;
    std::int64_t groups = 1;
    bool bias = false;
    bool norm = true;
    std::string activation = "aten::hardtanh.out";  ///< empty: none
    program::ShapeDynamism dynamism = program::ShapeDynamism::Static;
    PlanStrategy plan = PlanStrategy::Naive;

    [[nodiscard]] Ints outputSizes() const {
        const auto size = [&](std::size_t dim) {
            return (input[dim] + 2 * padding - kernel[dim - 2]) / stride + 1;
        };
        return {input[0], outputs, size(2), size(3)};
    }
};

/// Values of a chain's program used by tests.
struct Built {
    ProgramBuilder program;
    MethodBuilder& method = program.method("forward");
    ValueId input;
    ValueId convolved;
    ValueId normed;
    ValueId result;
};

ValueId addNorm(MethodBuilder& method, const Chain& chain, ValueId from) {
    const auto channels = static_cast<std::size_t>(chain.outputs);
    const Ints sizes{chain.outputs};
    const ValueId weight = constantOf(method, sizes, randomFloats(channels, 3));
    const ValueId bias = constantOf(method, sizes, randomFloats(channels, 4));
    const ValueId mean = constantOf(method, sizes, randomFloats(channels, 5));
    const ValueId variance = constantOf(method, sizes, randomFloats(channels, 6, 0.1F, 3));
    const ValueId normed = method.intermediate({.sizes = chain.outputSizes(), .dynamism = chain.dynamism});
    const ValueId saveMean = method.intermediate({.sizes = {0}});
    const ValueId saveRoot = method.intermediate({.sizes = {0}});
    method.call("aten::_native_batch_norm_legit_no_training.out",
                {from, weight, bias, mean, variance, 0.1, 1e-5}, {normed, saveMean, saveRoot});
    return normed;
}

ValueId addActivation(MethodBuilder& method, const Chain& chain, ValueId from) {
    const ValueId out = method.intermediate({.sizes = chain.outputSizes(), .dynamism = chain.dynamism});
    if (chain.activation == "aten::relu.out") {
        method.call(chain.activation, {from}, {out});
    } else if (chain.activation == "aten::clamp.out") {
        method.call(chain.activation, {from, -0.5, nullptr}, {out});
    } else {
        method.call(chain.activation, {from, 0, 6}, {out});
    }
    return out;
}

std::unique_ptr<Built> build(const Chain& chain) {
    auto built = std::make_unique<Built>();
    MethodBuilder& method = built->method;
    method.setPlanStrategy(chain.plan);
    const ValueId input = method.input({.sizes = chain.input, .dynamism = chain.dynamism});
    built->input = input;
    const Ints weights{chain.outputs, chain.input[1] / chain.groups, chain.kernel[0], chain.kernel[1]};
    const ValueId weight = constantOf(method, weights, randomFloats(elementsOf(weights), 1));
    const ValueId bias = chain.bias ? constantOf(method, {chain.outputs},
                                                 randomFloats(static_cast<std::size_t>(chain.outputs), 2))
                                    : method.none();
    built->convolved = method.intermediate({.sizes = chain.outputSizes(), .dynamism = chain.dynamism});
    method.call("aten::convolution.out",
                {input, weight, bias, Ints{chain.stride, chain.stride}, Ints{chain.padding, chain.padding},
                 Ints{1, 1}, false, Ints{0, 0}, chain.groups},
                {built->convolved});
    built->normed = chain.norm ? addNorm(method, chain, built->convolved) : built->convolved;
    built->result = chain.activation.empty() ? built->normed : addActivation(method, chain, built->normed);
    method.output(built->result);
    return built;
}

/// Compares fused and separate execution; returns the number of fused instructions.
std::uint64_t compare(const Chain& chain, std::size_t threads = 1) {
    const auto built = build(chain);
    LoadedProgram loaded(built->program, {}, kernels::builtin());
    loaded.threads = kernels::ThreadPool(threads);
    executor::Method& method = loaded.method();
    std::uint64_t fused = 0;
    std::vector<Ints> shapes{chain.input};
    if (chain.dynamism == program::ShapeDynamism::Bounded) {
        Ints smaller = chain.input;
        smaller[2] -= 3;
        smaller[3] -= 5;
        shapes.push_back(smaller);
        shapes.push_back(chain.input);
    }
    for (const Ints& sizes : shapes) {
        const Floats input = randomFloats(elementsOf(sizes), 7);
        method.setTracer(nullptr);
        const Floats together = runOnce(method, sizes, input);
        Listener each;
        method.setTracer(&each);
        const Floats apart = runOnce(method, sizes, input);
        EXPECT_EQ(each.fused(), 0U);
        EXPECT_TRUE(sameBits(together, apart)) << chain.name << core::sizesText(sizes);
        FusedListener timed;
        method.setTracer(&timed);
        EXPECT_TRUE(sameBits(runOnce(method, sizes, input), apart)) << chain.name;
        fused = std::max(fused, timed.fused());
        method.setTracer(nullptr);
    }
    return fused;
}

const std::vector<Chain>& chains() {
    static const std::vector<Chain> all{
        {.name = "3x3", .input = {1, 8, 20, 20}, .outputs = 16},
        {.name = "3x3 small", .input = {1, 8, 5, 5}, .outputs = 16},
        {.name = "3x3 bias", .input = {2, 5, 17, 13}, .outputs = 7, .bias = true},
        {.name = "stride 2", .input = {1, 3, 64, 64}, .outputs = 32, .stride = 2},
        {.name = "pointwise", .input = {1, 16, 28, 28}, .outputs = 96, .kernel = {1, 1}, .padding = 0},
        {.name = "pointwise odd", .input = {3, 7, 13, 11}, .outputs = 71, .kernel = {1, 1}, .padding = 0},
        {.name = "pointwise groups",
         .input = {2, 8, 14, 14},
         .outputs = 32,
         .kernel = {1, 1},
         .padding = 0,
         .groups = 2},
        {.name = "pointwise small", .input = {1, 32, 7, 7}, .outputs = 40, .kernel = {1, 1}, .padding = 0},
        {.name = "one pixel", .input = {2, 32, 1, 1}, .outputs = 40, .kernel = {1, 1}, .padding = 0},
        {.name = "depthwise", .input = {1, 24, 28, 28}, .outputs = 24, .groups = 24},
        {.name = "depthwise stride 2", .input = {2, 6, 31, 29}, .outputs = 12, .stride = 2, .groups = 6},
        {.name = "depthwise small", .input = {1, 24, 7, 7}, .outputs = 24, .groups = 24},
        {.name = "groups", .input = {1, 12, 16, 16}, .outputs = 6, .groups = 3},
        {.name = "few outputs", .input = {1, 4, 16, 16}, .outputs = 2, .groups = 2},
        {.name = "relu", .input = {1, 8, 20, 20}, .outputs = 16, .activation = "aten::relu.out"},
        {.name = "clamp", .input = {1, 8, 20, 20}, .outputs = 16, .activation = "aten::clamp.out"},
        {.name = "no norm", .input = {1, 8, 20, 20}, .outputs = 16, .norm = false},
        {.name = "norm alone", .input = {1, 8, 20, 20}, .outputs = 16, .activation = ""},
        {.name = "dynamic",
         .input = {2, 8, 20, 24},
         .outputs = 16,
         .dynamism = program::ShapeDynamism::Bounded},
        {.name = "dynamic depthwise",
         .input = {2, 8, 20, 24},
         .groups = 8,
         .dynamism = program::ShapeDynamism::Bounded},
    };
    return all;
}

TEST(Fusion, MatchesUnfusedBitForBit) {
    onEveryTarget([] {
        for (Chain chain : chains()) {
            const std::uint64_t length = 1U + (chain.norm ? 1U : 0U) + (chain.activation.empty() ? 0U : 1U);
            EXPECT_EQ(compare(chain), length) << chain.name;
            EXPECT_EQ(compare(chain, 2), length) << chain.name;
            // With shared memory the last result may overlap an input, and fewer are fused.
            chain.plan = PlanStrategy::Greedy;
            EXPECT_LE(compare(chain), length) << chain.name;
        }
    });
}

TEST(Fusion, KeepsNotANumberAndInfinity) {
    const Chain chain{.name = "specials", .input = {1, 1, 12, 12}, .outputs = 4};
    const auto built = build(chain);
    LoadedProgram loaded(built->program, {}, kernels::builtin());
    executor::Method& method = loaded.method();
    Floats input = randomFloats(144, 1);
    input[5] = std::numeric_limits<float>::quiet_NaN();
    input[60] = infinity;
    input[100] = -infinity;
    const Floats together = runOnce(method, chain.input, input);
    Listener each;
    method.setTracer(&each);
    EXPECT_TRUE(sameBits(together, runOnce(method, chain.input, input)));
    EXPECT_TRUE(std::ranges::any_of(together, [](float x) { return std::isnan(x); }));
}

TEST(Fusion, DoesNotWriteIntermediateValues) {
    const auto built = build({.name = "", .input = {1, 8, 20, 20}});
    LoadedProgram loaded(built->program, {}, kernels::builtin());
    executor::Method& method = loaded.method();
    runOnce(method, {1, 8, 20, 20}, randomFloats(3200, 1));
    const auto* const between = method.value(built->convolved).as<core::Tensor>();
    EXPECT_THAT(std::span(between->data<float>(), 3200), testing::Each(0.0F));
    FusedListener each(core::DebugLevel::Intermediates);
    method.setTracer(&each);
    runOnce(method, {1, 8, 20, 20}, randomFloats(3200, 1));
    EXPECT_THAT(std::span(between->data<float>(), 3200), testing::Contains(testing::Ne(0.0F)));
}

/// Checks that every instruction has both events, in order, and that fused ones are contiguous.
TEST(Fusion, TracesEveryInstruction) {
    const auto built = build({.name = "", .input = {1, 8, 40, 40}, .outputs = 32});
    LoadedProgram loaded(built->program, {}, kernels::builtin());
    executor::Method& method = loaded.method();
    const Floats input = randomFloats(elementsOf({1, 8, 40, 40}), 1);
    FusedListener fused;
    method.setTracer(&fused);
    runOnce(method, {1, 8, 40, 40}, input);
    EXPECT_EQ(fused.fused(), 3U);
    Listener apart;
    method.setTracer(&apart);
    runOnce(method, {1, 8, 40, 40}, input);
    ASSERT_EQ(fused.events.size(), apart.events.size());
    for (std::size_t i = 0; i < fused.events.size(); ++i) {
        EXPECT_EQ(fused.events[i].name, apart.events[i].name);
        EXPECT_EQ(fused.events[i].instruction, apart.events[i].instruction);
        EXPECT_LE(fused.events[i].start, fused.events[i].end);
    }
    ASSERT_EQ(fused.events.size(), 7U);  // two per instruction, and the execution
    for (const std::size_t i : {2U, 4U}) {
        EXPECT_EQ(fused.events[i].start, fused.events[i - 1].end);
    }
    EXPECT_GT(fused.events[4].end, fused.events[4].start);
    EXPECT_EQ(method.executedInstructions(), 3U);
}

/// A second reader, a view in the same memory, or an output: the intermediate result is needed.
TEST(Fusion, KeepsValuesReadElsewhere) {
    const Ints sizes{1, 4, 12, 12};
    const auto make = [&](const auto& more) {
        ProgramBuilder program;
        MethodBuilder& method = program.method("forward");
        method.setPlanStrategy(PlanStrategy::Naive);
        const ValueId input = method.input({.sizes = sizes});
        const ValueId weight = constantOf(method, {4, 4, 1, 1}, randomFloats(16, 1));
        const ValueId convolved = method.intermediate({.sizes = sizes});
        const ValueId result = method.intermediate({.sizes = sizes});
        method.call("aten::convolution.out",
                    {input, weight, nullptr, Ints{1, 1}, Ints{0, 0}, Ints{1, 1}, false, Ints{0, 0}, 1},
                    {convolved});
        method.call("aten::relu.out", {convolved}, {result});
        more(method, convolved);
        method.output(result);
        LoadedProgram loaded(program, {}, kernels::builtin());
        executor::Method& loadedMethod = loaded.method();
        FusedListener listener;
        loadedMethod.setTracer(&listener);
        runOnce(loadedMethod, sizes, randomFloats(elementsOf(sizes), 2));
        const std::uint64_t fused = listener.fused();
        std::vector<Floats> together;
        for (std::size_t i = 0; i < loadedMethod.outputCount(); ++i) {
            together.push_back(outputFloats(loadedMethod, i));
        }
        Listener each;
        loadedMethod.setTracer(&each);
        runOnce(loadedMethod, sizes, randomFloats(elementsOf(sizes), 2));
        for (std::size_t i = 0; i < loadedMethod.outputCount(); ++i) {
            EXPECT_TRUE(sameBits(together[i], outputFloats(loadedMethod, i)));
        }
        return fused;
    };
    EXPECT_EQ(make([](MethodBuilder&, ValueId) {}), 2U);
    EXPECT_EQ(make([](MethodBuilder& method, ValueId convolved) { method.output(convolved); }), 0U);
    EXPECT_EQ(make([&](MethodBuilder& method, ValueId convolved) {
                  const ValueId again = method.intermediate({.sizes = sizes});
                  method.call("aten::relu.out", {convolved}, {again});
                  method.output(again);
              }),
              0U);
    EXPECT_EQ(make([&](MethodBuilder& method, ValueId convolved) {
                  const ValueId view = method.alias(convolved, {.sizes = {576}});
                  const ValueId again = method.intermediate({.sizes = {576}});
                  method.call("aten::relu.out", {view}, {again});
                  method.output(again);
              }),
              0U);
}

/// The last result shares memory with the input: only instructions with other memory are fused.
TEST(Fusion, DoesNotOverwriteLiveValues) {
    Chain chain{.name = "over", .input = {1, 8, 20, 20}};
    const auto plain = build(chain);
    const auto built = build(chain);
    constexpr std::uint64_t beyond = 1 << 20;
    built->method.place(built->input, {.arena = program::ArenaId(1), .offset = beyond});
    built->method.place(built->result, {.arena = program::ArenaId(1), .offset = beyond});
    built->method.setArena(program::ArenaId(1), 2 * beyond);
    LoadedProgram loaded(built->program, {}, kernels::builtin());
    LoadedProgram expected(plain->program, {}, kernels::builtin());
    const Floats input = randomFloats(3200, 1);
    FusedListener listener;
    loaded.method().setTracer(&listener);
    const Floats over = runOnce(loaded.method(), chain.input, input);
    EXPECT_TRUE(sameBits(over, runOnce(expected.method(), chain.input, input)));
    EXPECT_EQ(listener.fused(), 2U);
}

TEST(Fusion, LeavesKernelsOfPluginsAlone) {
    static const std::array mine{kernels::KernelEntry{
        .name = "aten::relu.out", .kernel = kernels::builtin().find("aten::relu.out")->kernel}};
    kernels::KernelRegistry registry = kernels::builtin();
    registry.add(mine);
    const auto built = build({.name = "", .input = {1, 8, 12, 12}, .activation = "aten::relu.out"});
    LoadedProgram loaded(built->program, {}, registry);
    FusedListener listener;
    loaded.method().setTracer(&listener);
    runOnce(loaded.method(), {1, 8, 12, 12}, Floats(1152));
    EXPECT_EQ(listener.fused(), 2U);  // the convolution and its norm
}

TEST(Fusion, StopsAtTheLimitOfInstructions) {
    const auto built = build({.name = "", .input = {1, 8, 12, 12}});
    LoadedProgram loaded(built->program, {.instructions = 2}, kernels::builtin());
    executor::Method& method = loaded.method();
    ASSERT_EQ(errorText(method.setInput(0, floats({1, 8, 12, 12}, Floats(1152)))), "");
    EXPECT_THAT(errorText(method.execute()), testing::HasSubstr("instructions[2]"));
    EXPECT_EQ(method.executedInstructions(), 2U);
}

}  // namespace
}  // namespace et::test
