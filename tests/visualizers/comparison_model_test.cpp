#include "visualizers/compare/comparison_model.h"

#include "tests/visualizers/comparisons.h"
#include "visualizers/compare/comparison_table.h"
#include "visualizers/compare/overlaid_histograms.h"
#include "visualizers/selection.h"

#include <QAbstractItemModelTester>
#include <QAction>
#include <QApplication>
#include <QClipboard>
#include <QLineEdit>
#include <QTest>
#include <QTreeView>

#include <gtest/gtest.h>

namespace et::visualizers {

namespace {

using inspector::TimeScale;
using inspector::TimeTest;
using inspector::TimeVerdict;

class ComparisonModelTest : public testing::Test {
  protected:
    ComparisonModelTest() { model.setComparison(test::madeUpComparison(), TimeScale::Microseconds); }

    [[nodiscard]] QString cell(int row, ComparisonModel::Column column) const {
        return model.index(row, column, model.index(0, 0)).data().toString();
    }
    [[nodiscard]] QVariant background(int row, ComparisonModel::Column column) const {
        return model.index(row, column, model.index(0, 0)).data(Qt::BackgroundRole);
    }

    ComparisonModel model;
    QAbstractItemModelTester tester{&model, QAbstractItemModelTester::FailureReportingMode::Fatal};
};

TEST_F(ComparisonModelTest, HasMethodsWithTheirRows) {
    EXPECT_EQ(model.rowCount(), 1);
    EXPECT_EQ(model.rowCount(model.index(0, 0)), 4);
    EXPECT_EQ(model.index(0, 0).data().toString(), QStringLiteral("forward"));
    EXPECT_EQ(cell(0, ComparisonModel::Name), QStringLiteral("conv"));
    EXPECT_EQ(model.headerData(ComparisonModel::MedianA, Qt::Horizontal).toString(), QStringLiteral("A p50"));
    EXPECT_EQ(cell(0, ComparisonModel::MedianA), QStringLiteral("1.000 µs"));
    EXPECT_EQ(cell(0, ComparisonModel::MedianB), QStringLiteral("2.000 µs"));
    EXPECT_EQ(cell(0, ComparisonModel::Difference), QStringLiteral("+1.000 µs"));
    EXPECT_EQ(cell(0, ComparisonModel::Change), QStringLiteral("+100.0 %"));
    EXPECT_EQ(cell(0, ComparisonModel::Runs), QStringLiteral("5, 5"));
    EXPECT_EQ(cell(0, ComparisonModel::Kind), QStringLiteral("kernel"));
    EXPECT_EQ(cell(0, ComparisonModel::Aligned), QStringLiteral("sequence"));
}

TEST_F(ComparisonModelTest, MarksOperatorsOnOneSideOnly) {
    EXPECT_TRUE(cell(2, ComparisonModel::Verdict).contains(QStringLiteral("added")));
    EXPECT_EQ(cell(2, ComparisonModel::MedianA), QString());
    EXPECT_EQ(cell(2, ComparisonModel::Change), QString());
    EXPECT_TRUE(cell(3, ComparisonModel::Verdict).contains(QStringLiteral("removed")));
    EXPECT_EQ(cell(3, ComparisonModel::MedianB), QString());
}

TEST_F(ComparisonModelTest, ColoursAreGraded) {
    const auto slower = background(0, ComparisonModel::Change).value<QColor>();
    EXPECT_GT(slower.red(), slower.green());
    EXPECT_FALSE(background(1, ComparisonModel::Change).isValid()) << "the same";
    EXPECT_FALSE(background(0, ComparisonModel::MedianA).isValid());
    TimeTest slightly;
    slightly.verdict = TimeVerdict::Faster;
    slightly.ratio = 0.95;
    TimeTest much = slightly;
    much.ratio = 0.5;
    EXPECT_GT(verdictColour(slightly).green(), verdictColour(slightly).red());
    EXPECT_GT(verdictColour(much).alpha(), verdictColour(slightly).alpha());
    much.ratio = 0.01;
    EXPECT_LE(verdictColour(much).alpha(), 255);
    much.ratio = std::nullopt;
    EXPECT_TRUE(verdictColour(much).isValid());
}

TEST_F(ComparisonModelTest, TicksStayTicks) {
    const auto given = test::madeUpComparison();  // owns the objects that the rows of its copy point to
    auto ticks = std::make_shared<inspector::Measurement>(*given->a);
    ticks->cycles = true;
    auto other = std::make_shared<inspector::Comparison>(*given);
    other->a = ticks;
    model.setComparison(other, TimeScale::Microseconds);
    EXPECT_EQ(model.timeScale(), inspector::TimeScale::Cycles);
    EXPECT_EQ(cell(0, ComparisonModel::MedianA), QStringLiteral("1000 cycles"));
    model.setComparison(nullptr, TimeScale::Microseconds);
    EXPECT_EQ(model.rowCount(), 0);
}

class ComparisonTableTest : public testing::Test {
  protected:
    ComparisonTableTest() {
        view.resize(1000, 400);
        view.show();
        EXPECT_TRUE(QTest::qWaitForWindowActive(&view));
        view.setComparison(test::madeUpComparison(), TimeScale::Microseconds);
    }
    [[nodiscard]] int rowsShown() {
        const QAbstractItemModel& shown = *view.table().model();
        return shown.rowCount(shown.index(0, 0));
    }

