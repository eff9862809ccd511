// Tests of panels as docks: tabs, keys, restored layout.
#include "app/studio/compare/compare_panel.h"
#include "app/studio/main_window.h"
#include "app/studio/panel_area.h"
#include "app/studio/verify/verify_panel.h"
#include "inspector/session/placement.h"
#include "tests/studio/studio_fixture.h"
#include "tests/studio/window_driver.h"

#include <QDockWidget>
#include <QTest>
#include <QTreeView>

#include <gtest/gtest.h>

#include <algorithm>
#include <set>
#include <string_view>

namespace et::test {

namespace {

using studio::PanelArea;

class PanelsTest : public StudioTest {
  protected:
    PanelsTest() { driver.open(runSamplePaths()); }

    [[nodiscard]] QDockWidget& dock(std::string_view id) {
        for (const PanelArea::Entry& entry : driver.window().area().entries()) {
            if (entry.info->id == id) {
                return *entry.dock;
            }
        }
        ADD_FAILURE() << "no panel " << id;
        return *driver.window().area().entries().front().dock;
    }

    WindowDriver driver;
};

TEST_F(PanelsTest, HaveNamesOfTheirOwn) {
    std::set<std::string_view> ids;
    for (const studio::PanelInfo& info : studio::panels()) {
        EXPECT_TRUE(ids.insert(info.id).second) << info.id;
    }
}

TEST_F(PanelsTest, OpenEveryKindOfFileTogether) {
    const auto& session = driver.window().opened().session();
    ASSERT_TRUE(session);
    EXPECT_TRUE(driver.errors().isEmpty()) << driver.errors().join(u'\n').toStdString();
    EXPECT_TRUE(session->trace && session->record && session->debugBuffer && session->bundle &&
                session->program);
    EXPECT_EQ(inspector::pathsOf(session->files).size(), 5U);
}

TEST_F(PanelsTest, MenusAndKeysLeadToThem) {
    driver.enterPanel(QStringLiteral("Verify"));
    EXPECT_EQ(&driver.window().area().current(), &driver.tests());
    driver.press(Qt::Key_2, Qt::AltModifier);
    EXPECT_TRUE(driver.table().hasFocus());
    EXPECT_FALSE(WindowDriver::onScreen(driver.tests().tree())) << "still one panel alone";
    driver.press(Qt::Key_M, Qt::ControlModifier);
    driver.press(Qt::Key_9, Qt::AltModifier);
    EXPECT_EQ(&driver.window().area().current(), &driver.compare());
    EXPECT_FALSE(driver.table().hasFocus());
}

TEST_F(PanelsTest, KeysOfOnePanelDoNothingInAnother) {
    driver.enterPanel(QStringLiteral("Verify"));
    driver.tests().tree().setFocus();
    const bool grouped =
        driver.table().model()->index(0, 0).data(visualizers::EventModel::IsBlockRole).toBool();
    driver.press(Qt::Key_G, Qt::ControlModifier);
    EXPECT_EQ(driver.table().model()->index(0, 0).data(visualizers::EventModel::IsBlockRole).toBool(),
              grouped);
}

TEST_F(PanelsTest, KeepTheirPositionsAcrossRestarts) {
    driver.enterPerspective("time");
    driver.window().area().addDockWidget(Qt::RightDockWidgetArea, &dock("verify"));
    dock("verify").show();
    QTest::qWait(0);
    EXPECT_TRUE(WindowDriver::onScreen(driver.table()));
    EXPECT_TRUE(WindowDriver::onScreen(driver.tests().tree()));
    driver.enterPerspective("structure");
    EXPECT_FALSE(WindowDriver::onScreen(driver.tests().tree()));
    driver.enterPerspective("time");
    EXPECT_TRUE(WindowDriver::onScreen(driver.tests().tree()));
    driver.window().close();

    studio::MainWindow again(driver.store());
    again.show();
    EXPECT_STREQ(again.area().perspective().id, "time");
    auto* const tests = again.area().findChild<QDockWidget*>(QStringLiteral("verify"));
    EXPECT_EQ(again.area().dockWidgetArea(tests), Qt::RightDockWidgetArea);
    again.area().resetLayout();
    QTest::qWait(0);
    EXPECT_EQ(again.area().dockWidgetArea(tests), Qt::NoDockWidgetArea) << "as at first";
}

TEST_F(PanelsTest, AReloadKeepsThePanelInFront) {
    driver.enterPanel(QStringLiteral("Verify"));
    driver.press(Qt::Key_F5);
    driver.waitUntilIdle();
    EXPECT_EQ(&driver.window().area().current(), &driver.tests());
    EXPECT_TRUE(WindowDriver::onScreen(driver.tests().tree()));
}

}  // namespace

}  // namespace et::test
