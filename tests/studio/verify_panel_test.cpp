// Tests of the tests panel: cases run in another process, and actual outputs are shown next to expected ones.
#include "app/studio/verify/verify_panel.h"

#include "app/studio/notice_bar.h"
#include "app/studio/panel_area.h"
#include "tests/studio/bundles.h"
#include "tests/studio/pictures.h"
#include "tests/studio/studio_fixture.h"
#include "tests/studio/window_driver.h"
#include "visualizers/verify/comparison_view.h"

#include <QAction>
#include <QLabel>
#include <QLineEdit>
#include <QTableView>
#include <QTest>
#include <QTreeView>

#include <gtest/gtest.h>

#include <cstdlib>

namespace et::test {

namespace {

using visualizers::HeatMap;
using visualizers::SliceCell;
using visualizers::TestState;

class VerifyPanelTest : public StudioTest {
  protected:
    VerifyPanelTest() : panel(driver.tests()) {}

    void openBundle(const std::vector<Expectation>& cases) {
        file = write("model.bpte", makeBundle(cases));
        driver.open({file});
    }
    void runAll() {
        panel.tree().setFocus();
        driver.press(Qt::Key_F9);
        driver.waitForTests();
    }
    [[nodiscard]] TestState state(std::size_t testCase) const { return panel.model().state({0, testCase}); }
    void clickCase(int testCase) {
        QTreeView& tree = panel.tree();
        const QModelIndex row = tree.model()->index(testCase, 0, tree.model()->index(0, 0));
        ASSERT_TRUE(row.isValid());
        tree.scrollTo(row);
        QTest::mouseClick(tree.viewport(), Qt::LeftButton, {}, tree.visualRect(row).center());
    }
    [[nodiscard]] QString summary() const {
        return driver.window().findChild<QLabel*>(QStringLiteral("testSummary"))->text();
    }
    /// Colour at the centre of a cell.
    [[nodiscard]] static QRgb pixel(HeatMap& map, SliceCell cell) {
        return map.grab().toImage().pixel(map.cellRect(cell).center());
    }