    OpenSession opened;
    Selection selection{opened};
    ComparisonTable view{selection};
};

TEST_F(ComparisonTableTest, FiltersByTextAndByVerdict) {
    EXPECT_EQ(rowsShown(), 4);
    QTest::keyClicks(&view.filterBox(), QStringLiteral("conv"));
    EXPECT_EQ(rowsShown(), 1);
    view.filterBox().clear();
    view.table().setFocus();
    QTest::keyClick(&view.table(), Qt::Key_D);
    EXPECT_EQ(rowsShown(), 3) << "without the one that is the same";
}

TEST_F(ComparisonTableTest, KeysGoToTheNextDifference) {
    view.table().setFocus();
    const auto name = [this] { return view.table().currentIndex().siblingAtColumn(0).data().toString(); };
    EXPECT_EQ(name(), QStringLiteral("forward"));
    QTest::keyClick(&view.table(), Qt::Key_Period);
    EXPECT_EQ(name(), QStringLiteral("conv"));
    QTest::keyClick(&view.table(), Qt::Key_Period);
    EXPECT_EQ(name(), QStringLiteral("gelu")) << "add is the same";
    QTest::keyClick(&view.table(), Qt::Key_Comma);
    EXPECT_EQ(name(), QStringLiteral("conv"));
    EXPECT_EQ(selection.currentOperator(), (OperatorRef{"forward", core::InstructionId(0)}));
}

TEST_F(ComparisonTableTest, CopiesRowsAsTsv) {
    view.table().setFocus();
    QTest::keyClick(&view.table(), Qt::Key_Period);
    QTest::keyClick(&view.table(), Qt::Key_C, Qt::ControlModifier);
    const QStringList lines = QApplication::clipboard()->text().split(u'\n');
    ASSERT_GE(lines.size(), 2);
    EXPECT_TRUE(lines[0].startsWith(QStringLiteral("Operator\tVerdict")));
    EXPECT_TRUE(lines[1].startsWith(QStringLiteral("conv\t")));
}

TEST_F(ComparisonTableTest, ShowsTheDistributionsOfTheRow) {
    view.table().setFocus();
    QTest::keyClick(&view.table(), Qt::Key_Period);
    const QImage both = view.histograms().grab().toImage();
    view.setComparison(nullptr, TimeScale::Microseconds);
    EXPECT_NE(view.histograms().grab().toImage(), both);
}

}  // namespace

}  // namespace et::visualizers
