// Tests of responsiveness: results are delivered one per event loop iteration, and the screen is laid out
// once.
#include "app/studio/background.h"
#include "app/studio/panel_area.h"
#include "app/studio/perspectives.h"
#include "app/studio/result_queue.h"
#include "tests/studio/settled.h"
#include "tests/studio/studio_fixture.h"
#include "tests/studio/window_driver.h"
#include "visualizers/overview/dashboard_view.h"

#include <QEventLoop>
#include <QSignalSpy>
#include <QTest>
#include <QTextBrowser>
#include <QThreadPool>

#include <gtest/gtest.h>

#include <algorithm>
#include <memory>
#include <string>
#include <vector>

namespace et::test {

namespace {

using studio::ResultQueue;

TEST(ResultQueueTest, ConsequencesOfAResultPrecedeTheNextResult) {
    std::vector<std::string> order;
    QObject receiver;
    for (const char* const name : {"a", "b", "c"}) {
        ResultQueue::shared().add([&, name] {
            order.emplace_back(name);
            QMetaObject::invokeMethod(
                &receiver, [&] { order.emplace_back("painted"); }, Qt::QueuedConnection);
        });
    }
    ASSERT_TRUE(QTest::qWaitFor([&] { return order.size() == 6; }, 5'000));
    EXPECT_EQ(order, (std::vector<std::string>{"a", "painted", "b", "painted", "c", "painted"}));
}

TEST(ResultQueueTest, WaitingResultReceivesItsDependency) {
    bool wasDone = false;
    bool hasReturned = false;
    QEventLoop waiting;
    ResultQueue::shared().add([&] {
        QTimer::singleShot(5'000, &waiting, &QEventLoop::quit);
        waiting.exec();
        hasReturned = true;
    });
    ResultQueue::shared().add([&] {
        wasDone = !hasReturned;
        waiting.quit();
    });
    ASSERT_TRUE(QTest::qWaitFor([&] { return hasReturned; }, 6'000));
    EXPECT_TRUE(wasDone);
}

TEST(BackgroundTest, DeletedReceiverGetsNoResult) {
    struct Owner : QObject {
        studio::Background<int> work{this};
    };
    auto owner = std::make_unique<Owner>();
    bool came = false;
    owner->work.start([] { return 1; }, [&](int) { came = true; });
    QThreadPool::globalInstance()->waitForDone();  // the result is queued now
    owner.reset();
    bool isLast = false;
    ResultQueue::shared().add([&] { isLast = true; });
    ASSERT_TRUE(QTest::qWaitFor([&] { return isLast; }, 5'000));
    EXPECT_FALSE(came);
}

/// Counts resize events.
class ResizeCounter : public QObject {
  public:
    bool eventFilter(QObject* watched, QEvent* event) override {
        count += event->type() == QEvent::Resize ? 1 : 0;
        return QObject::eventFilter(watched, event);
    }
    int count = 0;
};

class ResponsiveTest : public StudioTest {
  protected:
    ResponsiveTest() {
        driver.window().resize(1400, 900);
        driver.open(runSamplePaths());
    }
    void settle() { EXPECT_TRUE(test::settle(driver.window())); }
    [[nodiscard]] studio::Panel& panel(std::string_view id) {
        const auto& all = driver.window().area().entries();
        return *std::ranges::find_if(all, [id](const auto& each) { return each.info->id == id; })->panel;
    }

    WindowDriver driver;
};

TEST_F(ResponsiveTest, PanelsAreNotLaidOutForEveryDockOfAPerspective) {
    settle();
    driver.enterPerspective("memory");
    settle();
    ResizeCounter sizes;
    panel("timeline").installEventFilter(&sizes);  // moves from below the plan to the centre
    driver.enterPerspective("time");
    settle();
    EXPECT_GE(sizes.count, 1);
    EXPECT_LE(sizes.count, 3);  // its title bar and a scroll bar may appear
}

TEST_F(ResponsiveTest, AChoiceIsWrittenOnce) {
    settle();
    auto* const text = driver.window().findChild<QTextBrowser*>(QStringLiteral("details"));
    const QSignalSpy written(text, &QTextEdit::textChanged);
    driver.window().selection().setCurrent(
        visualizers::EventRef{driver.window().opened().blocks()->blocks().size() - 1, 1});
    EXPECT_LE(written.count(), 2);  // it is cleared first
    EXPECT_FALSE(text->toPlainText().isEmpty());
}

TEST_F(ResponsiveTest, DashboardIsCreatedWhenShown) {
    settle();
    auto* const view = driver.window().findChild<visualizers::DashboardView*>();
    EXPECT_EQ(view->widget(), nullptr) << "another perspective is on screen";
    driver.enterPerspective("overview");
    EXPECT_TRUE(QTest::qWaitFor([&] { return view->widget() != nullptr; }, 10'000));
}

}  // namespace

}  // namespace et::test
