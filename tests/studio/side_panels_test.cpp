// Tests of the left side: the rail that switches it, the open files, and the runs of the trace.
#include "app/studio/files/files_panel.h"
#include "app/studio/panel_area.h"
#include "app/studio/runs/runs_panel.h"
#include "app/studio/timeline/timeline_panel.h"
#include "tests/studio/studio_fixture.h"
#include "tests/studio/window_driver.h"
#include "visualizers/timeline/timeline_widget.h"
#include "visualizers/toolkit/report_table.h"

#include <QAction>
#include <QComboBox>
#include <QDockWidget>
#include <QHeaderView>
#include <QLabel>
#include <QTest>
#include <QToolButton>
#include <QTreeView>

#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>
#include <string_view>

namespace et::test {

namespace {

using visualizers::TickRange;

class SidePanelsTest : public StudioTest {
  protected:
    void open(const std::vector<std::filesystem::path>& paths) {
        driver.open(paths);
        ASSERT_TRUE(QTest::qWaitFor([this] { return !files().busy() && !runs().busy(); }, 30'000));
        QTest::qWait(0);
    }
    [[nodiscard]] studio::FilesPanel& files() { return *driver.window().findChild<studio::FilesPanel*>(); }
    [[nodiscard]] studio::RunsPanel& runs() { return *driver.window().findChild<studio::RunsPanel*>(); }
    [[nodiscard]] static visualizers::ReportTable& tableOf(QWidget& panel) {
        return *panel.findChild<visualizers::ReportTable*>();
    }
    [[nodiscard]] static std::size_t rowsOf(QWidget& panel) {
        return tableOf(panel).model().rows().table.rows.size();
    }

    [[nodiscard]] studio::PanelArea& area() { return driver.window().area(); }
    [[nodiscard]] const studio::PanelArea::Entry& entry(std::string_view id) {
        return *std::ranges::find_if(
            area().entries(), [id](const studio::PanelArea::Entry& each) { return each.info->id == id; });
    }
    [[nodiscard]] bool onScreen(std::string_view id) { return WindowDriver::onScreen(*entry(id).panel); }

    WindowDriver driver;
};

TEST_F(SidePanelsTest, FilesAreListedAndLinkToTheirPanels) {
    open(runSamplePaths());
    EXPECT_EQ(rowsOf(files()), runSamplePaths().size());
    driver.enterPanel(QStringLiteral("Files"));
    QTreeView& view = tableOf(files()).view();
    for (int row = 0; row < view.model()->rowCount(); ++row) {
        EXPECT_NE(view.model()->index(row, 1).data().toString(), QString()) << "a size";
        if (view.model()->index(row, 2).data().toString() == QStringLiteral("bundled program")) {
            view.setCurrentIndex(view.model()->index(row, 0));
        }
    }
    view.setFocus();
    driver.press(Qt::Key_G);
    EXPECT_EQ(driver.window().area().currentId(), "verify");
}

TEST_F(SidePanelsTest, SelectedRunAppliesToAllPanels) {
    open({write("small.etdp", smallTrace(5))});
    driver.enterPerspective("time");
    auto& timeline = *driver.window().findChild<studio::TimelinePanel*>();
    ASSERT_TRUE(QTest::qWaitFor([&] { return !timeline.busy(); }, 30'000));
    ASSERT_EQ(rowsOf(runs()), 5U);
    EXPECT_TRUE(runs()
                    .findChild<QLabel*>(QStringLiteral("runsHead"))
                    ->text()
                    .startsWith(QStringLiteral("5 runs: p50 ")));
    timeline.view().navigation().fitFirstRun();
    const double first = timeline.view().view().to();
    driver.trigger(QStringLiteral("Runs"));
    QTreeView& view = tableOf(runs()).view();
    view.setCurrentIndex(view.model()->index(4, 0));
    const auto range = driver.window().selection().range();
    ASSERT_TRUE(range);
    EXPECT_GT(timeline.view().view().from(), first) << "the timeline goes there";
    // A run selected elsewhere is the current row here.
    view.setCurrentIndex(view.model()->index(0, 0));
    driver.window().selection().setRange(range);
    EXPECT_EQ(tableOf(runs()).currentRow(), 4U);
    driver.window().selection().setRange(TickRange{range->first, range->last + 1});
    EXPECT_FALSE(tableOf(runs()).currentRow());
}

TEST_F(SidePanelsTest, TracesWithEqualNamesAreDistinguished) {
    std::filesystem::create_directories(folder() / "monday");
    std::filesystem::create_directories(folder() / "tuesday");
    driver.open({write("monday/trace.etdp", smallTrace(3))});
    auto* const below = driver.window().findChild<QComboBox*>(QStringLiteral("timelineOthers"));
    driver.window().addTraces({write("tuesday/trace.etdp", smallTrace(5))});
    driver.waitUntilIdle();
    EXPECT_EQ(below->currentText(), QStringLiteral("Below: tuesday/trace.etdp"));
    const auto names = driver.window().findChild<QLabel*>(QStringLiteral("compareFiles"))->text();
    EXPECT_TRUE(names.contains(QStringLiteral("A  monday/trace.etdp "))) << names.toStdString();
    EXPECT_TRUE(names.contains(QStringLiteral("B  tuesday/trace.etdp "))) << names.toStdString();
    driver.window().addTraces({write("third.etdp", smallTrace(5))});
    driver.waitUntilIdle();
    EXPECT_EQ(below->currentText(), QStringLiteral("Below: third.etdp"));
}

TEST_F(SidePanelsTest, ATableKeepsTheWidthsOfItsColumnsWhileItIsEmpty) {
    open({write("small.etdp", smallTrace(5))});
    QHeaderView& header = *tableOf(runs()).view().header();
    header.resizeSection(0, 173);
    driver.trigger(QStringLiteral("Close"));
    EXPECT_EQ(rowsOf(runs()), 0U);
    open({write("other.etdp", smallTrace(7))});
    EXPECT_EQ(rowsOf(runs()), 7U);
    EXPECT_EQ(header.sectionSize(0), 173);
}

TEST_F(SidePanelsTest, RailSwitchesTheLeftPanel) {
    driver.open(runSamplePaths());
    driver.enterPerspective("time");
    const auto button = [this](const char* id) {
        return driver.window().findChild<QToolButton*>(QStringLiteral("rail/") + QLatin1String(id));
    };
    const auto click = [&](const char* id) {
        QTest::mouseClick(button(id), Qt::LeftButton);
        QTest::qWait(0);
    };
    const auto isAlone = [&](const char* id) {
        for (const char* const each : {"outline", "files", "runs"}) {
            EXPECT_EQ(onScreen(each), std::string_view(each) == id) << each << " while " << id;
            EXPECT_EQ(button(each)->isChecked(), std::string_view(each) == id) << each;
        }
    };
    const int width = entry("outline").dock->width();
    isAlone("outline");
    click("files");
    isAlone("files");
    EXPECT_NEAR(entry("files").dock->width(), width, 2) << "in its place";
    EXPECT_EQ(area().currentId(), "files") << "its keys work";
    driver.press(Qt::Key_3, Qt::ControlModifier | Qt::AltModifier);
    QTest::qWait(0);
    isAlone("runs");
    click("runs");
    isAlone("");
    driver.press(Qt::Key_L, Qt::ControlModifier);
    QTest::qWait(0);
    isAlone("runs");
    driver.window().findChild<QAction*>(QStringLiteral("panel/outline"))->trigger();
    QTest::qWait(0);
    isAlone("outline");
    // In perspectives that need the width, the side is folded at first.
    driver.enterPerspective("structure");
    isAlone("");
    click("files");
    isAlone("files");
    driver.enterPerspective("time");
    isAlone("outline");
    driver.enterPerspective("structure");
    isAlone("files");
}

TEST_F(SidePanelsTest, LeftPanelIsRestored) {
    driver.open(runSamplePaths());
    driver.enterPerspective("time");
    area().side().toggle("files");
    entry("runs").dock->setFloating(true);
    entry("runs").dock->show();
    QTest::qWait(0);
    EXPECT_TRUE(onScreen("files")) << "what floats does not fold what stands at the left";
    area().saveTo(driver.store());
    area().resetLayout();
    QTest::qWait(0);
    EXPECT_EQ(area().side().shown(), "outline");
    EXPECT_FALSE(entry("runs").dock->isFloating());
    area().restoreFrom(driver.store());
    QTest::qWait(0);
    EXPECT_EQ(area().side().shown(), "files");
    EXPECT_TRUE(entry("runs").dock->isFloating());
    EXPECT_FALSE(entry("runs").dock->isHidden());
}

}  // namespace

}  // namespace et::test
