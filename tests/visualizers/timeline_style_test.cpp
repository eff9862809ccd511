#include "visualizers/timeline/timeline_style.h"

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

TEST(BarColour, IsThatOfTheKindOfOperator) {
    EXPECT_EQ(barColour("GEMM #1", false), barColour("GEMM #23", false));
    EXPECT_NE(barColour("GEMM #1", false), barColour("Softmax #1", false));
    EXPECT_LT(barColour("GEMM #1", true).lightness(), barColour("GEMM #1", false).lightness());
}

}  // namespace

}  // namespace et::visualizers
