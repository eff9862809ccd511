// Tests of painting two distributions over one axis.
#include "visualizers/compare/overlaid_histograms.h"

#include <QImage>

#include <gtest/gtest.h>

#include <numeric>

namespace et::visualizers {

namespace {

TEST(HistogramPair, UsesCommonBins) {
    const std::vector<double> a{1, 1, 2, 2};
    const std::vector<double> b{9, 10};
    const HistogramPair pair = histograms(a, b, 8);
    EXPECT_EQ(pair.a.lowest, 1);
    EXPECT_EQ(pair.b.highest, 10);
    ASSERT_EQ(pair.a.counts.size(), pair.b.counts.size());
    EXPECT_EQ(std::accumulate(pair.a.counts.begin(), pair.a.counts.end(), 0U), 4U);
    EXPECT_EQ(std::accumulate(pair.b.counts.begin(), pair.b.counts.end(), 0U), 2U);
    EXPECT_EQ(pair.b.counts.front(), 0U);
    EXPECT_TRUE(histograms({}, {}, 8).a.counts.empty());
    EXPECT_EQ(histograms(a, {}, 8).b.tallest(), 0U);
}

/// Excess of blue (A's colour) over red (B's) in a region of the plot; negative if red prevails.
int blueness(const QImage& picture, const QRectF& part) {
    int sum = 0;
    for (int y = static_cast<int>(part.top()); y < static_cast<int>(part.bottom()); ++y) {
        for (int x = static_cast<int>(part.left()); x < static_cast<int>(part.right()); ++x) {
            const QRgb pixel = picture.pixel(x, y);
            sum += qBlue(pixel) - qRed(pixel);
        }
    }
    return sum;
}

TEST(OverlaidHistograms, PaintEachSideWhereItsSamplesAre) {
    OverlaidHistograms widget;
    widget.resize(400, 240);
    widget.setSamples(std::vector<double>{1, 1.1, 1.2, 1.1}, std::vector<double>{3, 3.1, 3.2, 3.1},
                      inspector::TimeScale::Milliseconds);
    const QImage picture = widget.grab().toImage();
    const QRectF area = widget.plotArea();
    const QRectF left(area.left(), area.top(), area.width() / 3, area.height());
    const QRectF right(area.right() - area.width() / 3, area.top(), area.width() / 3, area.height());
    EXPECT_GT(blueness(picture, left), 1000);
    EXPECT_LT(blueness(picture, right), -1000);
}

TEST(OverlaidHistograms, OneSideOrNoneIsFine) {
    OverlaidHistograms widget;
    widget.resize(400, 240);
    const QImage empty = widget.grab().toImage();
    widget.setSamples({}, std::vector<double>{3, 3, 3}, inspector::TimeScale::Milliseconds);
    EXPECT_NE(widget.grab().toImage(), empty);
    widget.clear();
    EXPECT_EQ(widget.grab().toImage(), empty);
}

}  // namespace

}  // namespace et::visualizers
