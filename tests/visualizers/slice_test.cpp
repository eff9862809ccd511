#include "visualizers/verify/slice_model.h"

#include <QAbstractItemModelTester>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <array>
#include <numeric>

namespace et::visualizers {

namespace {

using testing::ElementsAre;
using testing::IsEmpty;

TEST(Slice, OfAMatrixIsAllOfIt) {
    const Slice slice(std::array<std::int64_t, 2>{3, 5}, {});
    EXPECT_EQ(slice.rows(), 3);
    EXPECT_EQ(slice.columns(), 5);
    EXPECT_EQ(slice.place(2, 4), 14U);
    EXPECT_THAT(slice.index(2, 4), ElementsAre(2, 4));
}

TEST(Slice, AVectorIsARowAndANumberACell) {
    const Slice row(std::array<std::int64_t, 1>{7}, {});
    EXPECT_EQ(row.rows(), 1);
    EXPECT_EQ(row.columns(), 7);
    EXPECT_THAT(row.index(0, 3), ElementsAre(3));
    const Slice cell({}, {});
    EXPECT_EQ(cell.rows(), 1);
    EXPECT_EQ(cell.columns(), 1);
    EXPECT_THAT(cell.index(0, 0), IsEmpty());
}

TEST(Slice, IsAtItsPlaceOfTheOuterDimensions) {
    const std::array<std::int64_t, 4> sizes{2, 3, 4, 5};
    const Slice slice(sizes, std::array<std::int64_t, 2>{1, 2});
    EXPECT_EQ(slice.place(0, 0), (1U * 3 + 2) * 20);
    EXPECT_EQ(slice.place(3, 4), 119U) << "the last element";
    EXPECT_THAT(slice.index(3, 4), ElementsAre(1, 2, 3, 4));
    EXPECT_EQ(Slice::outerDimensions(sizes), 2U);
}

TEST(Slice, ALongRowIsWrapped) {
    const std::array<std::int64_t, 2> scores{1, 1000};
    const Slice slice(scores, {});
    EXPECT_TRUE(slice.wraps());
    EXPECT_EQ(slice.rows(), 25);
    EXPECT_EQ(slice.columns(), 40);
    for (const std::int64_t at : {0, 39, 40, 641, 999}) {
        const SliceCell cell = cellOf(slice, std::array<std::int64_t, 2>{0, at});
        EXPECT_EQ(slice.place(cell.row, cell.column), static_cast<std::size_t>(at));
        EXPECT_THAT(slice.index(cell.row, cell.column), ElementsAre(0, at));
    }
    const Slice batch(std::array<std::int64_t, 3>{4, 1, 256}, std::array<std::int64_t, 1>{3});
    EXPECT_EQ(batch.rows(), 16);
    EXPECT_EQ(batch.place(15, 15), 4U * 256 - 1) << "the last element";
    EXPECT_FALSE(Slice(std::array<std::int64_t, 1>{1009}, {}).wraps()) << "a prime number";
    EXPECT_FALSE(Slice(std::array<std::int64_t, 1>{64}, {}).wraps());
    EXPECT_FALSE(Slice(std::array<std::int64_t, 2>{2, 1000}, {}).wraps());
}

TEST(Slice, EmptyDimensionGivesEmptySlice) {
    EXPECT_TRUE(Slice(std::array<std::int64_t, 2>{0, 5}, {}).empty());
    EXPECT_TRUE(Slice(std::array<std::int64_t, 3>{0, 2, 2}, {}).empty());
    EXPECT_TRUE(Slice().empty());
}

std::shared_ptr<const TensorValues> counting(std::vector<std::int64_t> sizes) {
    auto values = std::make_shared<TensorValues>();
    std::int64_t count = 1;
    for (const std::int64_t each : sizes) {
        count *= each;
    }
    values->sizes = std::move(sizes);
    values->numbers.resize(static_cast<std::size_t>(count));
    std::iota(values->numbers.begin(), values->numbers.end(), 0.0);
    return values;
}

TEST(SliceModel, ShowsTheNumbersOfItsSlice) {
    SliceModel model;
    const QAbstractItemModelTester tester(&model, QAbstractItemModelTester::FailureReportingMode::Fatal);
    const auto values = counting({2, 2, 3});
    model.setValues(values, Slice(values->sizes, std::array<std::int64_t, 1>{1}));
    EXPECT_EQ(model.rowCount(), 2);
    EXPECT_EQ(model.columnCount(), 3);
    EXPECT_EQ(model.index(1, 2).data().toString(), QStringLiteral("11"));
    EXPECT_TRUE(model.index(1, 2).data(Qt::ToolTipRole).toString().startsWith(QStringLiteral("[1, 1, 2]: ")));
    EXPECT_FALSE(model.index(1, 2).data(Qt::BackgroundRole).isValid());
    auto marks = std::make_shared<std::vector<bool>>(12);
    (*marks)[11] = true;
    model.setMarks(marks);
    EXPECT_TRUE(model.index(1, 2).data(Qt::BackgroundRole).isValid());
    EXPECT_FALSE(model.index(1, 1).data(Qt::BackgroundRole).isValid());
    model.setValues(nullptr, {});
    EXPECT_EQ(model.rowCount(), 0);
}

}  // namespace

}  // namespace et::visualizers
