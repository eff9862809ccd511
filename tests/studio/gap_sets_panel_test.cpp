// Tests of a gap with several input sets, and of one whose files have changed.
#include "tests/studio/gap_panel_fixture.h"

#include <QComboBox>
#include <QTableView>
#include <QTest>
#include <QTreeView>

#include <gtest/gtest.h>

#include <chrono>
#include <filesystem>

namespace et::test {

namespace {

using visualizers::GapModel;

TEST_F(GapPanelTest, SelectedInputSetIsShownAndRestored) {
    useMadeUpGap(madeUpGapOfTwoSets());
    calculate();
    QComboBox& sets = setBox();
    ASSERT_TRUE(WindowDriver::onScreen(sets));
    ASSERT_EQ(sets.count(), 3);
    EXPECT_EQ(sets.currentText(), QStringLiteral("inputs: case")) << "that of the first divergence";
    const auto before = panel.view().plot().markOf(0, 1);
    driver.rest();  // creates a history entry to return to
    sets.setFocus();
    QTest::keyClick(&sets, Qt::Key_Down);
    waitForDetails();
    EXPECT_EQ(sets.currentText(), QStringLiteral("inputs: random:1"));
    EXPECT_EQ(driver.window().results().gap()->inputs, "random:1") << "for the overlays of other panels";
    EXPECT_EQ(panel.view().currentRow(), 1U) << "the operator stays";
    EXPECT_EQ(cell(0, GapModel::Own), QStringLiteral("0.25"));
    EXPECT_EQ(cell(1, GapModel::Verdict), QStringLiteral("ok"));
    const auto after = panel.view().plot().markOf(0, 1);
    ASSERT_TRUE(before && after);
    EXPECT_LT(after->y(), before->y() - 10) << "the first operator is off on these inputs";
    ASSERT_EQ(panel.details().worstTable().model()->rowCount(), 1) << "tensors of these inputs";
    EXPECT_EQ(panel.details().worstTable().model()->index(0, 0).data().toString(), QStringLiteral("[1, 2]"));
    driver.rest();
    driver.press(Qt::Key_Left, Qt::AltModifier);
    EXPECT_EQ(sets.currentText(), QStringLiteral("inputs: case"));
    EXPECT_EQ(cell(0, GapModel::Own), QStringLiteral("0"));
}

TEST_F(GapPanelTest, WorstRowNamesItsInputs) {
    useMadeUpGap(madeUpGapOfTwoSets());
    calculate();
    EXPECT_TRUE(panel.view().table().isColumnHidden(GapModel::Inputs));
    panel.view().table().setFocus();
    driver.press(Qt::Key_I);
    driver.press(Qt::Key_I);
    ASSERT_EQ(setBox().currentText(), QStringLiteral("worst of all inputs"));
    EXPECT_FALSE(panel.view().table().isColumnHidden(GapModel::Inputs));
    EXPECT_EQ(cell(0, GapModel::Inputs), QStringLiteral("random:1"));
    EXPECT_EQ(cell(0, GapModel::Own), QStringLiteral("0.25"));
    EXPECT_EQ(cell(1, GapModel::Inputs), QStringLiteral("case"));
    EXPECT_EQ(cell(1, GapModel::Own), QStringLiteral("0.5"));
    EXPECT_EQ(cell(2, GapModel::Inputs), QStringLiteral("random:1"));
    driver.press(Qt::Key_F9);
    waitForGap();
    EXPECT_EQ(setBox().currentText(), QStringLiteral("worst of all inputs"))
        << "what was chosen stays when it is calculated anew";
}

TEST_F(GapPanelTest, StaleGapIsGreyedOutUntilRecalculated) {
    useMadeUpGap();
    calculate();
    EXPECT_TRUE(age().isEmpty());
    EXPECT_FALSE(plotIsPale());
    driver.press(Qt::Key_F5);
    driver.waitUntilIdle();
    EXPECT_TRUE(age().isEmpty()) << "nothing has changed";
    const auto record = driver.window().opened().session()->files.record;
    std::filesystem::last_write_time(record,
                                     std::filesystem::last_write_time(record) + std::chrono::seconds(2));
    driver.press(Qt::Key_F5);
    driver.waitUntilIdle();
    EXPECT_TRUE(age().contains(QStringLiteral("F9"))) << age().toStdString();
    EXPECT_TRUE(driver.window().results().gapIsStale());
    EXPECT_EQ(model().rowCount(), 3) << "the old one can still be read";
    EXPECT_TRUE(plotIsPale());
    panel.view().table().setFocus();
    driver.press(Qt::Key_F9);
    EXPECT_FALSE(age().isEmpty());
    waitForGap();
    EXPECT_TRUE(age().isEmpty());
    EXPECT_FALSE(plotIsPale());
}

}  // namespace

}  // namespace et::test
