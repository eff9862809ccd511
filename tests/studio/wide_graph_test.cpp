// A graph that nobody has turned fills the screen that it is on.
#include "app/studio/graph/graph_room.h"
#include "tests/studio/studio_fixture.h"
#include "tests/studio/window_driver.h"
#include "visualizers/graph/graph_canvas.h"

#include <QTest>

#include <gtest/gtest.h>

namespace et::test {

namespace {

using WideGraphTest = StudioTest;

TEST_F(WideGraphTest, IsFilledFromLeftToRight) {
    qputenv("ET_INSPECT_LAYOUT", ET_LAYOUT_HELPER);
    WindowDriver driver;
    driver.window().resize(1600, 700);
    auto& room = *driver.window().findChild<studio::GraphRoom*>();
    driver.open(runSamplePaths());
    driver.enterRoom(QStringLiteral("Graph"));
    ASSERT_TRUE(QTest::qWaitFor([&] { return !room.busy() && room.canvas().scene(); }, 30'000));
    EXPECT_TRUE(room.canvas().scene()->leftToRight());
}

}  // namespace

}  // namespace et::test
