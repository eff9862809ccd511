#include "visualizers/graph/spot_image.h"

#include <QPainter>

#include <gtest/gtest.h>

namespace et::visualizers {

namespace {

constexpr QRgb red = 0xffff0000;
constexpr QRgb blue = 0xff0000ff;

QImage device(int width, int height) {
    QImage image(width, height, QImage::Format_RGB32);
    image.fill(Qt::white);
    return image;
}

int dotsOf(const QImage& image, QRgb colour) {
    int count = 0;
    for (int y = 0; y < image.height(); ++y) {
        for (int x = 0; x < image.width(); ++x) {
            count += image.pixel(x, y) == colour ? 1 : 0;
        }
    }
    return count;
}

TEST(SpotImage, ASpotIsAtLeastADot) {
    SpotImage spots(device(20, 10));
    spots.fill({3.1, 4.1, 0.1, 0.1}, red);
    EXPECT_EQ(dotsOf(spots.dots(), red), 1);
    EXPECT_EQ(spots.dots().pixel(3, 4), red);
    spots.fill({10, 2, 4, 3}, blue);
    EXPECT_EQ(dotsOf(spots.dots(), blue), 12);
}

TEST(SpotImage, ClampsOutsidePoints) {
    SpotImage spots(device(20, 10));
    spots.fill({-1e6, -1e6, 2e6, 2e6}, red);
    EXPECT_EQ(dotsOf(spots.dots(), red), 200);
    spots.draw({-1e6, 5, 1e6, 5}, blue);
    EXPECT_EQ(dotsOf(spots.dots(), blue), 20);
    spots.draw({-5, -5, -5, 100}, red);
    spots.draw({100, -5, 3, -7}, red);
    EXPECT_EQ(dotsOf(spots.dots(), blue), 20) << "both pass by";
}

TEST(SpotImage, ALineGoesFromEndToEnd) {
    SpotImage spots(device(20, 20));
    spots.draw({2, 3, 12, 8}, red);
    EXPECT_EQ(spots.dots().pixel(2, 3), red);
    EXPECT_EQ(spots.dots().pixel(12, 8), red);
    EXPECT_EQ(dotsOf(spots.dots(), red), 11);
    spots.draw({5, 15, 5, 15}, blue);
    EXPECT_EQ(spots.dots().pixel(5, 15), blue);
}

TEST(SpotImage, CoversOnlyWhereSomethingIs) {
    QImage below = device(8, 8);
    SpotImage spots(below);
    spots.fill({0, 0, 4, 8}, red);
    QPainter painter(&below);
    spots.paint(painter);
    painter.end();
    EXPECT_EQ(dotsOf(below, red), 32);
    EXPECT_EQ(dotsOf(below, 0xffffffff), 32);
}

}  // namespace

}  // namespace et::visualizers
