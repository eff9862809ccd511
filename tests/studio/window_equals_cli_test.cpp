// Tests that the window shows what et-inspect prints: the same cells in the same order, also after filtering,
// sorting and selecting.
#include "tests/studio/cli_output.h"
#include "tests/studio/studio_fixture.h"
#include "tests/studio/window_driver.h"

#include <QApplication>
#include <QClipboard>
#include <QTreeView>

#include <gtest/gtest.h>

#include <algorithm>

namespace et::test {

namespace {

using visualizers::EventModel;

class WindowEqualsCliTest : public StudioTest {
  protected:
    WindowEqualsCliTest() : files(samplePaths()) {
        driver.trigger(QStringLiteral("ms"));  // unit of piped command-line tables
        driver.open(files);
    }

    [[nodiscard]] TextTable printed(const QStringList& arguments) {
        const QStringList columns{QStringLiteral("--columns"), driver.columnIds()};
        return gridCells(inspectOutput(files, columns + arguments));
    }
    [[nodiscard]] QString printedTsv(const QStringList& arguments) {
        const QStringList columns{QStringLiteral("--columns"), driver.columnIds(), QStringLiteral("--format"),
                                  QStringLiteral("tsv")};
        return withoutRowNumbers(inspectOutput(files, columns + arguments));
    }

    WindowDriver driver;
    std::vector<std::filesystem::path> files;
};

TEST_F(WindowEqualsCliTest, AllRowsInFileOrder) {
    EXPECT_TRUE(driver.errors().isEmpty());
    ASSERT_GT(driver.shown().size(), 5);
    EXPECT_EQ(driver.shown(), printed({}));
}

TEST_F(WindowEqualsCliTest, EveryColumn) {
    for (int column = 0; column < EventModel::columnTotal(); ++column) {
        driver.table().setColumnHidden(column, false);
    }
    const TextTable expected = printed({});
    const TextTable shown = driver.shown();
    ASSERT_EQ(shown.size(), expected.size());
    for (qsizetype row = 0; row < shown.size(); ++row) {
        for (qsizetype column = 0; column < EventModel::columnTotal(); ++column) {
            QString cell = shown[row][column];
            if (cell.endsWith(u'…')) {  // elided on screen
                cell.chop(1);
                EXPECT_TRUE(expected[row][column].startsWith(cell));
            } else {
                EXPECT_EQ(cell, expected[row][column]) << shown[0][column].toStdString();
            }
        }
    }
}

TEST_F(WindowEqualsCliTest, WithOperatorCalls) {
    driver.trigger(QStringLiteral("OPERATOR_CALL"));
    EXPECT_EQ(driver.shown(), printed({QStringLiteral("--operator-calls")}));
}

TEST_F(WindowEqualsCliTest, Filtered) {
    driver.trigger(QStringLiteral("Regular Expression"));
    driver.typeFilter(QStringLiteral("conv|softmax"));
    const TextTable expected = printed({QStringLiteral("--filter"), QStringLiteral("conv|softmax")});
    ASSERT_GT(expected.size(), 1);
    EXPECT_LT(expected.size(), printed({}).size());
    EXPECT_EQ(driver.shown(), expected);
}

TEST_F(WindowEqualsCliTest, SortedByAClickOnTheHeader) {
    driver.trigger(QStringLiteral("Group by Block"));
    const TextTable inFileOrder = driver.shown();
    driver.clickHeader(EventModel::P50);
    const TextTable slowestFirst = driver.shown();
    EXPECT_NE(slowestFirst, inFileOrder);
    EXPECT_EQ(slowestFirst, printed({QStringLiteral("--sort"), QStringLiteral("p50")}));
    driver.clickHeader(EventModel::P50);
    EXPECT_EQ(driver.shown(), printed({QStringLiteral("--sort=+p50")}));
    driver.clickHeader(EventModel::P50);
    EXPECT_EQ(driver.shown(), inFileOrder) << "the third click is the order of the file";
    driver.clickHeader(EventModel::Name);
    QStringList names;
    for (int row = 0; row < driver.table().model()->rowCount(); ++row) {
        names.append(driver.table().model()->index(row, EventModel::Name).data().toString());
    }
    ASSERT_GT(names.size(), 5);
    EXPECT_TRUE(std::ranges::is_sorted(names)) << "by what people read";
}

TEST_F(WindowEqualsCliTest, CopiedRows) {
    driver.enterPanel(QStringLiteral("Events"));
    driver.table().setFocus();
    driver.press(Qt::Key_A, Qt::ControlModifier);
    driver.press(Qt::Key_C, Qt::ControlModifier);
    EXPECT_EQ(QApplication::clipboard()->text(), printedTsv({}));
    driver.clickEvent(3);
    driver.press(Qt::Key_C, Qt::ControlModifier);
    const QStringList all = printedTsv({}).split(u'\n');
    EXPECT_EQ(QApplication::clipboard()->text(), all[0] + u'\n' + all[4] + u'\n');
}

TEST_F(WindowEqualsCliTest, InAnotherUnit) {
    driver.trigger(QStringLiteral("us"));
    driver.waitUntilIdle();
    EXPECT_TRUE(driver.shown()[0].contains(QStringLiteral("p50 (us)")));
    EXPECT_EQ(driver.shown(), printed({QStringLiteral("--target-time-scale"), QStringLiteral("us")}));
}

}  // namespace

}  // namespace et::test
