// Tests of language models with encoders, on the samples: the embeddings of an image are at the positions of
// its mark, and the text is that of the methods run one by one.
#include "app/samples/sample_set.h"
#include "app/tasks/base/interruption.h"
#include "app/tasks/generate/conversation.h"
#include "backends/builtin.h"
#include "inspector/generate/sampler.h"
#include "runtime/executor/method.h"
#include "runtime/kernels/builtin.h"
#include "tests/support/scratch_folder.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <array>
#include <cstring>
#include <string>
#include <vector>

namespace et::test {
namespace {

using inspector::TokenId;

/// Runs the methods of the vlm sample one by one.
class ByHand {
  public:
    explicit ByHand(const std::filesystem::path& folder)
        : text(*program::Program::open(folder / "vlm.pte")),
          vision(*program::Program::open(folder / "vlm_vision.pte")),
          kernels(kernels::builtin()),
          textModule(text, {.kernels = kernels, .backends = backends::builtin(), .threads = threads}),
          visionModule(vision, {.kernels = kernels, .backends = backends::builtin(), .threads = threads}) {}

    void token(TokenId id) {
        executor::Method& method = **textModule.load("token_embedding");
        const std::array<std::int64_t, 1> number{id};
        const std::array<std::int64_t, 2> sizes{1, 1};
        EXPECT_TRUE(method.setInput(0, executor::TensorInput{.dtype = core::ScalarType::Long,
                                                             .sizes = sizes,
                                                             .data = std::as_bytes(std::span(number))}));
        EXPECT_TRUE(method.execute());
        const auto* tensor = method.output(0).as<core::Tensor>();
        row({tensor->data<float>(), 32});
    }
    void image(const inspector::HostTensor& pixels) {
        executor::Method& method = **visionModule.load("vision_encoder");
        EXPECT_TRUE(method.setInput(
            0, executor::TensorInput{.dtype = pixels.dtype, .sizes = pixels.sizes, .data = pixels.data}));
        EXPECT_TRUE(method.execute());
        const auto* tensor = method.output(0).as<core::Tensor>();
        const std::vector<float> rows(tensor->data<float>(), tensor->data<float>() + tensor->numel());
        for (std::size_t at = 0; at < rows.size(); at += 32) {
            row(std::span(rows).subspan(at, 32));
        }
    }
    [[nodiscard]] TokenId next() const { return inspector::mostLikely(logits); }
    std::int64_t position = 0;

  private:
    void row(std::span<const float> embedding) {
        const std::vector<float> kept(embedding.begin(), embedding.end());
        executor::Method& method = **textModule.load("text_decoder");
        const std::array<std::int64_t, 3> sizes{1, 1, 32};
        const std::array<std::int64_t, 1> at{position++};
        const std::array<std::int64_t, 1> one{1};
        EXPECT_TRUE(method.setInput(
            0, executor::TensorInput{.sizes = sizes, .data = std::as_bytes(std::span(kept))}));
        EXPECT_TRUE(method.setInput(
            1, executor::TensorInput{
                   .dtype = core::ScalarType::Long, .sizes = one, .data = std::as_bytes(std::span(at))}));
        EXPECT_TRUE(method.execute());
        const auto* tensor = method.output(0).as<core::Tensor>();
        logits.assign(tensor->data<float>(), tensor->data<float>() + tensor->numel());
    }

    std::shared_ptr<const program::Program> text, vision;
    kernels::KernelRegistry kernels;
    kernels::ThreadPool threads{1};
    executor::Module textModule, visionModule;
    std::vector<float> logits;
};

class Multimodal : public testing::Test {
  protected:
    Multimodal() { watch.emplace(tasks::ProgressOptions{.mode = tasks::ProgressMode::None}, std::nullopt); }

