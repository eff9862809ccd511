#include "app/samples/sample_set.h"
#include "app/tasks/pipeline/host_steps.h"
#include "app/tasks/pipeline/pipeline_run.h"
#include "app/tasks/pipeline/pipeline_tensors.h"
#include "inspector/numeric_gap/tensor_numbers.h"
#include "tests/support/error_text.h"
#include "tests/support/scratch_folder.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <numeric>
#include <string>
#include <string_view>
#include <vector>

namespace et::tasks {
namespace {

using test::errorText;
using ::testing::ElementsAre;
using ::testing::HasSubstr;

/// Runs a manifest without programs and returns the value "out".
core::Result<ReferenceTensor> outOf(std::string_view text) {
    class NoPrograms final : public StageExecutor {
      public:
        core::Result<std::vector<ReferenceTensor>> call(const PipelineStage&,
                                                        std::span<const ReferenceTensor>,
                                                        CallTime&) override {
            return std::vector<ReferenceTensor>();
        }
    } none;
    ET_ASSIGN(const Manifest manifest, parseManifest(text, "test.toml"));
    constexpr std::uint64_t mostBytes = 1 << 20;
    ET_ASSIGN(const PipelineValues inputs, pipelineInputs(manifest, {}, mostBytes));
    ET_ASSIGN(PipelineValues values, walkPipeline(manifest, inputs, none, mostBytes));
    return values["out"];
}

std::vector<double> numbersOut(std::string_view text) {
    const auto out = outOf(text);
    EXPECT_TRUE(out) << errorText(out);
    return out ? inspector::numbersOf(out->view).value() : std::vector<double>();
}

std::string manifestError(std::string_view text) {
    return errorText(parseManifest(text, "test.toml"));
}

TEST(Pipeline, LoopsCountAndStopAtACondition) {
    constexpr std::string_view counting = R"(
inputs.sum = {dtype = "int64", data = [0]}
[[stages]]
name = "loop"
repeat = 5
counter = "i"
[[stages.stages]]
name = "add"
step = "compute"
expression = "sum + i"
dtype = "int64"
outputs = ["sum"]
[[stages]]
name = "end"
step = "copy"
inputs = ["sum"]
outputs = ["out"]
)";
    EXPECT_THAT(numbersOut(counting), ElementsAre(10));
    std::string stopping(counting);
    stopping.replace(stopping.find("repeat = 5"), 10, "until = \"sum > 4\"");
    EXPECT_THAT(numbersOut(stopping), ElementsAre(6));
}

TEST(Pipeline, HostStepsComputeTheirResults) {
    const auto step = [](std::string_view lines) {
        return numbersOut(std::string(R"(
inputs.x = {sizes = [2, 3], data = [1, 5, 2, 4, 0, 3]}
inputs.y = {sizes = [2, 1], data = [7, 8]}
inputs.at = {dtype = "int64", data = [1]}
inputs.ids = {dtype = "int64", data = [1, 0, 1]}
[[stages]]
name = "s"
outputs = ["out"]
)") + std::string(lines));
    };
    EXPECT_THAT(step("step = \"argmax\"\ninputs = [\"x\"]"), ElementsAre(1, 0));
    EXPECT_THAT(step("step = \"concatenate\"\ndim = 1\ninputs = [\"x\", \"y\"]"),
                ElementsAre(1, 5, 2, 7, 4, 0, 3, 8));
    EXPECT_THAT(step("step = \"slice\"\ndim = 1\nstart = -2\nlength = 2\ninputs = [\"x\"]"),
                ElementsAre(5, 2, 0, 3));
    EXPECT_THAT(step("step = \"slice\"\ninputs = [\"x\", \"at\"]"), ElementsAre(4, 0, 3));
    EXPECT_THAT(step("step = \"append\"\nlength = 2\ninputs = [\"x\", \"y\"]"), ElementsAre(2, 7, 3, 8));
    EXPECT_THAT(step("step = \"write\"\ninputs = [\"x\", \"y\", \"at\"]"), ElementsAre(1, 7, 2, 4, 8, 3));
    EXPECT_THAT(step("step = \"lookup\"\ninputs = [\"x\", \"ids\"]"), ElementsAre(4, 0, 3, 1, 5, 2, 4, 0, 3));
    EXPECT_THAT(step("step = \"reshape\"\nsizes = [3, -1]\ninputs = [\"x\"]"), ElementsAre(1, 5, 2, 4, 0, 3));
    EXPECT_THAT(step("step = \"compute\"\nexpression = \"2 * x - at\""), ElementsAre(1, 9, 3, 7, -1, 5));
    const std::vector<double> shares = step("step = \"softmax\"\ninputs = [\"x\"]");
    EXPECT_NEAR(shares[1], std::exp(5) / (std::exp(1) + std::exp(5) + std::exp(2)), 1e-6);
    EXPECT_NEAR(std::accumulate(shares.begin(), shares.end(), 0.0), 2, 1e-6);
}

TEST(Pipeline, AcceptKeepsTheTokensThatAgree) {
    const auto accepted = [](std::string_view draft) {
        return numbersOut("inputs.d = {dtype = \"int64\", data = [" + std::string(draft) + R"(]}
inputs.t = {dtype = "int64", data = [4, 5, 6, 7]}
[[stages]]
name = "s"
step = "accept"
inputs = ["d", "t"]
outputs = ["out"]
)");
    };
    EXPECT_THAT(accepted("4, 5, 6"), ElementsAre(4, 5, 6, 7));
    EXPECT_THAT(accepted("4, 1, 6"), ElementsAre(4, 5));
    EXPECT_THAT(accepted("1, 5, 6"), ElementsAre(4));
}

TEST(Pipeline, ManifestErrorsNameFieldAndValue) {
    EXPECT_THAT(manifestError("a = "), HasSubstr("test.toml: line 1"));
    EXPECT_EQ(manifestError("name = \"x\""), "test.toml: stages: expected at least one stage");
    EXPECT_EQ(manifestError("stage = 1"), "test.toml: stage: unknown key (did you mean 'stages'?)");
    EXPECT_EQ(manifestError("stages = 1"), "test.toml: stages: expected an array, got an integer");
    EXPECT_EQ(manifestError("[[stages]]\nname = \"a\"\nprogram = \"p\""),
              "test.toml: stages[0].program: no program \"p\"; available: ");
    EXPECT_EQ(manifestError("[[stages]]\nname = \"a\"\nstep = \"copy\"\ninputs = [\"x\"]"),
              "test.toml: stages[0].inputs[0]: no value \"x\" at this stage; available: none");
    EXPECT_EQ(manifestError("[[stages]]\nname = \"a\"\nstep = \"copy\"\noutputs = [\"x\"]"),
              "test.toml: stages[0].inputs: expected 1, got 0");
    EXPECT_EQ(
        manifestError("[[stages]]\nname = \"a\"\nstep = \"cast\"\ninputs = [\"none\"]\noutputs = [\"x\"]"),
        "test.toml: stages[0].dtype: expected a value for the step cast");
    EXPECT_EQ(manifestError("inputs.x = {sizes = [1]}"),
              "test.toml: inputs.x: expected one of file, data and fill, got 0");
    EXPECT_EQ(manifestError("inputs.x = {dtype = \"real\", data = [1]}"),
              "test.toml: inputs.x.dtype: expected a dtype such as float32 or int64, got \"real\"");
    EXPECT_EQ(manifestError("[[stages]]\nname = \"l\"\nrepeat = -1"),
              "test.toml: stages[0].repeat: expected 0 to 1000000, got -1");
}

TEST(Pipeline, ErrorsOfAStepNameStageAndIteration) {
    const auto out = outOf(R"(
inputs.x = {data = [1, 2]}
[[stages]]
name = "loop"
repeat = 3
counter = "i"
[[stages.stages]]
name = "part"
step = "slice"
inputs = ["x", "i"]
outputs = ["out"]
)");
    EXPECT_EQ(
        errorText(out),
        "test.toml: stage loop/part, iteration 2: expected a range of 2 elements, got start 2 and length 1");
    const auto grown = outOf(R"(
inputs.x = {sizes = [1024], fill = "ones"}
[[stages]]
name = "loop"
repeat = 30
[[stages.stages]]
name = "double"
step = "concatenate"
inputs = ["x", "x"]
outputs = ["x"]
)");
    EXPECT_THAT(errorText(grown),
                HasSubstr("stage loop/double, iteration 8: expected values of at most 1048576 bytes"));
}

TEST(Pipeline, RunsSpeculativeDecodingAndCountsAcceptedTokens) {
    const test::ScratchFolder folder;
    ASSERT_TRUE(samples::writeSampleSet("speculative", folder.path()));
    ProgressReporter watch({.mode = ProgressMode::None}, {});
    const auto ran =
        runPipeline({.manifest = folder.path() / "speculative.toml", .repetitions = {.measured = 2}}, watch);
    ASSERT_TRUE(ran) << errorText(ran);
    ASSERT_EQ(ran->acceptance.size(), 1);
    const AcceptanceRates& rates = ran->acceptance.front();
    EXPECT_EQ(rates.stage, "rounds/accept");
    ASSERT_EQ(rates.offered.size(), 4);
    EXPECT_EQ(rates.offered[0], rates.rounds);
    for (std::size_t i = 1; i < rates.offered.size(); ++i) {
        EXPECT_EQ(rates.offered[i], rates.accepted[i - 1]);
    }
    EXPECT_EQ(rates.tokens,
              rates.rounds + std::accumulate(rates.accepted.begin(), rates.accepted.end(), std::size_t{0}));
    EXPECT_GT(rates.accepted[0], 0);
    EXPECT_LT(rates.accepted[3], rates.rounds);
    EXPECT_GE(rates.tokens, 32);
    // Both repetitions start from the same state.
    const auto draft = std::ranges::find(ran->stages, "rounds/propose/draft", &StageTimes::path);
    ASSERT_NE(draft, ran->stages.end());
    EXPECT_EQ(draft->calls.size(), rates.rounds * 4);
    EXPECT_EQ(draft->calls.back().program.size(), 2);
    EXPECT_EQ(draft->calls[5].iteration, "1.1");
}

TEST(Pipeline, RunsAMultimodalSample) {
    const test::ScratchFolder folder;
    ProgressReporter watch({.mode = ProgressMode::None}, {});
    for (const char* const set : {"whisper", "vlm"}) {
        ASSERT_TRUE(samples::writeSampleSet(set, folder.path()));
        const auto ran = runPipeline({.manifest = folder.path() / (std::string(set) + ".toml")}, watch);
        ASSERT_TRUE(ran) << set << ": " << errorText(ran);
        EXPECT_GT(ran->outputs.at("text").view.numel(), 2);
    }
}

TEST(Pipeline, ReplacesAnInputByAFile) {
    const test::ScratchFolder folder;
    ASSERT_TRUE(samples::writeSampleSet("diffusion", folder.path()));
    ProgressReporter watch({.mode = ProgressMode::None}, {});
    PipelineSettings settings{.manifest = folder.path() / "diffusion.toml"};
    const auto usual = runPipeline(settings, watch);
    ASSERT_TRUE(usual) << errorText(usual);
    settings.inputs = {"latent=zeros"};
    const auto other = runPipeline(settings, watch);
    ASSERT_TRUE(other) << errorText(other);
    EXPECT_GT(inspector::computeDistance(other->outputs.at("image").view, usual->outputs.at("image").view),
              1e-6);
    settings.inputs = {"noise=zeros"};
    EXPECT_THAT(errorText(runPipeline(settings, watch)),
                HasSubstr("expected NAME=VALUE with one of the pipeline's inputs (latent, prompt, table)"));
}

}  // namespace
}  // namespace et::tasks
