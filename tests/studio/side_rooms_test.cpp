// The files that are open, and the runs of the trace.
#include "app/studio/files/files_room.h"
#include "app/studio/room_area.h"
#include "app/studio/runs/runs_room.h"
#include "app/studio/timeline/timeline_room.h"
#include "tests/studio/studio_fixture.h"
#include "tests/studio/window_driver.h"
#include "visualizers/timeline/timeline_widget.h"
#include "visualizers/toolkit/report_table.h"

#include <QLabel>
#include <QTest>
#include <QTreeView>

#include <gtest/gtest.h>

namespace et::test {

namespace {

using visualizers::TickRange;

class SideRoomsTest : public StudioTest {
  protected:
    void open(const std::vector<std::filesystem::path>& paths) {
        driver.open(paths);
        ASSERT_TRUE(QTest::qWaitFor([this] { return !files().busy() && !runs().busy(); }, 30'000));
        QTest::qWait(0);
    }
    [[nodiscard]] studio::FilesRoom& files() { return *driver.window().findChild<studio::FilesRoom*>(); }
    [[nodiscard]] studio::RunsRoom& runs() { return *driver.window().findChild<studio::RunsRoom*>(); }
    [[nodiscard]] static visualizers::ReportTable& tableOf(QWidget& room) {
        return *room.findChild<visualizers::ReportTable*>();
    }
    [[nodiscard]] static std::size_t rowsOf(QWidget& room) {
        return tableOf(room).model().rows().table.rows.size();
    }

    WindowDriver driver;
};

TEST_F(SideRoomsTest, FilesAreNamedAndLeadToWhatShowsThem) {
    open(runSamplePaths());
    EXPECT_EQ(rowsOf(files()), runSamplePaths().size());
    driver.enterRoom(QStringLiteral("Files"));
    QTreeView& view = tableOf(files()).view();
    for (int row = 0; row < view.model()->rowCount(); ++row) {
        EXPECT_NE(view.model()->index(row, 1).data().toString(), QString()) << "a size";
        if (view.model()->index(row, 2).data().toString() == QStringLiteral("bundled program")) {
            view.setCurrentIndex(view.model()->index(row, 0));
        }
    }
    view.setFocus();
    driver.press(Qt::Key_G);
    EXPECT_EQ(driver.window().area().currentId(), "tests");
}

TEST_F(SideRoomsTest, ARunIsLookedAtInAllRooms) {
    open({write("small.etdp", smallTrace(5))});
    driver.enterPerspective("time");
    auto& timeline = *driver.window().findChild<studio::TimelineRoom*>();
    ASSERT_TRUE(QTest::qWaitFor([&] { return !timeline.busy(); }, 30'000));
    ASSERT_EQ(rowsOf(runs()), 5U);
    EXPECT_TRUE(runs()
                    .findChild<QLabel*>(QStringLiteral("runsHead"))
                    ->text()
                    .startsWith(QStringLiteral("5 runs: p50 ")));
    timeline.view().fitFirstRun();
    const double first = timeline.view().view().to();
    driver.trigger(QStringLiteral("Runs"));
    QTreeView& view = tableOf(runs()).view();
    view.setCurrentIndex(view.model()->index(4, 0));
    const auto range = driver.window().selection().range();
    ASSERT_TRUE(range);
    EXPECT_GT(timeline.view().view().from(), first) << "the timeline goes there";
    // Chosen elsewhere, it is the row here.
    view.setCurrentIndex(view.model()->index(0, 0));
    driver.window().selection().setRange(range);
    EXPECT_EQ(tableOf(runs()).currentRow(), 4U);
    driver.window().selection().setRange(TickRange{range->first, range->last + 1});
    EXPECT_FALSE(tableOf(runs()).currentRow());
}

}  // namespace

}  // namespace et::test
