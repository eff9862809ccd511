#include "inspector/generate/sampler.h"

#include <gmock/gmock.h>

#include <array>
#include <cmath>
#include <limits>
#include <map>
#include <vector>

namespace et::test {
namespace {

using inspector::mostLikely;
using inspector::Sampler;

constexpr float nan = std::numeric_limits<float>::quiet_NaN();

TEST(Sampler, GreedyTakesTheLowestIdOfEquals) {
    EXPECT_EQ(mostLikely(std::array{1.0F, 3.0F, 3.0F}), 1U);
    EXPECT_EQ(mostLikely(std::array{nan, -1.0F, nan}), 1U);
    EXPECT_EQ(mostLikely({}), 0U);
}

/// Reimplements xorshift64* by definition, from seed 1.
TEST(Sampler, RandomNumbersMatchTheDocumentedGenerator) {
    Sampler sampler({.seed = 1}, 4);
    std::uint64_t state = 1;
    for (int i = 0; i < 100; ++i) {
        state ^= state >> 12;
        state ^= state << 25;
        state ^= state >> 27;
        const auto high = static_cast<std::uint32_t>((state * 0x2545F4914F6CDD1DULL) >> 32);
        EXPECT_EQ(sampler.coin(), static_cast<float>(high / 256) / 16777216.0F);
    }
}

std::map<std::uint32_t, int> drawn(const inspector::SamplerSettings& settings, std::vector<float> logits) {
    Sampler sampler(settings, logits.size());
    std::map<std::uint32_t, int> counts;
    for (int i = 0; i < 20'000; ++i) {
        ++counts[sampler.choose(logits)];
    }
    return counts;
}

/// Logits with softmax 0.5, 0.3, 0.15, 0.05.
const std::vector<float> four{std::log(0.15F), std::log(0.5F), std::log(0.05F), std::log(0.3F)};

TEST(Sampler, WithoutTopPDrawsFromAll) {
    const auto counts = drawn({.temperature = 1, .topP = 1, .seed = 3}, four);
    EXPECT_NEAR(counts.at(1), 10'000, 300);
    EXPECT_NEAR(counts.at(3), 6'000, 300);
    EXPECT_NEAR(counts.at(0), 3'000, 300);
    EXPECT_NEAR(counts.at(2), 1'000, 200);
}

TEST(Sampler, TopPKeepsTheOneThatExceedsTheShare) {
    const auto counts = drawn({.temperature = 1, .topP = 0.7, .seed = 3}, four);
    EXPECT_EQ(counts.size(), 2U);
    EXPECT_NEAR(counts.at(1), 12'500, 300);
    EXPECT_NEAR(counts.at(3), 7'500, 300);
}

TEST(Sampler, TopKGoesBeforeTopP) {
    const auto counts = drawn({.temperature = 1, .topP = 0.1, .topK = 3, .seed = 3}, four);
    EXPECT_EQ(counts.size(), 3U);
    EXPECT_FALSE(counts.contains(2));
}

TEST(Sampler, TemperatureSharpens) {
    const auto counts = drawn({.temperature = 0.1, .topP = 1, .seed = 3}, four);
    EXPECT_GT(counts.at(1), 19'700);
}

TEST(Sampler, SeedsRepeat) {
    EXPECT_EQ(drawn({.temperature = 1, .seed = 9}, four), drawn({.temperature = 1, .seed = 9}, four));
    EXPECT_NE(drawn({.temperature = 1, .seed = 9}, four), drawn({.temperature = 1, .seed = 10}, four));
    EXPECT_GT(drawn({.temperature = 1, .seed = 0}, four).size(), 1U);
}

}  // namespace
}  // namespace et::test
