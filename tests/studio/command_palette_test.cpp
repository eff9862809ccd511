// Tests of finding a command by a few letters.
#include "app/studio/command_palette.h"

#include "app/studio/fuzzy_match.h"
#include "app/studio/panel_area.h"
#include "tests/studio/studio_fixture.h"
#include "tests/studio/window_driver.h"
#include "visualizers/events/event_view.h"

#include <QLineEdit>
#include <QTest>
#include <QTreeView>

#include <gtest/gtest.h>

namespace et::test {

namespace {

using studio::fuzzyScore;

TEST(FuzzyScore, RequiresLettersInOrder) {
    EXPECT_TRUE(fuzzyScore(u"gbb", u"Group by Block"));
    EXPECT_TRUE(fuzzyScore(u"GROUP  block", u"Group by Block"));
    EXPECT_FALSE(fuzzyScore(u"bg", u"Group by"));
    EXPECT_FALSE(fuzzyScore(u"x", u"Group by Block"));
    EXPECT_FALSE(fuzzyScore(u"x", u""));
    EXPECT_EQ(fuzzyScore(u"", u"anything"), 0);
    EXPECT_TRUE(fuzzyScore(u"lor", u"color List")) << "an earlier place where a later one leads nowhere";
}

TEST(FuzzyScore, PrefersWordsAndRuns) {
    EXPECT_GT(fuzzyScore(u"ra", u"Run All"), fuzzyScore(u"ra", u"Separate"));
    EXPECT_GT(fuzzyScore(u"open", u"Open"), fuzzyScore(u"open", u"One More Pen"));
    EXPECT_GT(fuzzyScore(u"close", u"Close"), fuzzyScore(u"close", u"Close Second Trace"));
}

class CommandPaletteTest : public StudioTest {
  protected:
    CommandPaletteTest() {
        driver.open(samplePaths());
        driver.table().setFocus();
        driver.press(Qt::Key_P, Qt::ControlModifier | Qt::ShiftModifier);
        palette = driver.window().findChild<studio::CommandPalette*>();
        input = palette->findChild<QLineEdit*>();
    }

    WindowDriver driver;
    studio::CommandPalette* palette = nullptr;
    QLineEdit* input = nullptr;
};

TEST_F(CommandPaletteTest, TriggersTheTypedCommand) {
    ASSERT_TRUE(palette->isVisible());
    EXPECT_TRUE(input->hasFocus());
    EXPECT_GT(palette->offered().size(), 15);
    QTest::keyClicks(input, QStringLiteral("group bl"));
    ASSERT_FALSE(palette->offered().isEmpty());
    EXPECT_TRUE(palette->offered().first().contains(QStringLiteral("Group by Block")))
        << palette->offered().first().toStdString();
    EXPECT_TRUE(palette->offered().first().contains(QStringLiteral("Ctrl+G")));
    QTest::keyClick(input, Qt::Key_Return);
    EXPECT_FALSE(palette->isVisible());
    EXPECT_FALSE(driver.table().model()->index(0, 0).data(visualizers::EventModel::IsBlockRole).toBool());
    EXPECT_TRUE(driver.table().hasFocus()) << "the focus is back";
}

TEST_F(CommandPaletteTest, ArrowsChoose) {
    driver.trigger(QStringLiteral("Dark"));
    EXPECT_LT(QApplication::palette().color(QPalette::Window).lightness(), 100);
    QTest::keyClicks(input, QStringLiteral("appearance"));
    ASSERT_GE(palette->offered().size(), 2);
    ASSERT_TRUE(palette->offered()[1].contains(QStringLiteral("Light")))
        << palette->offered()[1].toStdString();
    QTest::keyClick(input, Qt::Key_Down);
    QTest::keyClick(input, Qt::Key_Return);
    EXPECT_GT(QApplication::palette().color(QPalette::Window).lightness(), 150);
}

TEST_F(CommandPaletteTest, EscapeAndOutsideClickClose) {
    QTest::keyClick(input, Qt::Key_Escape);
    EXPECT_FALSE(palette->isVisible());
    EXPECT_TRUE(driver.table().hasFocus());
    driver.press(Qt::Key_P, Qt::ControlModifier | Qt::ShiftModifier);
    ASSERT_TRUE(palette->isVisible());
    driver.clickEvent(1);
    EXPECT_FALSE(palette->isVisible());
}

TEST_F(CommandPaletteTest, FindsOperatorsAndExports) {
    QTest::keyClicks(input, QStringLiteral("perfetto"));
    ASSERT_FALSE(palette->offered().isEmpty());
    EXPECT_TRUE(palette->offered().first().contains(QStringLiteral("Perfetto")));
    input->clear();
    QTest::keyClicks(input, QStringLiteral("convolution oper"));
    ASSERT_FALSE(palette->offered().isEmpty());
    driver.window().selection().setCurrent(std::nullopt);
    QTest::keyClick(input, Qt::Key_Return);
    const auto* const event = driver.window().selection().currentEvent();
    ASSERT_NE(event, nullptr);
    EXPECT_TRUE(std::string(event->name).find("conv") != std::string::npos) << event->name;
}

TEST_F(CommandPaletteTest, FindsCommandsByOtherWords) {
    QTest::keyClicks(input, QStringLiteral("quantization"));
    ASSERT_FALSE(palette->offered().isEmpty());
    EXPECT_TRUE(palette->offered().first().startsWith(QStringLiteral("Quantize")))
        << palette->offered().first().toStdString();
    input->clear();
    QTest::keyClicks(input, QStringLiteral("report"));
    for (const QString& each : palette->offered()) {
        EXPECT_FALSE(each.contains(QStringLiteral("Previous"))) << each.toStdString();
    }
}

TEST_F(CommandPaletteTest, TheNameCountsMoreThanTheMenu) {
    QTest::keyClicks(input, QStringLiteral("quantize"));
    ASSERT_GT(palette->offered().size(), 2);
    EXPECT_TRUE(palette->offered().first().startsWith(QStringLiteral("Quantize")))
        << palette->offered().join(u'\n').toStdString();
    const std::string offered = palette->offered().join(u'\n').toStdString();
    QTest::keyClick(input, Qt::Key_Return);
    EXPECT_STREQ(driver.window().area().perspective().id, "lab") << offered;
}

TEST_F(CommandPaletteTest, RecentFilesAreLast) {
    QTest::keyClick(input, Qt::Key_Escape);
    driver.open({write("open report.etdp", smallTrace(1))});
    driver.open(samplePaths());
    driver.press(Qt::Key_P, Qt::ControlModifier | Qt::ShiftModifier);
    QTest::keyClicks(input, QStringLiteral("open"));
    const QStringList offered = palette->offered();
    ASSERT_GT(offered.size(), 2);
    EXPECT_TRUE(offered.last().contains(QStringLiteral("Open Recent"))) << offered.join(u'\n').toStdString();
    EXPECT_TRUE(offered.first().startsWith(QStringLiteral("Open"))) << offered.first().toStdString();
    EXPECT_FALSE(offered.first().contains(QStringLiteral("Open Recent")));
}

TEST_F(CommandPaletteTest, IsWideEnoughForItsRows) {
    driver.window().resize(1280, 800);
    QTest::qWait(0);
    EXPECT_GE(palette->width(), 640);
}

TEST_F(CommandPaletteTest, NothingFoundDoesNothing) {
    QTest::keyClicks(input, QStringLiteral("zzzz"));
    EXPECT_TRUE(palette->offered().isEmpty());
    QTest::keyClick(input, Qt::Key_Return);
    EXPECT_FALSE(palette->isVisible());
}

}  // namespace

}  // namespace et::test
