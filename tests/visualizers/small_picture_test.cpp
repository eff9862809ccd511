// Tests of tensor thumbnails.
#include "visualizers/verify/small_picture.h"

#include "visualizers/toolkit/colour_scale.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <limits>

namespace et::visualizers {

namespace {

constexpr QSize room{128, 64};

TensorValues ascending(std::vector<std::int64_t> sizes) {
    TensorValues values;
    std::int64_t all = 1;
    for (const std::int64_t size : sizes) {
        all *= size;
    }
    values.sizes = std::move(sizes);
    for (std::int64_t i = 0; i < all; ++i) {
        values.numbers.push_back(static_cast<double>(i));
    }
    return values;
}

TEST(SmallPicture, FitsItsSize) {
    for (const auto& sizes : std::vector<std::vector<std::int64_t>>{
             {}, {1}, {7}, {1000}, {3, 5}, {500, 700}, {8, 3, 3, 3}, {2, 3, 224, 224}, {1280, 320, 1, 1}}) {
        const QImage picture = smallPicture(ascending(sizes), room);
        ASSERT_FALSE(picture.isNull()) << sizes.size();
        EXPECT_LE(picture.width(), room.width());
        EXPECT_LE(picture.height(), room.height());
    }
}

TEST(SmallPicture, SmallKernelsAreARowForEachChannel) {
    const QImage picture = smallPicture(ascending({4, 3, 3, 3}), room);
    EXPECT_EQ(picture.width() / picture.height(), 27 / 4);
}

TEST(SmallPicture, KeepsValuesFarthestFromZero) {
    TensorValues values = ascending({1, 1280});
    values.sizes = {1, 1280};
    std::ranges::fill(values.numbers, 0.0);
    values.numbers[777] = -5;
    const QImage picture = smallPicture(values, {128, 1});
    const ColourScale scale(ColourScale::Kind::Sequential, values.numbers);
    int different = 0;
    for (int y = 0; y < picture.height(); ++y) {
        for (int x = 0; x < picture.width(); ++x) {
            different += picture.pixel(x, y) != scale.colour(0) ? 1 : 0;
        }
    }
    EXPECT_EQ(different, 1);
}

TEST(SmallPicture, NumbersWithoutAPlaceHaveTheirOwnColours) {
    TensorValues values = ascending({1, 4});
    values.numbers = {0, std::nan(""), std::numeric_limits<double>::infinity(), 1};
    const QImage picture = smallPicture(values, {4, 1});
    EXPECT_EQ(picture.pixel(1, 0), ColourScale::nanColour);
    EXPECT_EQ(picture.pixel(2, 0), ColourScale::positiveInfinityColour);
}

TEST(SmallPicture, EmptyTensorHasNoPicture) {
    EXPECT_TRUE(smallPicture({}, room).isNull());
    EXPECT_TRUE(smallPicture(ascending({0, 3}), room).isNull());
    EXPECT_TRUE(smallPicture(ascending({3, 3}), {}).isNull());
}

}  // namespace

}  // namespace et::visualizers
