// Tests that splitters keep dragged positions, as fractions of their length, and nothing else.
#include "visualizers/toolkit/splitter.h"

#include <QTest>
#include <QWidget>

#include <gtest/gtest.h>

namespace et::test {

namespace {

using visualizers::Splitter;

class SplitterTest : public testing::Test {
  protected:
    SplitterTest() { fill(splitter); }

    static void fill(Splitter& into) {
        into.addWidget(new QWidget);
        into.addWidget(new QWidget);
        into.setStretchFactor(0, 3);
        into.setStretchFactor(1, 1);
    }
    static void show(Splitter& which, int width) {
        which.resize(width, 100);
        which.show();
        ASSERT_TRUE(QTest::qWaitForWindowExposed(&which));
    }
    /// Moves the handle with the mouse.
    static void drag(Splitter& which, int by) {
        QWidget* const handle = which.handle(1);
        const QPoint from = handle->rect().center();
        QTest::mousePress(handle, Qt::LeftButton, {}, from);
        QTest::mouseMove(handle, from + QPoint(by, 0));
        QTest::mouseRelease(handle, Qt::LeftButton, {}, from + QPoint(by, 0));
    }
    [[nodiscard]] static double shareOfFirst(const Splitter& which) {
        return double(which.sizes().front()) / which.width();
    }

    Splitter splitter;
};

TEST_F(SplitterTest, KeepsOnlySizesThatTheUserChose) {
    show(splitter, 1000);
    EXPECT_TRUE(splitter.saveState().isEmpty());
    splitter.resize(400, 100);
    EXPECT_TRUE(splitter.saveState().isEmpty());
}

TEST_F(SplitterTest, KeepsADraggedHandleAsAShareOfTheLength) {
    show(splitter, 1000);
    const double before = shareOfFirst(splitter);
    drag(splitter, -300);
    const double dragged = shareOfFirst(splitter);
    EXPECT_NEAR(dragged, before - 0.3, 0.02);
    const QByteArray state = splitter.saveState();
    splitter.resize(2000, 100);
    EXPECT_NEAR(shareOfFirst(splitter), dragged, 0.01);

    Splitter other;
    fill(other);
    other.restoreState(state);  // before it is shown, as at start-up
    EXPECT_EQ(other.saveState(), state) << "a start without showing it loses nothing";
    show(other, 1600);
    EXPECT_NEAR(shareOfFirst(other), dragged, 0.01);
}

TEST_F(SplitterTest, DamagedStatesAreIgnored) {
    show(splitter, 1000);
    const QList<int> before = splitter.sizes();
    drag(splitter, -300);
    const QByteArray state = splitter.saveState();
    drag(splitter, 300);
    const QList<int> now = splitter.sizes();
    for (qsizetype length = 0; length < state.size(); ++length) {
        splitter.restoreState(state.first(length));
        EXPECT_EQ(splitter.sizes(), now) << length;
    }
    splitter.restoreState(splitter.QSplitter::saveState());
    EXPECT_EQ(splitter.sizes(), now);
    EXPECT_NEAR(now.front(), before.front(), 10);
}

}  // namespace

}  // namespace et::test