    mutable WindowDriver driver;
    studio::VerifyPanel& panel;
    std::filesystem::path file;
};

TEST_F(VerifyPanelTest, OpeningABundleShowsItsCases) {
    openBundle({Expectation::Right, Expectation::Wrong});
    EXPECT_TRUE(driver.errors().isEmpty());
    EXPECT_TRUE(WindowDriver::onScreen(panel.tree()));
    EXPECT_EQ(&driver.window().area().current(), &panel);
    EXPECT_EQ(panel.model().rowCount(panel.model().index(0, 0)), 2);
    EXPECT_EQ(state(0), TestState::NotRun);
    EXPECT_FALSE(panel.comparison().expected().model().rowCount() == 0) << "what is expected is known";
    EXPECT_TRUE(panel.comparison().actual().caption().contains(QStringLiteral("not run yet")));
}

TEST_F(VerifyPanelTest, RunsAllAndShowsTheVerdicts) {
    openBundle({Expectation::Right, Expectation::Wrong, Expectation::NotFinite});
    runAll();
    EXPECT_EQ(state(0), TestState::Pass);
    EXPECT_EQ(state(1), TestState::Fail);
    EXPECT_EQ(state(2), TestState::Fail);
    EXPECT_TRUE(summary().contains(QStringLiteral("1 ✓ pass"))) << summary().toStdString();
    EXPECT_TRUE(summary().contains(QStringLiteral("2 ✗ fail")));
    EXPECT_TRUE(driver.errors().isEmpty());
}

TEST_F(VerifyPanelTest, ShowsWrongElementNextToExpectedOne) {
    openBundle({Expectation::Right, Expectation::Wrong});
    runAll();
    clickCase(1);
    visualizers::ComparisonView& view = panel.comparison();
    EXPECT_EQ(view.markedCount(), 1U);
    EXPECT_TRUE(view.cursorText().contains(QStringLiteral("difference -0.")))
        << view.cursorText().toStdString();
    EXPECT_TRUE(view.cursorText().contains(QStringLiteral("out of tolerance")));
    EXPECT_TRUE(view.cursorText().contains(QStringLiteral("tolerance rtol"))) << "which one is in force";
    EXPECT_TRUE(view.largestText().startsWith(QStringLiteral("Largest: expected ")))
        << view.largestText().toStdString();
    const auto column = static_cast<int>(wrongElement);
    EXPECT_EQ(view.difference().table().currentIndex().column(), column)
        << "the worst element is shown first";
    EXPECT_NEAR(view.difference().model().index(0, column).data().toDouble(), -0.5, 1e-5);
    EXPECT_EQ(view.difference().model().index(0, 0).data().toString(), QStringLiteral("0"));
    // Blue below 0 and grey at 0, both clearly different from red.
    const QRgb wrong = pixel(view.difference().heatMap(), {0, column});
    const QRgb right = pixel(view.difference().heatMap(), {0, 0});
    EXPECT_GT(qBlue(wrong), qRed(wrong) + 50);
    EXPECT_LT(std::abs(qBlue(right) - qRed(right)), 20);
}

TEST_F(VerifyPanelTest, ACaseThatPassesIsShownToo) {
    openBundle({Expectation::Right});
    runAll();
    clickCase(0);
    EXPECT_EQ(panel.comparison().markedCount(), 0U);
    EXPECT_EQ(panel.comparison().actual().model().columnCount(),
              panel.comparison().expected().model().columnCount());
    EXPECT_GT(panel.comparison().actual().model().columnCount(), 0);
}

TEST_F(VerifyPanelTest, NanAndInfinityHaveDistinctColours) {
    openBundle({Expectation::NotFinite});
    runAll();
    clickCase(0);
    HeatMap& map = panel.comparison().expected().heatMap();
    panel.comparison().expected().table().setCurrentIndex(panel.comparison().expected().model().index(0, 0));
    EXPECT_EQ(pixel(map, {0, 1}), visualizers::ColourScale::nanColour);
    EXPECT_EQ(pixel(map, {0, 2}), visualizers::ColourScale::positiveInfinityColour);
    EXPECT_EQ(panel.comparison().expected().model().index(0, 1).data().toString(), QStringLiteral("nan"));
    EXPECT_EQ(panel.comparison().markedCount(), 2U);
}

TEST_F(VerifyPanelTest, ACursorMovesInAllThree) {
    openBundle({Expectation::Wrong});
    runAll();
    clickCase(0);
    visualizers::ComparisonView& view = panel.comparison();
    HeatMap& map = view.actual().heatMap();
    QTest::mouseClick(&map, Qt::LeftButton, {}, map.cellRect({0, 1}).center());
    EXPECT_EQ(view.expected().table().currentIndex().column(), 1);
    EXPECT_EQ(view.difference().table().currentIndex().column(), 1);
    QTest::keyClick(&map, Qt::Key_Right);
    EXPECT_EQ(view.expected().table().currentIndex().column(), 2);
    QTest::keyClick(&map, Qt::Key_N);
    EXPECT_EQ(view.expected().table().currentIndex().column(), static_cast<int>(wrongElement));
}

TEST_F(VerifyPanelTest, RerunsFailedCases) {
    openBundle({Expectation::Right, Expectation::Wrong, Expectation::Right});
    runAll();
    std::filesystem::remove(file);
    file = write("model.bpte", makeBundle({Expectation::Wrong, Expectation::Right, Expectation::Wrong}));
    driver.press(Qt::Key_F9, Qt::ShiftModifier);
    EXPECT_EQ(state(1), TestState::Running);
    EXPECT_EQ(state(0), TestState::Pass) << "keeps its verdict";
    driver.waitForTests();
    EXPECT_EQ(state(0), TestState::Pass);
    EXPECT_EQ(state(1), TestState::Pass) << "the file on disk has changed";
}

TEST_F(VerifyPanelTest, AFileThatVanishedIsAnError) {
    openBundle({Expectation::Right});
    std::filesystem::remove(file);
    runAll();
    EXPECT_EQ(state(0), TestState::Error);
    EXPECT_FALSE(panel.model().message({0, 0}).isEmpty());
}

TEST_F(VerifyPanelTest, ACrashIsTheErrorOfTheCasesThatRan) {
    const auto crash = write("crash", "#!/bin/sh\nkill -ABRT $$\n");
    std::filesystem::permissions(crash, std::filesystem::perms::owner_all);
    driver.useProgram(crash);
    openBundle({Expectation::Right, Expectation::Right});
    runAll();
    EXPECT_EQ(state(0), TestState::Error);
    EXPECT_TRUE(panel.model().message({0, 1}).contains(QStringLiteral("crashed")));
    EXPECT_TRUE(panel.comparison().actual().caption().contains(QStringLiteral("crashed")));
}

TEST_F(VerifyPanelTest, CancelLeavesTheCasesNotRun) {
    const auto endless = write("endless", "#!/bin/sh\nexec sleep 1000\n");
    std::filesystem::permissions(endless, std::filesystem::perms::owner_all);
    driver.useProgram(endless);
    openBundle({Expectation::Right});
    panel.tree().setFocus();
    driver.press(Qt::Key_F9);
    EXPECT_EQ(state(0), TestState::Running);
    EXPECT_TRUE(panel.running());
    driver.press(Qt::Key_Period, Qt::ControlModifier);
    driver.waitForTests();
    EXPECT_EQ(state(0), TestState::NotRun);
}

TEST_F(VerifyPanelTest, FiltersByVerdict) {
    openBundle({Expectation::Right, Expectation::Wrong});
    runAll();
    driver.press(Qt::Key_F, Qt::ControlModifier);
    auto* const filter = driver.window().findChild<QLineEdit*>(QStringLiteral("testFilter"));
    ASSERT_TRUE(filter->hasFocus());
    QTest::keyClicks(filter, QStringLiteral("fail"));
    const QAbstractItemModel& shown = *panel.tree().model();
    EXPECT_EQ(shown.rowCount(shown.index(0, 0)), 1);
    filter->clear();
    QTest::keyClicks(filter, QStringLiteral("no such thing"));
    EXPECT_EQ(shown.rowCount(), 0);
}

TEST_F(VerifyPanelTest, UserTolerancesApply) {
    openBundle({Expectation::Right, Expectation::Wrong});
    auto* const allowed = driver.window().findChild<QLineEdit*>(QStringLiteral("atol"));
    allowed->setFocus();
    QTest::keyClicks(allowed, QStringLiteral("float32=0.6"));
    runAll();
    EXPECT_EQ(state(1), TestState::Pass) << "0.5 off, 0.6 is allowed";
    clickCase(1);
    EXPECT_EQ(panel.comparison().markedCount(), 0U);
    allowed->clear();
    runAll();
    EXPECT_EQ(state(1), TestState::Fail);
    QTest::keyClicks(allowed, QStringLiteral("much"));
    runAll();
    EXPECT_EQ(state(0), TestState::Error);
    EXPECT_TRUE(panel.model().message({0, 0}).contains(QStringLiteral("--atol")))
        << panel.model().message({0, 0}).toStdString();
}

TEST_F(VerifyPanelTest, GoesToTheOperatorInTheTrace) {
    std::vector<std::filesystem::path> files = runSamplePaths();
    driver.open(files);
    ASSERT_TRUE(driver.window().opened().blocks());
    ASSERT_TRUE(driver.window().opened().session()->program);
    driver.enterPanel(QStringLiteral("Verify"));
    clickCase(0);
    driver.press(Qt::Key_G);
    ASSERT_TRUE(driver.window().selection().currentOperator());
    ASSERT_NE(driver.window().selection().currentEvent(), nullptr);
    EXPECT_EQ(driver.window().selection().currentEvent()->instruction,
              driver.window().selection().currentOperator()->instruction);
    EXPECT_TRUE(WindowDriver::onScreen(driver.table()));
    EXPECT_NE(&driver.window().area().current(), &panel) << "the events are in front";
}

TEST_F(VerifyPanelTest, TakesItsPicture) {
    driver.window().resize(1280, 720);
    openBundle({Expectation::Right, Expectation::Wrong, Expectation::NotFinite, Expectation::Right});
    runAll();
    clickCase(1);
    takePictures(driver, "verify");
}

}  // namespace

}  // namespace et::test
