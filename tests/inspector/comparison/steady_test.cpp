#include "inspector/comparison/statistics.h"
#include "tests/inspector/comparison/made_up_samples.h"

#include <gtest/gtest.h>

#include <cmath>
#include <vector>

namespace et::inspector {
namespace {

using test::MadeUpSamples;

TEST(Steady, FindsWhereTheWarmUpEnds) {
    for (std::uint64_t seed = 0; seed < 20; ++seed) {
        MadeUpSamples made(seed);
        const auto times = made.make(60, [](MadeUpSamples& each, std::size_t i) {
            return (i < 10 ? 3.0 : 1.0) * (1 + 0.02 * each.normal());
        });
        const auto from = steadyFrom(times);
        ASSERT_TRUE(from) << "seed " << seed;
        EXPECT_GE(*from, 9U) << "seed " << seed;
        EXPECT_LE(*from, 25U) << "seed " << seed;
    }
}

TEST(Steady, IsNotReachedWhileTimesFall) {
    MadeUpSamples made(1);
    const auto times = made.make(40, [](MadeUpSamples& each, std::size_t i) {
        return 1 + 3 * std::exp(-static_cast<double>(i) / 40) + 0.01 * each.normal();
    });
    EXPECT_FALSE(steadyFrom(times));
}

TEST(Steady, StartsAtOnceWithoutAWarmUp) {
    std::size_t atOnce = 0;
    for (std::uint64_t seed = 0; seed < 50; ++seed) {
        MadeUpSamples made(seed);
        const auto from = steadyFrom(made.noisy(30, 1, 0.02));
        atOnce += from && *from < 10 ? 1 : 0;
    }
    EXPECT_GE(atOnce, 35U);
}

TEST(Steady, OneDelayIsNoWarmUp) {
    std::vector<double> times(20, 1.0);
    times[17] = 40;
    EXPECT_EQ(steadyFrom(times), 0U);
}

TEST(Steady, FewTimesDoNotTell) {
    EXPECT_FALSE(steadyFrom(std::vector<double>(7, 1.0)));
    EXPECT_FALSE(steadyFrom({}));
    EXPECT_EQ(steadyFrom(std::vector<double>(8, 1.0)), 0U);
}

}  // namespace
}  // namespace et::inspector
