// Measures graphs of many thousand nodes: how they open, and the time for opening and for a frame. Times are
// printed but not checked, because machines differ.
#include "app/studio/graph/scene_maker.h"
#include "inspector/graph/graph_overlay.h"
#include "tests/support/generated_graph.h"
#include "visualizers/graph/graph_canvas.h"

#include <QElapsedTimer>
#include <QImage>

#include <gtest/gtest.h>

#include <algorithm>
#include <cstdio>
#include <memory>
#include <string>
#include <vector>

namespace et::test {

namespace {

double milliseconds(const QElapsedTimer& clock) {
    return static_cast<double>(clock.nsecsElapsed()) / 1e6;
}

class GraphSpeed : public testing::Test {
  protected:
    GraphSpeed() {
        qputenv("ET_INSPECT_LAYOUT", ET_LAYOUT_HELPER);
        canvas.resize(1600, 900);
    }

    void show(const studio::SceneOutcome& outcome) {
        canvas.setScene(outcome.scene, inspector::coloursOf(outcome.scene->graph(), outcome.scene->diagram(),
                                                            inspector::Overlay::Kind));
    }
    /// Frame times in milliseconds from the whole graph to single boxes, sorted.
    std::vector<double> frames() {
        std::vector<double> times;
        canvas.fitAll();
        canvas.grab();  // the map
        for (int zoom = 0; zoom < 30; ++zoom) {
            QElapsedTimer clock;
            clock.start();
            canvas.grab();
            times.push_back(milliseconds(clock));
            canvas.zoomIn();
        }
        std::ranges::sort(times);
        return times;
    }
    void report(const char* what, const std::vector<double>& times) {
        const double median = times[times.size() / 2];
        const double high = times[times.size() * 95 / 100];
        RecordProperty("paint_p50_ms", std::to_string(median));
        RecordProperty("paint_p95_ms", std::to_string(high));
        std::printf("%s: frames p50 %.2f ms, p95 %.2f ms\n", what, median, high);
    }

    visualizers::GraphCanvas canvas;
};

TEST_F(GraphSpeed, FiveThousandNodesOpenFolded) {
    const auto graph = generatedGraph(5000);
    QElapsedTimer clock;
    clock.start();
    const studio::SceneOutcome outcome = studio::makeScene({.graph = graph});
    const double made = milliseconds(clock);
    ASSERT_TRUE(outcome.scene);
    EXPECT_EQ(outcome.notice, "");
    show(outcome);
    const QImage picture = canvas.grab().toImage();
    std::printf("5,000 nodes folded to %zu boxes: laid out in %.0f ms, on screen after %.0f ms\n",
                outcome.scene->diagram().boxes.size(), made, milliseconds(clock));
    RecordProperty("open_ms", std::to_string(milliseconds(clock)));
    EXPECT_LE(outcome.scene->diagram().boxes.size(), 170U);
    EXPECT_GE(outcome.scene->diagram().boxes.size(), 50U);
    EXPECT_FALSE(picture.isNull());
    report("5,000 nodes, folded", frames());
}

TEST_F(GraphSpeed, FiftyThousandNodesAreShownInRows) {
    const auto graph = generatedGraph(50'000);
    QElapsedTimer clock;
    clock.start();
    const studio::SceneOutcome outcome = studio::makeScene({.graph = graph, .options = {.expandAll = true}});
    ASSERT_TRUE(outcome.scene);
    EXPECT_TRUE(outcome.notice.contains("Simple layout")) << outcome.notice;
    EXPECT_EQ(outcome.scene->diagram().boxes.size(), 50'001U);
    std::printf("50,000 nodes, all open: laid out in %.0f ms\n", milliseconds(clock));
    show(outcome);
    report("50,000 nodes, all open", frames());
}

TEST_F(GraphSpeed, ALayoutIsMadeOnce) {
    const auto graph = generatedGraph(3000);
    const auto cache = std::make_shared<studio::LayoutCache>();
    const studio::SceneOutcome first = studio::makeScene({.graph = graph, .cache = cache});
    qputenv("ET_INSPECT_LAYOUT", "/nowhere/et-layout");
    const studio::SceneOutcome again = studio::makeScene({.graph = graph, .cache = cache});
    EXPECT_EQ(again.notice, "") << "nobody was asked";
    EXPECT_EQ(again.scene->boxRect(5), first.scene->boxRect(5));
    const studio::SceneOutcome other =
        studio::makeScene({.graph = graph, .leftToRight = true, .cache = cache});
    EXPECT_NE(other.notice, "") << "that is another picture";
}

TEST_F(GraphSpeed, CancelledLayoutIsNotShown) {
    const auto stop = std::make_shared<std::atomic<bool>>(true);
    EXPECT_FALSE(studio::makeScene({.graph = generatedGraph(500), .cancel = stop}).scene);
}

}  // namespace

}  // namespace et::test
