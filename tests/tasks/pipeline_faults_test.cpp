// Plants faults into the sample pipelines; `gap` or `verify` names the stage, the iteration and the cause.
#include "app/samples/sample_set.h"
#include "app/tasks/pipeline/pipeline_compare.h"
#include "app/tasks/pipeline/pipeline_gap.h"
#include "tests/support/error_text.h"
#include "tests/support/scratch_folder.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <sstream>
#include <string>
#include <string_view>

namespace et::tasks {
namespace {

namespace fs = std::filesystem;
using ::testing::Contains;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;

std::string contentOf(const fs::path& path) {
    std::ostringstream text;
    text << std::ifstream(path).rdbuf();
    return text.str();
}

class PipelineFaults : public ::testing::Test {
  protected:
    void write(std::string_view set) {
        const auto files = samples::writeSampleSet(set, folder.path());
        ASSERT_TRUE(files) << files.error().toString();
    }

    [[nodiscard]] fs::path manifest(std::string_view set) const {
        return folder.path() / (std::string(set) + ".toml");
    }

    /// A manifest of a set with one text replaced by another.
    fs::path changed(std::string_view set, std::string_view from, std::string_view to) {
        std::string text = contentOf(manifest(set));
        const std::size_t at = text.find(from);
        EXPECT_NE(at, std::string::npos) << from;
        text.replace(std::min(at, text.size()), from.size(), to);
        return written("changed.toml", text);
    }

    fs::path written(std::string_view name, std::string_view text) {
        const fs::path path = folder.path() / name;
        std::ofstream(path) << text;
        return path;
    }

    core::Result<PipelineGapResult> gap(const fs::path& path) {
        return measurePipelineGap({.manifest = path}, usualPipelineTolerance, watch);
    }

    VariantDifference difference(const fs::path& before, const fs::path& after) {
        const auto compared = comparePipelines({.manifest = before}, after, usualPipelineTolerance, watch);
        EXPECT_TRUE(compared) << errorText(compared);
        return compared ? compared->first.value_or(VariantDifference()) : VariantDifference();
    }

    PipelineDivergence divergence(const fs::path& path) {
        const auto measured = gap(path);
        EXPECT_TRUE(measured) << errorText(measured);
        return measured ? measured->divergence.value_or(PipelineDivergence()) : PipelineDivergence();
    }

    template <class T>
    static std::string errorText(const core::Result<T>& result) {
        return test::errorText(result);
    }

