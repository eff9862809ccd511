#include "visualizers/toolkit/name_colour.h"

#include <gtest/gtest.h>

namespace et::visualizers {

namespace {

TEST(BarColour, IsThatOfTheKindOfOperator) {
    EXPECT_EQ(barColour("GEMM #1", false), barColour("GEMM #23", false));
    EXPECT_NE(barColour("GEMM #1", false), barColour("Softmax #1", false));
    EXPECT_LT(barColour("GEMM #1", true).lightness(), barColour("GEMM #1", false).lightness());
}

}  // namespace

}  // namespace et::visualizers
