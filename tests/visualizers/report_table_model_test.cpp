// Tests of reports as flat and nested rows.
#include "visualizers/toolkit/report_table.h"

#include <QAbstractItemModelTester>
#include <QSignalSpy>
#include <QTest>
#include <QTreeView>

#include <gtest/gtest.h>

#include <string>

namespace et::test {

namespace {

using inspector::format::Cell;
using visualizers::NumberStyle;
using visualizers::ReportRows;
using visualizers::ReportTable;
using visualizers::ReportTableModel;

ReportRows sample() {
    ReportRows rows;
    rows.table.columns = {{.id = "name", .header = "name"},
                          {.id = "bytes", .header = "bytes", .numeric = true},
                          {.id = "share", .header = "share", .numeric = true},
                          {.id = "time",
                           .header = "time (ms)",
                           .numeric = true,
                           .measure = inspector::format::Measure::Milliseconds}};
    rows.styles = {NumberStyle::Plain, NumberStyle::Bytes, NumberStyle::Percent};
    rows.table.rows = {{std::string("a"), std::uint64_t{2048}, 12.34, 0.00006666},
                       {std::string("b\n"), std::int64_t{-2048}, Cell(), 45.8266},
                       {std::string("c"), std::uint64_t{5}, 1.0, 1.5}};
    rows.parents = {std::nullopt, 0, std::nullopt};
    return rows;
}

class ReportTableTest : public testing::Test {
  protected:
    ReportTableTest() { table.setRows(sample()); }
    [[nodiscard]] QString text(std::size_t row, int column, int role = Qt::DisplayRole) {
        return table.model().indexOf(row).siblingAtColumn(column).data(role).toString();
    }

    ReportTable table;
};

TEST_F(ReportTableTest, FormatsNumbersByColumn) {
    const QAbstractItemModelTester tester(&table.model(),
                                          QAbstractItemModelTester::FailureReportingMode::Fatal);
    EXPECT_EQ(text(0, 1), QStringLiteral("2.00 KiB"));
    EXPECT_EQ(text(0, 1, Qt::ToolTipRole), QStringLiteral("2048")) << "to the last byte";
    EXPECT_EQ(text(1, 1), QStringLiteral("−2.00 KiB"));
    EXPECT_EQ(text(0, 2), QStringLiteral("12.3 %"));
    EXPECT_EQ(text(1, 2), QString());
    EXPECT_EQ(text(0, 3), QStringLiteral("66.66 ns"));
    EXPECT_EQ(text(1, 3), QStringLiteral("45.83 ms"));
    EXPECT_EQ(text(0, 3, Qt::ToolTipRole), QStringLiteral("6.666e-05"));
    EXPECT_EQ(table.model().headerData(3, Qt::Horizontal).toString(), QStringLiteral("Time"));
    EXPECT_EQ(text(1, 0), QStringLiteral("b\\x0a")) << "a file's text stays on its line";
}

TEST_F(ReportTableTest, RowsLieBelowTheirParents) {
    const ReportTableModel& model = table.model();
    EXPECT_EQ(model.rowCount(), 2);
    EXPECT_EQ(model.rowCount(model.indexOf(0)), 1);
    EXPECT_EQ(model.indexOf(1).parent(), model.indexOf(0));
    EXPECT_EQ(model.indexOf(2).row(), 1);
    EXPECT_FALSE(model.indexOf(3).isValid());
}

TEST_F(ReportTableTest, IgnoresParentsThatFollowTheirChildren) {
    ReportRows rows = sample();
    rows.parents = {1, 0, 2};
    table.setRows(std::move(rows));
    EXPECT_EQ(table.model().rowCount(), 2) << "no row is its own ancestor";
}

TEST_F(ReportTableTest, SortsNumbersAsNumbersAndCopiesThemAsTheyAre) {
    table.view().sortByColumn(1, Qt::AscendingOrder);
    const auto shown = table.shownRows();
    ASSERT_EQ(shown.rows.size(), 3U);
    EXPECT_EQ(std::get<std::string>(shown.rows[0][0]), "c");
    EXPECT_EQ(std::get<std::uint64_t>(shown.rows[1][1]), 2048U);
    table.setFilter(QStringLiteral("c"));
    EXPECT_EQ(table.shownRows().rows.size(), 1U);
}

TEST_F(ReportTableTest, SignalsOnlyUserSelection) {
    QSignalSpy chosen(&table, &ReportTable::rowChosen);
    table.choose(2);
    EXPECT_EQ(table.currentRow(), 2U);
    EXPECT_EQ(chosen.count(), 0);
    table.show();
    QTest::keyClick(&table.view(), Qt::Key_Home);
    ASSERT_EQ(chosen.count(), 1);
    EXPECT_EQ(chosen.front().front().toULongLong(), 0U);
    table.choose(std::nullopt);
    EXPECT_EQ(table.currentRow(), std::nullopt);
}

}  // namespace

}  // namespace et::test
