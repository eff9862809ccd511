// Tests of diffPrograms() on made-up programs with one change each.
#include "inspector/program_diff/program_diff.h"

#include "inspector/format/json_text.h"
#include "inspector/program_diff/program_diff_report.h"
#include "runtime/builder/program_builder.h"
#include "tests/inspector/toy_backend/toy_backend.h"
#include "tests/support/parse_bytes.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <array>
#include <functional>
#include <optional>
#include <string>

namespace et::inspector {
namespace {

using builder::Ints;
using builder::MethodBuilder;
using builder::ProgramBuilder;
using core::ScalarType;
using program::ValueId;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::SizeIs;

using Open = std::shared_ptr<const program::Program>;

/// Variations of a net.
struct NetSpec {
    std::size_t layers = 4;
    std::optional<std::size_t> reluAfter{};  ///< one more operator after this layer
    std::int64_t stride = 1;                 ///< of layer 1
    float weight = 0.5F;                     ///< element 0 of layer 1
    ScalarType dtype = ScalarType::Float;    ///< of the input
    std::size_t delegates = 1;  ///< the last step, split into this many delegates with an operator in between
    std::string payload = "payload";
    std::string backend = "SomeBackend";
    std::string spec = "fast";
    bool secondMethod = false;
    std::vector<std::size_t> unused{};  ///< unused integer values before the layers, which shift all indices
};

/// Builds convolution layers of one shape that differ only in their weights, then delegates.
void buildForward(MethodBuilder& forward, const NetSpec& spec) {
    for (std::size_t i = 0; i < spec.unused.size(); ++i) {
        static_cast<void>(forward.integer(static_cast<std::int64_t>(i)));
    }
    const Ints image{1, 2, 4, 4};
    ValueId last = forward.input({.dtype = spec.dtype, .sizes = image});
    for (std::size_t i = 0; i < spec.layers; ++i) {
        std::array<float, 4> weights{static_cast<float>(i), 1, 2, 3};
        weights[0] = i == 1 ? spec.weight : weights[0];
        const ValueId weight = forward.constant<float>({.sizes = {2, 2, 1, 1}}, weights);
        const ValueId out = forward.intermediate({.sizes = image});
        const std::int64_t stride = i == 1 ? spec.stride : 1;
        forward.call(
            "aten::convolution.out",
            {last, weight, nullptr, Ints{stride, stride}, Ints{0, 0}, Ints{1, 1}, false, Ints{0, 0}, 1},
            {out});
        last = out;
        if (spec.reluAfter == i) {
            const ValueId positive = forward.intermediate({.sizes = image});
            forward.call("aten::relu.out", {last}, {positive});
            last = positive;
        }
    }
    const auto value = std::as_bytes(std::span(spec.spec));
    for (std::size_t i = 0; i < spec.delegates; ++i) {
        if (i > 0) {
            const ValueId mean = forward.intermediate({.sizes = image});
            forward.call("aten::sigmoid.out", {last}, {mean});
            last = mean;
        }
        const ValueId out = forward.intermediate({.sizes = image});
        const auto delegate = forward.delegate(spec.backend, std::as_bytes(std::span(spec.payload)), true,
                                               {{.key = "mode", .value = value}});
        forward.callDelegate(delegate, {last, out});
        last = out;
    }
    forward.output(last);
}

Open net(const NetSpec& spec) {
    ProgramBuilder program;
    buildForward(program.method("forward"), spec);
    if (spec.secondMethod) {
        MethodBuilder& encode = program.method("encode");
        encode.output(encode.input({.sizes = {2}}));
    }
    const auto bytes = program.finish();
    EXPECT_TRUE(bytes) << bytes.error().toString();
    auto parsed = test::parseBytes<program::Program>(*bytes);
    EXPECT_TRUE(parsed) << parsed.error().toString();
    return *parsed;
}

ProgramDiff diff(const NetSpec& before, const NetSpec& after) {
    const Open left = net(before);
    const Open right = net(after);
    const auto made = diffPrograms({.program = *left, .name = "a.pte"}, {.program = *right, .name = "b.pte"});
    EXPECT_TRUE(made) << made.error().toString();
    return *made;
}

const MethodDiff& forward(const ProgramDiff& diff) {
    return *diff.findMethod("forward");
}

std::vector<std::string> changedSteps(const MethodDiff& method) {
    std::vector<std::string> names;
    for (const StepDiff& step : method.steps) {
        if (step.differs()) {
            names.push_back(traits(step.change).sign + step.name);
        }
    }
    return names;
}

const StepDiff& firstChange(const MethodDiff& method) {
    return *std::ranges::find_if(method.steps, &StepDiff::differs);
}

TEST(ProgramDiffTest, FindsNothingInTheSameProgram) {
    const ProgramDiff same = diff({}, {});
    EXPECT_TRUE(same.same());
    EXPECT_TRUE(same.identical);
    EXPECT_EQ(forward(same).count(Change::Same), 5U);
}

TEST(ProgramDiffTest, IgnoresValueIds) {
    const ProgramDiff renumbered = diff({}, {.unused = {1, 2, 3}});
    EXPECT_TRUE(renumbered.same());
    EXPECT_FALSE(renumbered.identical);
}

TEST(ProgramDiffTest, AnInsertedOperatorIsOneAddition) {
    for (const std::size_t layer : {0U, 1U, 3U}) {
        const ProgramDiff found = diff({}, {.reluAfter = layer});
        EXPECT_THAT(changedSteps(forward(found)), ElementsAre("+aten::relu.out")) << layer;
        EXPECT_EQ(firstChange(forward(found)).after, layer + 1);
        EXPECT_EQ(forward(found).count(Change::Same), 5U);
        EXPECT_THAT(changedSteps(forward(diff({.reluAfter = layer}, {}))), ElementsAre("-aten::relu.out"));
    }
}

TEST(ProgramDiffTest, AnInsertedLayerIsFoundAmongLayersLikeIt) {
    // All layers have the same shape and are distinguished by their weights.
    const ProgramDiff found = diff({.layers = 3}, {.layers = 4});
    EXPECT_THAT(changedSteps(forward(found)), ElementsAre("+aten::convolution.out"));
    EXPECT_EQ(firstChange(forward(found)).after, 3U);
    EXPECT_THAT(forward(found).constants, IsEmpty());
}

TEST(ProgramDiffTest, NamesTheArgumentThatChanged) {
    const ProgramDiff found = diff({}, {.stride = 2});
    EXPECT_THAT(changedSteps(forward(found)), ElementsAre("~aten::convolution.out"));
    const StepDiff& step = firstChange(forward(found));
    ASSERT_THAT(step.attributes, SizeIs(1));
    EXPECT_EQ(step.attributes[0].name, "argument 3 (stride)");
    EXPECT_EQ(step.attributes[0].before, "[1, 1]");
    EXPECT_EQ(step.attributes[0].after, "[2, 2]");
}

TEST(ProgramDiffTest, MeasuresAChangedWeight) {
    const ProgramDiff found = diff({}, {.weight = 0.75F});
    EXPECT_THAT(changedSteps(forward(found)), ElementsAre("~aten::convolution.out"));
    ASSERT_THAT(forward(found).constants, SizeIs(1));
    const ConstantDiff& constant = forward(found).constants[0];
    EXPECT_EQ(constant.name, "aten::convolution.out #1, argument 1 (weight)");
    EXPECT_EQ(constant.type, "float32 [2, 2, 1, 1]");
    EXPECT_EQ(constant.elements, 4U);
    EXPECT_EQ(constant.different, 1U);
    EXPECT_EQ(constant.maxAbsoluteDifference, 0.25);
}

TEST(ProgramDiffTest, NamesTheDtypeOfAnInput) {
    const ProgramDiff found = diff({}, {.dtype = ScalarType::Half});
    ASSERT_THAT(forward(found).inputs, SizeIs(1));
    const SlotDiff& input = forward(found).inputs[0];
    EXPECT_EQ(input.change, Change::Changed);
    EXPECT_EQ(input.before, "float32 [1, 2, 4, 4]");
    EXPECT_EQ(input.after, "float16 [1, 2, 4, 4]");
    EXPECT_EQ(input.attributes.at(0).name, "dtype");
    EXPECT_THAT(changedSteps(forward(found)), IsEmpty()) << "no instruction says what its inputs are";
}

TEST(ProgramDiffTest, NamesTheOperatorThatSplitsADelegate) {
    const ProgramDiff found = diff({}, {.delegates = 2});
    EXPECT_THAT(changedSteps(forward(found)), ElementsAre("+aten::sigmoid.out", "+SomeBackend"));
    ASSERT_THAT(forward(found).partitions, SizeIs(1));
    const PartitionDiff& partition = forward(found).partitions[0];
    EXPECT_EQ(partition.calls, (BeforeAfter<std::uint64_t>{1, 2}));
    ASSERT_THAT(partition.between, SizeIs(1));
    EXPECT_EQ(partition.between[0].name, "aten::sigmoid.out");
    EXPECT_EQ(partition.between[0].count, (BeforeAfter<std::uint64_t>{0, 1}));
    EXPECT_THAT(forward(found).delegates, SizeIs(2));
}

TEST(ProgramDiffTest, ComparesOpaquePayloadsByteByByte) {
    const ProgramDiff found = diff({}, {.payload = "another"});
    EXPECT_THAT(changedSteps(forward(found)), ElementsAre("~SomeBackend"));
    ASSERT_THAT(forward(found).delegates, SizeIs(1));
    EXPECT_FALSE(forward(found).delegates[0].payloadSame);
    EXPECT_FALSE(forward(found).delegates[0].described.before);
    EXPECT_EQ(firstChange(forward(found)).attributes.at(0).name, "payload");
}

// A feed-forward network and a sum at the same position are different delegates.
TEST(ProgramDiffTest, DelegatesThatShareNoKindOfNodeAreNotTheSame) {
    const std::array<const executor::Backend*, 1> backends{&test::toyBackend()};
    const auto changes = [&](const std::string& before, const std::string& after) {
        const Open left = net({.payload = before, .backend = "ToyBackend"});
        const Open right = net({.payload = after, .backend = "ToyBackend"});
        const auto made = diffPrograms({.program = *left}, {.program = *right}, {.backends = backends});
        EXPECT_TRUE(made) << made.error().toString();
        std::vector<Change> found;
        for (const DelegateDiff& each : forward(*made).delegates) {
            found.push_back(each.change);
        }
        return found;
    };
    EXPECT_THAT(changes("matmul 1\nmatmul 2\n", "plus 3\n"), ElementsAre(Change::Removed, Change::Added));
    EXPECT_THAT(changes("matmul 1\nplus 2\n", "plus 3\n"), ElementsAre(Change::Changed));
    // Nodes that lowering adds to both do not make them more similar.
    EXPECT_THAT(changes("matmul 1\nshuffle 0\n", "shuffle 0\nplus 3\n"),
                ElementsAre(Change::Removed, Change::Added));
}

TEST(ProgramDiffTest, NamesACompileSpec) {
    const ProgramDiff found = diff({}, {.spec = "slow"});
    const StepDiff& step = firstChange(forward(found));
    EXPECT_EQ(step.attributes.at(0).name, "compile spec mode");
    EXPECT_EQ(step.attributes.at(0).before, "fast");
    EXPECT_EQ(step.attributes.at(0).after, "slow");
}

TEST(ProgramDiffTest, CountsMethodsOperatorsAndMemory) {
    const ProgramDiff found = diff({}, {.reluAfter = 1, .secondMethod = true});
    ASSERT_NE(found.findMethod("encode"), nullptr);
    EXPECT_EQ(found.findMethod("encode")->change, Change::Added);
    const auto relu = std::ranges::find(forward(found).operators, "aten::relu.out", &CountDiff::name);
    ASSERT_NE(relu, forward(found).operators.end());
    EXPECT_EQ(relu->count, (BeforeAfter<std::uint64_t>{0, 1}));
    ASSERT_THAT(forward(found).arenas, SizeIs(1));
    EXPECT_EQ(forward(found).arenas[0].id, 1U);
    EXPECT_EQ(forward(found).plannedBytes.after, forward(found).arenas[0].bytes.after);
    EXPECT_EQ(diff({.secondMethod = true}, {}).findMethod("encode")->change, Change::Removed);
}

TEST(ProgramDiffTest, StaysExactOnLongNets) {
    // Nine million pairs of steps, too many to compare individually.
    const ProgramDiff found = diff({.layers = 3000}, {.layers = 3000, .reluAfter = 1500});
    EXPECT_THAT(changedSteps(forward(found)), ElementsAre("+aten::relu.out"));
}

TEST(ProgramDiffTest, ReportsChangedNamedData) {
    const auto withData = [](std::string_view key, std::string_view text) {
        ProgramBuilder program;
        MethodBuilder& method = program.method("forward");
        method.output(method.input({.sizes = {2}}));
        program.addNamedData(key, std::as_bytes(std::span(text)));
        program.addNamedData("same", std::as_bytes(std::span(text.substr(0, 1))));
        return *test::parseBytes<program::Program>(*program.finish());
    };
    const Open left = withData("weight", "xaaa");
    const Open right = withData("weight", "xaab");
    const auto found = diffPrograms({.program = *left}, {.program = *right});
    ASSERT_TRUE(found);
    ASSERT_THAT(found->namedData, SizeIs(1));
    EXPECT_EQ(found->namedData[0].name, "weight");
    EXPECT_EQ(found->namedData[0].change, Change::Changed);
    EXPECT_FALSE(found->same());
}

TEST(ProgramDiffTest, SumsUpNamedDataOfManyNames) {
    ProgramDiff found;
    for (int i = 0; i < 6; ++i) {
        found.namedData.push_back({.change = i < 2 ? Change::Added : Change::Changed,
                                   .name = "5e3f" + std::to_string(i),
                                   .bytes = {.before = i < 2 ? 0U : 10U, .after = 12}});
    }
    const std::string text = inspector::programDiffText(found, false, {});
    EXPECT_THAT(text, testing::AllOf(HasSubstr("4 names: 40 bytes -> 48 bytes"), HasSubstr("2 names"),
                                     testing::Not(HasSubstr("5e3f"))));
    EXPECT_THAT(inspector::programDiffText(found, true, {}), HasSubstr("5e3f5"));
}

TEST(ProgramDiffTest, RejectsUnknownMethod) {
    const Open program = net({});
    const auto found = diffPrograms({.program = *program}, {.program = *program}, {.method = "backward"});
    ASSERT_FALSE(found);
    EXPECT_EQ(found.error().code, core::ErrorCode::NotFound);
    EXPECT_THAT(found.error().message, HasSubstr("available: forward"));
}

TEST(ProgramDiffTest, PrintsOnlyChanges) {
    const ProgramDiff found = diff({}, {.reluAfter = 0, .stride = 2});
    const std::string text = inspector::programDiffText(found, false, {});
    EXPECT_THAT(text, HasSubstr("+ aten::relu.out #1\n"));
    EXPECT_THAT(
        text, HasSubstr("~ aten::convolution.out #1 -> #2\n        argument 3 (stride): [1, 1] -> [2, 2]\n"));
    EXPECT_THAT(text, testing::Not(HasSubstr("#3")));
    EXPECT_THAT(inspector::programDiffText(found, true, {}), HasSubstr("#3"));
    const std::string markdown = inspector::programDiffMarkdown(found);
    EXPECT_THAT(markdown, HasSubstr("## Programs: a.pte → b.pte"));
    EXPECT_THAT(markdown, HasSubstr("| added | aten::relu.out #1 |"));
    std::string json;
    format::appendJson(json, format::Cell(inspector::programDiffInfo(found, false)));
    EXPECT_THAT(
        json,
        HasSubstr(
            R"("instruction_counts": {"same": 4, "changed": 1, "added": 1, "removed": 0, "moved": 0})"));
}

}  // namespace
}  // namespace et::inspector
