// Tests of the layout after a restart: with other files, in a window of another size, and after docks were
// dragged.
#include "app/studio/main_window.h"
#include "app/studio/panel_area.h"
#include "app/studio/perspectives.h"
#include "tests/studio/settled.h"
#include "tests/studio/studio_fixture.h"
#include "tests/studio/window_driver.h"
#include "visualizers/toolkit/splitter.h"

#include <QDockWidget>
#include <QSettings>
#include <QTemporaryDir>
#include <QTest>
#include <QTreeView>

#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

namespace et::test {

namespace {

using studio::MainWindow;
using studio::PanelArea;
using Paths = std::vector<std::filesystem::path>;

constexpr QSize laptop(1280, 800);
constexpr QSize desktop(1920, 1080);
constexpr QSize small(1024, 680);

/// Restarts the window repeatedly on one profile.
class LayoutMemoryTest : public StudioTest {
  protected:
    void start(const Paths& files, QSize size) {
        window = std::make_unique<MainWindow>(settings);
        window->open(files);
        window->resize(size);
        window->show();
        ASSERT_TRUE(QTest::qWaitForWindowActive(window.get()));
        ASSERT_TRUE(QTest::qWaitFor([this] { return !window->loader().busy(); }, 30'000));
        settle();
    }
    void quit() {
        QTest::keyClick(window.get(), Qt::Key_Q, Qt::ControlModifier);
        ASSERT_FALSE(window->isVisible());
        window.reset();
    }
    void goTo(const studio::Perspective& plan) {
        window->area().setPerspective(plan);
        settle();
    }
    void settle() { ASSERT_TRUE(test::settle(*window)); }

    [[nodiscard]] PanelArea& area() { return window->area(); }
    [[nodiscard]] QDockWidget& dock(std::string_view id) {
        const auto& entries = area().entries();
        return *std::ranges::find_if(entries, [id](const PanelArea::Entry& each) {
                    return each.info->id == id;
                })->dock;
    }
    [[nodiscard]] double widthOf(std::string_view id) { return double(dock(id).width()) / area().width(); }
    [[nodiscard]] double heightOf(std::string_view id) { return double(dock(id).height()) / area().height(); }

    /// Checks every perspective: the centre has at least half the width, no side more than 30 %.
    void expectSoundLayouts(const std::string& when) {
        for (const studio::Perspective& plan : studio::perspectives()) {
            goTo(plan);
            const std::string where = when + ", " + plan.id;
            double centre = 0;
            for (const studio::PanePlan& pane : plan.centre) {
                for (const std::string_view id : pane.panels) {
                    centre = std::max(centre, WindowDriver::onScreen(dock(id)) ? widthOf(id) : 0);
                }
            }
            EXPECT_GE(centre, 0.5 - 0.01) << where;
            for (const std::string_view side : {"outline", "files", "runs", "inspector"}) {
                if (WindowDriver::onScreen(dock(side))) {
                    EXPECT_LE(widthOf(side), 0.3 + 0.01) << side << ": " << where;
                }
            }
        }
    }
    /// Drags the separator at the right edge of a dock with the mouse.
    void dragRightEdge(std::string_view id, int by) {
        const QRect place = dock(id).geometry();
        const QPoint from = area().mapTo(window.get(), QPoint(place.right() + 2, place.center().y()));
        QWindow* const screen = window->windowHandle();
        QTest::mouseMove(screen, from);
        QTest::mousePress(screen, Qt::LeftButton, {}, from);
        for (int moved = 0; moved != by; moved += by / std::abs(by)) {
            QTest::mouseMove(screen, from + QPoint(moved, 0));
        }
        QTest::mouseRelease(screen, Qt::LeftButton, {}, from + QPoint(by, 0));
        settle();
    }

    QTemporaryDir profile;
    QSettings settings{profile.filePath(QStringLiteral("settings.ini")), QSettings::IniFormat};
    std::unique_ptr<MainWindow> window;
};

TEST_F(LayoutMemoryTest, AProgramAloneLeavesTheTimeLayoutAsItWas) {
    const Paths all = runSamplePaths();
    const auto program = std::ranges::find(all, std::filesystem::path(".pte"),
                                           [](const auto& path) { return path.extension(); });
    ASSERT_NE(program, all.end());
    start(all, laptop);
    QTest::keyClick(window.get(), Qt::Key_1, Qt::ControlModifier);
    settle();
    ASSERT_STREQ(area().perspective().id, "time");
    const QSize timeline = dock("timeline").size();
    const int model = dock("outline").width();
    EXPECT_GT(timeline.width(), area().width() / 2);
    quit();
    start({*program}, laptop);
    quit();
    start(all, laptop);
    QTest::keyClick(window.get(), Qt::Key_1, Qt::ControlModifier);
    settle();
    EXPECT_NEAR(dock("timeline").width(), timeline.width(), 2);
    EXPECT_NEAR(dock("timeline").height(), timeline.height(), 2);
    EXPECT_NEAR(dock("outline").width(), model, 2);
    quit();
}

TEST_F(LayoutMemoryTest, EveryLayoutWorksWithAnyFiles) {
    const Paths all = runSamplePaths();
    Paths program = all;
    std::erase_if(program, [](const auto& path) { return path.extension() != ".pte"; });
    const Paths trace{write("small.etdp", smallTrace(5))};
    const Paths nothing;
    for (const QSize size : {laptop, desktop, small, laptop}) {
        start(all, size);
        expectSoundLayouts("all files");
        quit();
        for (const Paths& alone : {program, nothing}) {
            start(alone, size);
            quit();
        }
        start(trace, size);
        expectSoundLayouts("a trace");
        quit();
        start(program, size);
        expectSoundLayouts("a program");
        quit();
    }
}

TEST_F(LayoutMemoryTest, KeepsChosenSizesAsSharesOfTheWindow) {
    const Paths all = runSamplePaths();
    start(all, laptop);
    goTo(*studio::findPerspective("time"));
    dragRightEdge("outline", 90);
    const double model = widthOf("outline");
    EXPECT_NEAR(model * area().width(), 0.2 * area().width() + 90, 8);
    const double drawer = heightOf("events");
    quit();
    start(all, desktop);
    goTo(*studio::findPerspective("time"));
    EXPECT_NEAR(widthOf("outline"), model, 0.01);
    EXPECT_NEAR(heightOf("events"), drawer, 0.02) << "tab bars have the same height in both";
    window->resize(laptop);
    settle();
    EXPECT_NEAR(widthOf("outline"), model, 0.01) << "also when the window is resized";
    // A session without a model hides the pane; it reappears with its width.
    quit();
    start({write("small.etdp", smallTrace(5))}, laptop);
    goTo(*studio::findPerspective("memory"));
    quit();
    start(all, laptop);
    goTo(*studio::findPerspective("time"));
    EXPECT_NEAR(widthOf("outline"), model, 0.01);
    quit();
}

TEST_F(LayoutMemoryTest, SizesDoNotDriftOverManyStarts) {
    const Paths all = runSamplePaths();
    start(all, laptop);
    goTo(*studio::findPerspective("time"));
    const QSize timeline = dock("timeline").size();
    for (int i = 0; i < 8; ++i) {
        goTo(*studio::findPerspective("structure"));
        goTo(*studio::findPerspective("time"));
        quit();
        start(all, laptop);
    }
    EXPECT_NEAR(dock("timeline").width(), timeline.width(), 2);
    EXPECT_NEAR(dock("timeline").height(), timeline.height(), 2);
    quit();
}

TEST_F(LayoutMemoryTest, TheTableOfCompareFollowsTheWindow) {
    const Paths two{write("a.etdp", smallTrace(5)), write("b.etdp", smallTrace(7))};
    const auto shareOfTable = [&](QSize size) {
        start({two[0]}, size);
        window->addTraces({two[1]});
        EXPECT_TRUE(QTest::qWaitFor([this] { return !window->loader().busy(); }, 30'000));
        goTo(*studio::findPerspective("change"));
        auto* const table = window->findChild<QTreeView*>(QStringLiteral("comparison"));
        const auto* const splitter = qobject_cast<visualizers::Splitter*>(table->parentWidget());
        return double(table->width()) / splitter->width();
    };
    const double fresh = shareOfTable(desktop);
    quit();
    settings.clear();
    static_cast<void>(shareOfTable(small));
    quit();
    EXPECT_NEAR(shareOfTable(desktop), fresh, 0.02);
    quit();
}

}  // namespace

}  // namespace et::test
