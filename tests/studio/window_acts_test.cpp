// Tests that all actions measured by studio_away_benchmark work in a small window.
#include "tests/studio/window_acts.h"

#include "app/studio/session_saver.h"
#include "tests/studio/studio_fixture.h"
#include "tests/studio/window_driver.h"

#include <QTest>
#include <QThreadPool>

#include <gtest/gtest.h>

namespace et::test {

namespace {

class WindowActsTest : public StudioTest {};

TEST_F(WindowActsTest, EveryActionSucceeds) {
    WindowDriver driver;
    driver.open(runSamplePaths());
    const std::vector<WindowAct> acts = windowActs(driver.window(), folder());
    for (const WindowAct& act : acts) {
        EXPECT_TRUE(act.happens()) << act.name;
        EXPECT_TRUE(QTest::qWaitFor(
            [&] {
                return !driver.window().loader().busy() && !driver.window().saver().busy() &&
                       QThreadPool::globalInstance()->activeThreadCount() == 0;
            },
            30'000))
            << act.name;
        QTest::qWait(0);
    }
    EXPECT_TRUE(std::filesystem::exists(folder() / "saved.db"));
    EXPECT_TRUE(driver.errors().isEmpty()) << driver.errors().join(u'\n').toStdString();
}

TEST_F(WindowActsTest, NothingHappensWithoutFiles) {
    WindowDriver driver;
    for (const WindowAct& act : windowActs(driver.window(), folder())) {
        if (act.name.starts_with("choose") || act.name.starts_with("measure")) {
            EXPECT_FALSE(act.happens()) << act.name;
        }
    }
}

}  // namespace

}  // namespace et::test
