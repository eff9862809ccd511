// Tests of the painted pixels of a heat map, and of clicks on it.
#include "visualizers/verify/heat_map.h"

#include <QImage>
#include <QSignalSpy>
#include <QTest>

#include <gtest/gtest.h>

#include <limits>
#include <numeric>

namespace et::visualizers {

namespace {

class HeatMapTest : public testing::Test {
  protected:
    HeatMapTest() { map.resize(400, 300); }

    void show(std::int64_t rows, std::int64_t columns, std::vector<double> numbers) {
        auto values = std::make_shared<TensorValues>();
        values->sizes = {rows, columns};
        values->numbers = std::move(numbers);
        scale = ColourScale(ColourScale::Kind::Sequential, values->numbers);
        const Slice slice(values->sizes, {});
        map.setValues(values, scale);
        map.setSlice(slice);
    }
    [[nodiscard]] QRgb pixel(SliceCell cell) {
        return map.grab().toImage().pixel(map.cellRect(cell).center());
    }

    HeatMap map{ColourScale::Kind::Sequential};
    ColourScale scale;
};

TEST_F(HeatMapTest, EachCellHasTheColourOfItsNumber) {
    show(2, 3, {0, 1, 2, 3, 4, 5});
    for (std::int64_t row = 0; row < 2; ++row) {
        for (std::int64_t column = 0; column < 3; ++column) {
            EXPECT_EQ(pixel({row, column}), scale.colour(static_cast<double>(row * 3 + column)));
        }
    }
}

TEST_F(HeatMapTest, OutlierAmongAMillionIsVisible) {
    std::vector<double> numbers(1'000'000, 0.0);
    numbers[123'456] = 9;
    show(1000, 1000, std::move(numbers));
    const QImage picture = map.grab().toImage();
    const QRect area = map.plotArea();
    int seen = 0;
    for (int y = area.top(); y <= area.bottom(); ++y) {
        for (int x = area.left(); x <= area.right(); ++x) {
            seen += picture.pixel(x, y) == scale.colour(9) ? 1 : 0;
        }
    }
    EXPECT_GE(seen, 1);
    EXPECT_LE(seen, 4);
}

TEST_F(HeatMapTest, EveryPixelLeadsToTheCellThatIsPaintedThere) {
    const std::vector<std::pair<std::int64_t, std::int64_t>> shapes{
        {2, 3}, {7, 11}, {1, 997}, {300, 500}};  // a prime length is not wrapped
    for (const auto& [rows, columns] : shapes) {
        std::vector<double> numbers(static_cast<std::size_t>(rows * columns));
        std::iota(numbers.begin(), numbers.end(), 0.0);
        show(rows, columns, std::move(numbers));
        const QImage picture = map.grab().toImage();
        const bool gaps = columns * 6 <= map.plotArea().width();  // gaps between large cells
        for (const QPoint& place : {map.plotArea().topLeft(), map.plotArea().center()}) {
            const auto cell = map.cellAt(place);
            ASSERT_TRUE(cell);
            if (!gaps) {
                const auto number = static_cast<double>(cell->row * columns + cell->column);
                EXPECT_EQ(picture.pixel(place), scale.colour(number)) << rows << " x " << columns;
            }
        }
        EXPECT_EQ(map.cellAt(map.plotArea().bottomRight()), (SliceCell{rows - 1, columns - 1}));
        EXPECT_EQ(map.cellAt(map.plotArea().bottomRight() + QPoint(1, 1)), std::nullopt);
        if (columns <= map.plotArea().width()) {
            const SliceCell middle{rows / 2, columns / 2};
            EXPECT_EQ(map.cellAt(map.cellRect(middle).center()), middle) << rows << " x " << columns;
        }
    }
}

TEST_F(HeatMapTest, ClicksAndArrowsChooseCells) {
    show(4, 4, std::vector<double>(16, 1.0));
    QSignalSpy chosen(&map, &HeatMap::cellChosen);
    QTest::mouseClick(&map, Qt::LeftButton, {}, map.cellRect({1, 2}).center());
    ASSERT_EQ(chosen.size(), 1);
    EXPECT_EQ(chosen.takeFirst().at(0).value<SliceCell>(), (SliceCell{1, 2}));
    map.setCursor(SliceCell{3, 3});
    QTest::keyClick(&map, Qt::Key_Down);
    EXPECT_EQ(chosen.takeFirst().at(0).value<SliceCell>(), (SliceCell{3, 3})) << "the edge holds";
    QTest::keyClick(&map, Qt::Key_Up);
    EXPECT_EQ(chosen.takeFirst().at(0).value<SliceCell>(), (SliceCell{2, 3}));
}

TEST_F(HeatMapTest, EmptyMapPaintsNothing) {
    show(0, 4, {});
    EXPECT_TRUE(map.plotArea().isEmpty());
    EXPECT_EQ(map.cellAt({10, 10}), std::nullopt);
    map.grab();
    map.setValues(nullptr, {});
    map.grab();
    QTest::keyClick(&map, Qt::Key_Down);
}

}  // namespace

}  // namespace et::visualizers
