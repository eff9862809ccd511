// Tests of time growth with the context: the fit on made-up times, and its join with a trace.
#include "inspector/generate/growth.h"

#include "inspector/names/phase_mark.h"
#include "tests/inspector/join_support.h"

#include <gmock/gmock.h>

#include <cmath>
#include <random>

namespace et::test {
namespace {

using inspector::fitGrowth;
using inspector::GrowthFit;
using inspector::GrowthKind;
using inspector::GrowthSample;
using testing::HasSubstr;

/// Returns times at positions 10 to 209 with noise of 2 %.
template <class Time>
std::vector<GrowthSample> samplesOf(Time time, unsigned seed = 1) {
    std::mt19937 random(seed);
    std::normal_distribution<double> noise(1, 0.02);
    std::vector<GrowthSample> samples;
    for (int position = 10; position < 210; ++position) {
        samples.push_back({.position = double(position), .time = time(position) * noise(random)});
    }
    return samples;
}

TEST(GrowthFit, ALineIsFound) {
    for (const unsigned seed : {1U, 2U, 3U, 4U, 5U}) {
        const GrowthFit fit = fitGrowth(samplesOf([](double at) { return 50 + 2 * at; }, seed));
        EXPECT_EQ(fit.kind, GrowthKind::Linear);
        EXPECT_NEAR(fit.slope, 2, 0.05);
        EXPECT_TRUE(fit.slopeInterval.low < fit.slope && fit.slope < fit.slopeInterval.high);
        EXPECT_NEAR(fit.base, 50, 6);
        EXPECT_GT(fit.rSquared, 0.99);
        EXPECT_NEAR(*fit.exponent, 1, 0.2);
        EXPECT_NEAR(fit.last, 50 + 2 * 209, 5);
    }
}

TEST(GrowthFit, TheTrueSlopeIsInTheInterval) {
    int inside = 0;
    for (unsigned seed = 0; seed < 200; ++seed) {
        const GrowthFit fit = fitGrowth(samplesOf([](double) { return 100.0; }, seed));
        inside += fit.slopeInterval.contains(0) ? 1 : 0;
        EXPECT_EQ(fit.kind, GrowthKind::Constant);
    }
    EXPECT_GE(inside, 182);  // 95 % of 200, minus three standard deviations
}

TEST(GrowthFit, OtherExponentsAreNotLinear) {
    const GrowthFit square = fitGrowth(samplesOf([](double at) { return 10 + at * at; }));
    EXPECT_EQ(square.kind, GrowthKind::Power);
    EXPECT_NEAR(*square.exponent, 2, 0.2);
    EXPECT_TRUE(square.exponentInterval->contains(*square.exponent));
    EXPECT_EQ(fitGrowth(samplesOf([](double at) { return 1000 - 3 * at; })).kind, GrowthKind::Falls);
}

TEST(GrowthFit, StallsAreLeftOut) {
    auto samples = samplesOf([](double at) { return 50 + 2 * at; });
    for (const std::size_t stalled : {3U, 90U, 197U, 199U}) {
        samples[stalled].time *= 40;
    }
    const GrowthFit fit = fitGrowth(samples);
    EXPECT_EQ(fit.outliers, 4U);
    EXPECT_NEAR(fit.slope, 2, 0.05);
    auto level = samplesOf([](double) { return 50.0; });
    level.back().time = 5000;
    EXPECT_EQ(fitGrowth(level).kind, GrowthKind::Constant);
}

TEST(GrowthFit, FewPositionsSayNothing) {
    EXPECT_EQ(fitGrowth({}).kind, GrowthKind::Unknown);
    auto samples = samplesOf([](double at) { return at; });
    samples.resize(7);
    EXPECT_EQ(fitGrowth(samples).kind, GrowthKind::Unknown);
    std::vector<GrowthSample> same(50, {.position = 3, .time = 4});
    EXPECT_EQ(fitGrowth(same).kind, GrowthKind::Unknown);
}

TEST(GrowthFit, TimesBelowTheClockAreConstant) {
    std::vector<GrowthSample> zeros;
    for (int i = 0; i < 20; ++i) {
        zeros.push_back({.position = double(i), .time = 0});
    }
    const GrowthFit fit = fitGrowth(zeros);
    EXPECT_EQ(fit.kind, GrowthKind::Constant);
    EXPECT_TRUE(std::isfinite(fit.rSquared));
}

/// Decode steps from position 5 on; attention takes 100 ticks plus 10 per position, the rest 500.
Trace decodeTrace(int steps) {
    etdump::TraceWriter writer;
    std::uint64_t now = 0;
    std::vector<std::pair<std::string, std::uint64_t>> marks;
    for (int i = 0; i < steps; ++i) {
        const auto position = static_cast<std::uint64_t>(5 + i);
        const std::uint64_t attention = 100 + 10 * position;
        writer.beginRun("Execute");
        writer.profile("llama::custom_sdpa.out", at(0), now, now + attention);
        writer.profile("native_call_addmm.out", at(1), now + attention, now + attention + 500);
        writer.profile("Method::execute", {}, now, now + attention + 500);
        marks.emplace_back(inspector::phaseMarkName({.phase = "decode",
                                                     .call = static_cast<std::uint64_t>(i),
                                                     .position = position,
                                                     .tokens = 1}),
                           now);
        now += 10'000;
    }
    writer.beginRun(inspector::phaseBlockName);
    for (const auto& [name, start] : marks) {
        writer.profile(name, {}, start, start + 9'000);
    }
    return traceOf(writer);
}

TEST(Growth, IsOfOperatorsOverPositions) {
    const Blocks blocks =
        join(decodeTrace(20), nullptr, {.target = inspector::TimeScale::Nanoseconds, .byPhase = true});
    const auto growth = inspector::computeGrowth(*blocks);
    ASSERT_TRUE(growth.has_value()) << growth.error().toString();
    EXPECT_TRUE(growth->byPosition);
    const auto row = [&](std::string_view name) {
        return *std::ranges::find(growth->rows, name, &inspector::GrowthRow::group);
    };
    EXPECT_EQ(row("llama::custom_sdpa.out").fit.kind, GrowthKind::Linear);
    EXPECT_NEAR(row("llama::custom_sdpa.out").fit.slope, 10, 1e-9);
    EXPECT_EQ(row("addmm.out").fit.kind, GrowthKind::Constant);
    EXPECT_EQ(growth->all.samples.front().position, 5);
    EXPECT_EQ(growth->all.samples.front().time, 9'000);
    EXPECT_EQ(growth->all.samples.size(), 20U);
}

TEST(Growth, SaysWhichPhasesThereAre) {
    const Blocks blocks = join(decodeTrace(3), nullptr, {.byPhase = true});
    const auto growth = inspector::computeGrowth(*blocks, {.phase = "prefill"});
    ASSERT_FALSE(growth.has_value());
    EXPECT_THAT(growth.error().toString(),
                HasSubstr("no executions of phase 'prefill'; the trace has decode"));
    EXPECT_EQ(inspector::computeGrowth(*blocks)->all.fit.kind, GrowthKind::Unknown);
}

}  // namespace
}  // namespace et::test
