// Tests that a conversation allocates no memory per token, except for its text.
#include "app/samples/sample_set.h"
#include "app/tasks/base/interruption.h"
#include "app/tasks/generate/conversation.h"
#include "tests/support/allocation_count.h"
#include "tests/support/scratch_folder.h"
#include "tests/support/shared_data.h"

#include <gtest/gtest.h>

#include <cstdint>
#include <filesystem>
#include <string>
#include <vector>

namespace et::test {
namespace {

constexpr std::size_t generated = 60;
/// Number of tokens until buffers have their final size.
constexpr std::size_t warm = 4;
/// Allocations for text: it grows by doubling, and tokens longer than a small string need an allocation.
constexpr std::size_t oftenText = 16;

/// Number of allocations between the first tokens and the last.
std::uint64_t takenBy(const tasks::GenerateSettings& settings) {
    const tasks::InterruptionGuard guard;
    auto conversation = tasks::Conversation::open(settings);
    EXPECT_TRUE(conversation) << conversation.error().toString();
    tasks::ProgressOptions progress;
    progress.mode = tasks::ProgressMode::None;
    tasks::ProgressReporter watch(progress, std::nullopt);
    std::vector<std::uint64_t> taken;
    taken.reserve(generated + 1);
    const AllocationCount counted;
    tasks::GenerationListener listener;
    listener.token = [&](const tasks::GeneratedToken&, std::string_view) {
        taken.push_back(counted.count());
    };
    const auto said = (*conversation)->say("the model", watch, listener);
    EXPECT_TRUE(said) << said.error().toString();
    EXPECT_GT(taken.size(), generated / 2);
    return taken.back() - taken[warm];
}

tasks::GenerateSettings settingsOf(const std::filesystem::path& program,
                                   const std::filesystem::path& tokenizer) {
    tasks::GenerateSettings settings;
    settings.program = program;
    settings.tokenizer = tokenizer;
    settings.maxTokens = generated;
    settings.bos = 1;
    settings.ignoreEos = true;
    return settings;
}

TEST(ConversationAllocation, SampleAllocatesOnlyForTheText) {
    const ScratchFolder folder;
    ASSERT_TRUE(samples::writeSampleSet("llama", folder.path()));
    EXPECT_LE(takenBy(settingsOf(folder.path() / "llama.pte", folder.path() / "llama_tokenizer.bin")),
              oftenText);
}

TEST(ConversationAllocation, RealModelsAllocateOnlyForTheText) {
    ET_NEEDS_SHARED_DATA();
    const auto data = sharedData() / "llm";
    for (const char* variant :
         {"xnnpack_fp32", "xnnpack_8da4w", "portable_fp32", "xnnpack_2method", "xnnpack_nosdpa_t1"}) {
        tasks::GenerateSettings settings =
            settingsOf(data / "models/tiny-a" / (std::string(variant) + ".pte"),
                       data / "tokenizers/hf_bpe_llama3/tokenizer.json");
        settings.sampler.temperature = 0.8;
        EXPECT_LE(takenBy(settings), oftenText) << variant;
    }
}

}  // namespace
}  // namespace et::test
