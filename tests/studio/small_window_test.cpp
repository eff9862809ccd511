// Tests a window of 1024 x 700 with real models: names are readable and nothing is cut off at a side.
#include "app/studio/gap/gap_details.h"
#include "app/studio/gap/gap_panel.h"
#include "app/studio/graph/graph_panel.h"
#include "app/studio/inspector/inspector_panel.h"
#include "app/studio/outline/outline_panel.h"
#include "app/studio/panel_area.h"
#include "app/studio/perspectives.h"
#include "app/studio/timeline/timeline_panel.h"
#include "tests/studio/screen_text.h"
#include "tests/studio/settled.h"
#include "tests/studio/studio_fixture.h"
#include "tests/studio/window_driver.h"
#include "tests/support/shared_data.h"
#include "visualizers/outline/outline_model.h"
#include "visualizers/timeline/timeline_layout.h"
#include "visualizers/timeline/timeline_widget.h"
#include "visualizers/verify/heat_map.h"

#include <QDockWidget>
#include <QScrollArea>
#include <QScrollBar>
#include <QTest>
#include <QTextBrowser>
#include <QTreeView>

#include <gtest/gtest.h>

#include <array>
#include <string>
#include <string_view>

namespace et::test {

namespace {

struct SmallSet {
    const char* name;
    const char* trace;
    const char* program;  ///< path below `programs`, without the suffix
};
constexpr std::array smallSets{
    SmallSet{"cnn", "mobilenet_v2_small_xnnpack", "mobilenet_v2_small/xnnpack"},
    SmallSet{"transformer", "llama_kvsdpa_8da4w", "llama_demo/kvsdpa_8da4w_xnnpack"},
};

class SmallWindowTest : public StudioTest {
  protected:
    void open(const SmallSet& set) {
        const std::string program = (sharedData() / "programs" / set.program).string();
        driver.open(
            {sharedData() / "traces" / set.trace / "trace.etdp", program + ".etrecord", program + ".bpte"});
        driver.enterPerspective("numbers");
        auto* const gap = driver.window().findChild<studio::GapPanel*>();
        gap->setFocus();
        driver.press(Qt::Key_F9);
        ASSERT_TRUE(QTest::qWaitFor([gap] { return !gap->running(); }, 120'000));
        const auto* const inspector = driver.window().findChild<studio::InspectorPanel*>();
        ASSERT_TRUE(QTest::qWaitFor([&] { return !inspector->busy(); }, 60'000));
        driver.window().resize(1024, 700);
    }

    WindowDriver driver;
};

TEST_F(SmallWindowTest, NamesOfTheOutlineHavePanel) {
    ET_NEEDS_SHARED_DATA();
    constexpr int fewestLetters = 8;
    for (const SmallSet& set : smallSets) {
        open(set);
        for (const char* const perspective : {"time", "numbers"}) {
            driver.enterPerspective(perspective);
            ASSERT_TRUE(settle(driver.window()));
            if (driver.window().area().side().shown().empty()) {
                driver.press(Qt::Key_L, Qt::ControlModifier);
                ASSERT_TRUE(settle(driver.window()));
            }
            auto& panel = *driver.window().findChild<studio::OutlinePanel*>();
            QTreeView& tree = panel.tree();
            const int letter = tree.fontMetrics().averageCharWidth();
            int rows = 0;
            for (QModelIndex row = tree.indexAt({1, 1}); row.isValid() && rows < 40; ++rows) {
                const QRect name = tree.visualRect(row.siblingAtColumn(visualizers::OutlineModel::Name));
                EXPECT_GE(name.width(), fewestLetters * letter)
                    << set.name << ", " << perspective << ": " << row.data().toString().toStdString();
                row = tree.indexBelow(row);
            }
            EXPECT_GT(rows, 5);
            const bool times = !tree.isColumnHidden(visualizers::OutlineModel::Time);
            EXPECT_EQ(times, std::string_view(perspective) == "time") << "the number that is asked after";
        }
    }
}

TEST_F(SmallWindowTest, PanelsAreNotCutOffAtASide) {
    ET_NEEDS_SHARED_DATA();
    for (const SmallSet& set : smallSets) {
        open(set);
        for (const studio::Perspective& plan : studio::perspectives()) {
            driver.enterPerspective(plan.id);
            ASSERT_TRUE(settle(driver.window()));
            for (const studio::PanelArea::Entry& entry : driver.window().area().entries()) {
                const auto* const pane = qobject_cast<QScrollArea*>(entry.dock->widget());
                if (!entry.inFront || pane == nullptr || entry.dock->isHidden()) {
                    continue;
                }
                EXPECT_EQ(pane->horizontalScrollBar()->maximum(), 0)
                    << entry.info->id << " in " << plan.id << " of " << set.name << " needs "
                    << entry.panel->minimumSizeHint().width() << " of " << pane->viewport()->width();
            }
            for (const auto* const text : driver.window().findChildren<QTextBrowser*>()) {
                if (WindowDriver::onScreen(*text)) {
                    EXPECT_EQ(text->horizontalScrollBar()->maximum(), 0)
                        << text->objectName().toStdString() << " in " << plan.id << " of " << set.name;
                }
            }
        }
    }
}

/// A panel in a window that was once large needs no more space than in one that was always small.
TEST_F(SmallWindowTest, TheGapFitsItsPaneAfterALargeWindow) {
    ET_NEEDS_SHARED_DATA();
    for (const SmallSet& set : smallSets) {
        open(set);
        const auto* const gap = driver.window().findChild<studio::GapPanel*>();
        for (const QSize size : {QSize(1920, 1080), QSize(1280, 760), QSize(1024, 700)}) {
            driver.window().resize(size);
            driver.enterPerspective("numbers");
            ASSERT_TRUE(settle(driver.window()));
            const auto* const pane = qobject_cast<QScrollArea*>(gap->parentWidget()->parentWidget());
            ASSERT_NE(pane, nullptr);
            EXPECT_EQ(pane->horizontalScrollBar()->maximum(), 0)
                << set.name << " at " << size.width() << " needs " << gap->minimumSizeHint().width();
            if (size.width() >= 1280) {
                EXPECT_EQ(pane->verticalScrollBar()->maximum(), 0)
                    << "the tensors of " << set.name << " are below the fold at " << size.width()
                    << ": needs " << gap->minimumSizeHint().height() << " of " << pane->viewport()->height();
            }
        }
    }
}

/// The tensors of the gap are shown at a usable size; what is below them in a high window appears with
/// Ctrl+J.
TEST_F(SmallWindowTest, GapTensorsAreVisible) {
    ET_NEEDS_SHARED_DATA();
    constexpr int leastPicture = 60;
    for (const SmallSet& set : smallSets) {
        open(set);
        ASSERT_TRUE(settle(driver.window()));
        auto& details = driver.window().findChild<studio::GapPanel*>()->details();
        ASSERT_TRUE(QTest::qWaitFor([&] { return !details.loading(); }, 60'000));
        const auto maps = details.comparison().findChildren<visualizers::HeatMap*>();
        ASSERT_EQ(maps.size(), 3);
        for (const auto* const map : maps) {
            EXPECT_TRUE(WindowDriver::onScreen(*map)) << set.name;
            EXPECT_GE(map->plotArea().width(), leastPicture) << set.name;
            EXPECT_GE(map->height(), leastPicture + 40) << set.name << ": with its legend";
        }
        EXPECT_FALSE(driver.window().area().shows(*driver.window().findChild<studio::GraphPanel*>()));
        driver.press(Qt::Key_J, Qt::ControlModifier);
        ASSERT_TRUE(settle(driver.window()));
        EXPECT_TRUE(driver.window().area().shows(*driver.window().findChild<studio::GraphPanel*>()));
        driver.press(Qt::Key_J, Qt::ControlModifier);
        driver.window().resize(1280, 900);
        driver.window().area().resetLayout();
        ASSERT_TRUE(settle(driver.window()));
        EXPECT_TRUE(driver.window().area().shows(*driver.window().findChild<studio::GraphPanel*>()));
    }
}

TEST_F(SmallWindowTest, BothComparedTracesAreVisible) {
    ET_NEEDS_SHARED_DATA();
    open(smallSets.front());
    driver.window().addTraces({sharedData() / "traces" / "mobilenet_v2_small_xnnpack_debug" / "trace.etdp"});
    driver.waitUntilIdle();
    driver.waitForComparison();
    driver.enterPerspective("change");
    ASSERT_TRUE(settle(driver.window()));
    int lanes = 0;
    for (const SeenText& each : textsOnScreen(driver.window())) {
        lanes += each.text.contains(QStringLiteral("Kernels and delegate calls")) ? 1 : 0;
    }
    EXPECT_EQ(lanes, 2) << "a lane of each, without scrolling";
    const auto& timeline = driver.window().findChild<studio::TimelinePanel*>()->view();
    const visualizers::TimelineLayout places(timeline.content(), timeline.fontMetrics(), timeline.size(), 0);
    EXPECT_EQ(places.maxScroll(), 0) << "all lanes of both";
}

TEST_F(SmallWindowTest, NoPerspectiveIsHalfEmpty) {
    ET_NEEDS_SHARED_DATA();
    open(smallSets.front());
    for (const QSize size : {QSize(1024, 700), QSize(1920, 1080)}) {
        driver.window().resize(size);
        for (const studio::Perspective& plan : studio::perspectives()) {
            driver.enterPerspective(plan.id);
            ASSERT_TRUE(settle(driver.window()));
            // Every quarter of the window contains text.
            std::array<int, 4> letters{};
            for (const SeenText& each : textsOnScreen(driver.window())) {
                const QPoint at = each.place.center();
                const std::size_t quarter =
                    (at.y() * 2 >= size.height() ? 2U : 0U) + (at.x() * 2 >= size.width() ? 1U : 0U);
                letters[quarter] += static_cast<int>(each.text.size());
            }
            for (std::size_t i = 0; i < letters.size(); ++i) {
                constexpr int fewest = 24;
                EXPECT_GE(letters[i], fewest)
                    << "quarter " << i << " of " << plan.id << " at " << size.width();
            }
        }
    }
}

}  // namespace

}  // namespace et::test