    test::ScratchFolder folder;
    ProgressReporter watch{{.mode = ProgressMode::None}, {}};
};

TEST_F(PipelineFaults, SamplesAgreeWithTheirRecords) {
    for (const char* const set : {"diffusion", "transducer", "speculative", "whisper", "vlm"}) {
        write(set);
        const auto measured = gap(manifest(set));
        ASSERT_TRUE(measured) << errorText(measured);
        EXPECT_FALSE(measured->divergence) << set << ": " << measured->divergence->stage;
        EXPECT_FALSE(measured->choice) << set << ": " << measured->choice->stage;
        EXPECT_THAT(measured->uncovered, IsEmpty());
        const auto same = comparePipelines({.manifest = manifest(set)}, manifest(set), 0, watch);
        ASSERT_TRUE(same) << errorText(same);
        EXPECT_FALSE(same->first) << set << ": " << same->first->stage;
    }
}

TEST_F(PipelineFaults, GapNamesTheStageThatRunsAnotherProgram) {
    write("diffusion");
    fs::copy_file(folder.path() / "diffusion_decoder.pte", folder.path() / "other.pte");
    // The text encoder and the predictor of the manifest have the same inputs as another stage.
    const fs::path path = changed("diffusion", "file = \"diffusion_text.pte\"", "file = \"other.pte\"");
    const auto measured = gap(path);
    ASSERT_FALSE(measured);
    EXPECT_THAT(errorText(measured), HasSubstr("stage denoise/unet, iteration 0: input 1 (context)"));
}

TEST_F(PipelineFaults, GapRecognizesTheProgramOfAnotherStage) {
    write("speculative");
    const fs::path path =
        changed("speculative", "file = \"speculative_draft.pte\"", "file = \"speculative_target.pte\"");
    const PipelineDivergence found = divergence(path);
    EXPECT_EQ(found.stage, "rounds/propose/draft");
    EXPECT_EQ(found.iteration, "0.0");
    EXPECT_EQ(found.cause, "the program computes stage rounds/target");
}

TEST_F(PipelineFaults, VerifyNamesTheWrongProgramOfAStage) {
    write("diffusion");
    const fs::path path = changed("diffusion", "name = \"decode\"\nprogram = \"decoder\"",
                                  "name = \"decode\"\nprogram = \"text\"");
    const VariantDifference found = difference(manifest("diffusion"), path);
    EXPECT_EQ(found.stage, "decode");
    EXPECT_THAT(found.causes, Contains("program \"text\" instead of \"decoder\""));
    EXPECT_EQ(found.difference.types, "float32 [4, 16] instead of float32 [4, 48]");
}

TEST_F(PipelineFaults, VerifyNamesStaleStateBetweenIterations) {
    write("transducer");
    const fs::path path = changed("transducer", "outputs = [\"state\"]\n", "outputs = [\"lost\"]\n");
    const VariantDifference found = difference(manifest("transducer"), path);
    EXPECT_EQ(found.stage, "decode/predict");
    EXPECT_NE(found.iteration, "0");
    EXPECT_THAT(found.causes,
                ElementsAre(HasSubstr("input 1 (state) is stale: it still has the value of iteration")));
}

TEST_F(PipelineFaults, GapNamesAStaleCacheInsideAProgram) {
    write("faults");
    const fs::path path = written("cache.toml", R"(
outputs = ["logits"]
programs.model = {file = "stale_cache.pte", etrecord = "stale_cache.etrecord"}
inputs.token = {dtype = "int64", sizes = [1, 1], data = [270]}
[[stages]]
name = "tokens"
repeat = 4
counter = "position"
[[stages.stages]]
name = "model"
program = "model"
inputs = ["token", "position"]
outputs = ["logits"]
[[stages.stages]]
name = "pick"
step = "argmax"
inputs = ["logits"]
outputs = ["picked"]
[[stages.stages]]
name = "row"
step = "reshape"
sizes = [1, 1]
inputs = ["picked"]
outputs = ["token"]
)");
    const PipelineDivergence found = divergence(path);
    EXPECT_EQ(found.stage, "tokens/model");
    EXPECT_EQ(found.cause, "the state that the program keeps between calls is wrong: a cache is stale");
}

TEST_F(PipelineFaults, RunNamesTheStageThatGetsAnotherDtype) {
    write("diffusion");
    const fs::path path = changed("diffusion", "expression = \"latent - 0.125 * noise\"",
                                  "expression = \"latent - 0.125 * noise\"\ndtype = \"float16\"");
    const std::string error = errorText(runPipeline({.manifest = path}, watch));
    EXPECT_THAT(error, HasSubstr("stage denoise/unet, iteration 1: input 0 (latent): expected float32"));
    EXPECT_THAT(error, HasSubstr("got float16"));
}

TEST_F(PipelineFaults, VerifyNamesALossyCastBetweenStages) {
    write("diffusion");
    const fs::path path =
        changed("diffusion", "inputs = [\"words\"]\noutputs = [\"context\"]", R"(inputs = ["words"]
outputs = ["context"]
[[stages]]
name = "narrow"
step = "cast"
dtype = "int8"
inputs = ["context"]
outputs = ["small"]
[[stages]]
name = "widen"
step = "cast"
dtype = "float32"
inputs = ["small"]
outputs = ["context"])");
    const VariantDifference found = difference(manifest("diffusion"), path);
    EXPECT_EQ(found.stage, "denoise/unet");
    EXPECT_EQ(found.iteration, "0");
    EXPECT_THAT(found.causes, ElementsAre(HasSubstr("input 1 (context) differs")));
}

TEST_F(PipelineFaults, VerifyNamesAnOffByOneStep) {
    write("diffusion");
    const fs::path path = changed("diffusion", "1 - step / 8", "1 - (step + 1) / 8");
    const VariantDifference found = difference(manifest("diffusion"), path);
    EXPECT_EQ(found.stage, "denoise/time");
    EXPECT_EQ(found.iteration, "0");
    EXPECT_THAT(found.causes, ElementsAre("expression \"1 - (step + 1) / 8\" instead of \"1 - step / 8\""));

    write("transducer");
    const fs::path late =
        changed("transducer", "name = \"frame\"\nstep = \"slice\"\ninputs = [\"frames\", \"time\"]",
                "name = \"earlier\"\nstep = \"compute\"\nexpression = \"max(time - 1)\"\n"
                "outputs = [\"earlier\"]\n[[stages.stages]]\n"
                "name = \"frame\"\nstep = \"slice\"\ninputs = [\"frames\", \"earlier\"]");
    const VariantDifference frame = difference(manifest("transducer"), late);
    EXPECT_EQ(frame.stage, "decode/frame");
}

TEST_F(PipelineFaults, VerifyNamesSwappedInputs) {
    write("diffusion");
    const fs::path path = changed("diffusion", "inputs = [\"latent\", \"context\", \"time\"]",
                                  "inputs = [\"context\", \"latent\", \"time\"]");
    const VariantDifference found = difference(manifest("diffusion"), path);
    EXPECT_EQ(found.stage, "denoise/unet");
    EXPECT_EQ(found.iteration, "0");
    EXPECT_THAT(found.causes, ElementsAre("input 0 (latent) and input 1 (context) are swapped"));
}

TEST_F(PipelineFaults, GapSeparatesOwnErrorsFromAccumulatedOnes) {
    write("speculative");
    const fs::path path =
        changed("speculative", "file = \"speculative_draft.pte\"", "file = \"speculative_target.pte\"");
    const auto measured = gap(path);
    ASSERT_TRUE(measured) << errorText(measured);
    bool hasDraft = false;
    for (const PipelineGapRow& row : measured->rows) {
        const bool isDraft = row.stage == "rounds/propose/draft";
        hasDraft = hasDraft || isDraft;
        EXPECT_EQ(row.own.exceeds(usualPipelineTolerance), isDraft) << row.stage << " " << row.iteration;
    }
    EXPECT_TRUE(hasDraft);
}

}  // namespace
}  // namespace et::tasks
