#include "visualizers/toolkit/colour_scale.h"

#include <gtest/gtest.h>

#include <array>
#include <limits>

namespace et::visualizers {

namespace {

using Kind = ColourScale::Kind;
constexpr double infinity = std::numeric_limits<double>::infinity();
constexpr double nan = std::numeric_limits<double>::quiet_NaN();

TEST(ColourScale, SpansTheFiniteNumbers) {
    const ColourScale scale(Kind::Sequential, std::array{3.0, nan, -1.0, infinity, 2.0});
    EXPECT_EQ(scale.lowest(), -1);
    EXPECT_EQ(scale.highest(), 3);
    EXPECT_EQ(scale.colour(-5), scale.colour(-1)) << "beyond the end is its end";
    EXPECT_NE(scale.colour(-1), scale.colour(3));
}

TEST(ColourScale, IncreasesLightnessMonotonically) {
    const ColourScale scale(Kind::Sequential, std::array{0.0, 1.0});
    int before = -1;
    for (int step = 0; step <= 10; ++step) {
        const int lightness = qGray(scale.colour(step / 10.0));
        EXPECT_GT(lightness, before) << step;
        before = lightness;
    }
}

TEST(ColourScale, DivergesAroundZero) {
    const ColourScale scale(Kind::Diverging, std::array{-1.0, 4.0});
    EXPECT_EQ(scale.lowest(), -4) << "both ends are equally far away";
    EXPECT_EQ(scale.highest(), 4);
    EXPECT_GT(qBlue(scale.colour(-4)), qRed(scale.colour(-4)));
    EXPECT_GT(qRed(scale.colour(4)), qBlue(scale.colour(4)));
    EXPECT_EQ(qRed(scale.colour(0)), qBlue(scale.colour(0)));
}

TEST(ColourScale, NanHasItsOwnColour) {
    const ColourScale scale(Kind::Diverging, std::array{1.0});
    EXPECT_EQ(scale.colour(nan), ColourScale::nanColour);
    EXPECT_EQ(scale.colour(infinity), ColourScale::positiveInfinityColour);
    EXPECT_EQ(scale.colour(-infinity), ColourScale::negativeInfinityColour);
}

TEST(ColourScale, TheLargestSpanAndNoneAtAllHaveColours) {
    constexpr double max = std::numeric_limits<double>::max();
    const ColourScale widest(Kind::Sequential, std::array{-max, max});
    EXPECT_NE(widest.colour(-max), widest.colour(max));
    EXPECT_NE(widest.colour(0), widest.colour(max));
    const ColourScale one(Kind::Sequential, std::array{7.0});
    EXPECT_EQ(one.colour(7), one.colour(8));
    EXPECT_EQ(ColourScale().lowest(), 0);
}

}  // namespace

}  // namespace et::visualizers