    tasks::GenerateSettings settingsOf(const std::string& sample) {
        EXPECT_TRUE(samples::writeSampleSet(sample, folder.path()));
        tasks::GenerateSettings settings;
        settings.program = folder.path() / (sample + ".pte");
        settings.tokenizer = folder.path() / (sample + "_tokenizer.bin");
        settings.maxTokens = 8;
        settings.bos = 1;
        settings.ignoreEos = true;
        return settings;
    }
    tasks::GenerateSettings vlm() {
        tasks::GenerateSettings settings = settingsOf("vlm");
        settings.encoders.vision = folder.path() / "vlm_vision.pte";
        settings.images = {folder.path() / "vlm_image.png"};
        return settings;
    }
    tasks::Generation said(const tasks::GenerateSettings& settings, const std::string& prompt) {
        auto conversation = tasks::Conversation::open(settings);
        EXPECT_TRUE(conversation) << conversation.error().toString();
        auto generation = (*conversation)->say(prompt, *watch, {});
        EXPECT_TRUE(generation) << generation.error().toString();
        return *std::move(generation);
    }
    std::string errorOf(const tasks::GenerateSettings& settings, const std::string& prompt) {
        auto conversation = tasks::Conversation::open(settings);
        if (!conversation) {
            return conversation.error().toString();
        }
        auto generation = (*conversation)->say(prompt, *watch, {});
        EXPECT_FALSE(generation);
        return generation ? "" : generation.error().toString();
    }

    tasks::InterruptionGuard guard;
    ScratchFolder folder;
    std::optional<tasks::ProgressReporter> watch;
};

std::vector<TokenId> idsOf(const tasks::Generation& generation) {
    std::vector<TokenId> ids;
    for (const tasks::GeneratedToken& token : generation.tokens) {
        ids.push_back(token.id);
    }
    return ids;
}

TEST_F(Multimodal, ImageIsPlacedAtItsMark) {
    const tasks::GenerateSettings settings = vlm();
    const tasks::Generation generation = said(settings, "the model<image> runs on");
    ASSERT_EQ(generation.media.size(), 1U);
    const tasks::MediaPart& part = generation.media.front();
    EXPECT_EQ(part.positions, 16U);
    EXPECT_EQ(part.position, part.textBefore);
    EXPECT_EQ(generation.prefilledTokens(), generation.promptIds.size() + 16);

    auto conversation = tasks::Conversation::open(settings);
    ASSERT_TRUE(conversation);
    const auto prepared = tasks::prepareMedia(
        {.modality = inspector::Modality::Image, .text = {}, .file = settings.images.front()},
        *(*conversation)->language().form.encoders.vision, {});
    ASSERT_TRUE(prepared) << prepared.error().toString();
    EXPECT_EQ(prepared->input.steps.size(), 6U);
    ByHand hand(folder.path());
    for (std::size_t i = 0; i < generation.promptIds.size(); ++i) {
        if (i == part.textBefore) {
            hand.image(prepared->input.tensor);
        }
        hand.token(generation.promptIds[i]);
    }
    std::vector<TokenId> expected{hand.next()};
    while (expected.size() < settings.maxTokens) {
        hand.token(expected.back());
        expected.push_back(hand.next());
    }
    EXPECT_EQ(idsOf(generation), expected);
}

TEST_F(Multimodal, ImageChangesTheAnswer) {
    tasks::GenerateSettings settings = vlm();
    const auto with = idsOf(said(settings, "the model runs"));
    settings.images.clear();
    EXPECT_NE(idsOf(said(settings, "the model runs")), with);
}

TEST_F(Multimodal, WarmUpDoesNotChangeTheAnswer) {
    tasks::GenerateSettings settings = vlm();
    const auto cold = idsOf(said(settings, "the<image>"));
    settings.warmup = true;
    EXPECT_EQ(idsOf(said(settings, "the<image>")), cold);
}

TEST_F(Multimodal, ErrorsNameFileAndOption) {
    tasks::GenerateSettings settings = vlm();
    EXPECT_THAT(errorOf(settings, "<image> and <image>"), testing::HasSubstr("--image is given 1 times"));
    settings.sounds = settings.images;
    EXPECT_THAT(errorOf(settings, "the"),
                testing::HasSubstr("--audio: the model has no method audio_encoder"));
    settings.sounds.clear();
    settings.images = {settings.tokenizer};
    EXPECT_THAT(errorOf(settings, "the"), testing::HasSubstr("vlm_tokenizer.bin"));
}

TEST_F(Multimodal, SpeechRecognizerUsesTheSound) {
    tasks::GenerateSettings settings = settingsOf("whisper");
    EXPECT_THAT(errorOf(settings, ""), testing::HasSubstr("--audio or --image is required"));
    settings.sounds = {folder.path() / "whisper_audio.wav"};
    const tasks::Generation generation = said(settings, "");
    EXPECT_EQ(generation.tokens.size(), 8U);
    EXPECT_EQ(generation.media.front().rows, 50U);
    EXPECT_EQ(generation.media.front().positions, 0U);
    EXPECT_EQ(generation.firstPosition + 1, generation.tokens.front().position);
}

}  // namespace
}  // namespace et::test
