#include "visualizers/toolkit/round_step.h"

#include <gtest/gtest.h>

namespace et::visualizers {

namespace {

TEST(RoundStep, IsOneTwoOrFiveTimesAPowerOfTen) {
    EXPECT_DOUBLE_EQ(roundStep(0.7), 1);
    EXPECT_DOUBLE_EQ(roundStep(1), 1);
    EXPECT_DOUBLE_EQ(roundStep(1.2), 2);
    EXPECT_DOUBLE_EQ(roundStep(34), 50);
    EXPECT_DOUBLE_EQ(roundStep(0.00012), 0.0002);
    EXPECT_DOUBLE_EQ(roundStep(51), 100);
}

}  // namespace

}  // namespace et::visualizers
