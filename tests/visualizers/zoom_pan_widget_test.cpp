// Tests of keys, wheel and drags, which all plots share.
#include "visualizers/toolkit/zoom_pan_widget.h"

#include <QApplication>
#include <QTest>
#include <QWheelEvent>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <string>
#include <vector>

namespace et::visualizers {

namespace {

using testing::ElementsAre;
using testing::IsEmpty;

/// Records the calls it receives.
class Recorder : public ZoomPanWidget {
  public:
    explicit Recorder(const ZoomPanOptions& can) : ZoomPanWidget(can, nullptr) { resize(200, 100); }

    std::vector<std::string> done;

    void fitAll() override { done.emplace_back("fit all"); }
    void fitChosen() override { done.emplace_back("fit chosen"); }

  private:
    void zoom(double factor, Axis axis, const QPointF& at) override {
        done.push_back(std::string(factor < 1 ? "in" : "out") + (axis == Axis::Up ? " up" : "") + " at " +
                       std::to_string(std::lround(at.x())));
    }
    void pan(const QPointF& pixels) override {
        done.push_back("pan " + std::to_string(std::lround(pixels.x())) + " " +
                       std::to_string(std::lround(pixels.y())));
    }
    void selectAdjacent(int by) override { done.push_back("beside " + std::to_string(by)); }
    void click(const QPointF& at) override { done.push_back("click " + std::to_string(std::lround(at.x()))); }
    bool doubleClick(const QPointF&) override {
        done.emplace_back("double click");
        return true;
    }
    void mark(double from, double to) override {
        done.push_back("mark " + std::to_string(std::lround(from)) + " " + std::to_string(std::lround(to)));
    }
    bool holdAt(const QPointF& at) override { return at.y() > 90; }
    void follow(const QPointF& at) override {
        done.push_back("follow " + std::to_string(std::lround(at.x())));
    }
    [[nodiscard]] QString tipAt(const QPointF&) const override { return {}; }
};

class ZoomPanWidgetTest : public testing::Test {
  protected:
    void drag(QPoint from, QPoint to, Qt::KeyboardModifiers with = {},
              Qt::MouseButton button = Qt::LeftButton) {
        QTest::mousePress(&widget, button, with, from);
        QMouseEvent move(QEvent::MouseMove, QPointF(to), widget.mapToGlobal(QPointF(to)), Qt::NoButton,
                         button, with);
        QApplication::sendEvent(&widget, &move);
        QTest::mouseRelease(&widget, button, with, to);
    }
    void wheel(QPoint notches, Qt::KeyboardModifiers with = {}) {
        const QPointF at(150, 20);
        QWheelEvent event(at, widget.mapToGlobal(at), {}, notches * 120, Qt::NoButton, with,
                          Qt::NoScrollPhase, false);
        QApplication::sendEvent(&widget, &event);
    }
    void trigger(const QString& text) {
        for (QAction* const action : widget.actions()) {
            if (action->text().remove(u'&') == text) {
                action->trigger();
                return;
            }
        }
        ADD_FAILURE() << "no action " << text.toStdString();
    }

    Recorder widget{{.upDown = true,
                     .zoomsUp = true,
                     .marks = true,
                     .itemName = QStringLiteral("Event"),
                     .stepName = QStringLiteral("Event")}};
};

TEST_F(ZoomPanWidgetTest, ADragPansAndIsNoClick) {
    drag({100, 50}, {80, 60});
    EXPECT_THAT(widget.done, ElementsAre("pan 20 -10"));
    drag({100, 50}, {80, 60}, {}, Qt::MiddleButton);
    EXPECT_THAT(widget.done, ElementsAre("pan 20 -10", "pan 20 -10"));
}

TEST_F(ZoomPanWidgetTest, ShortDragIsALeftClick) {
    drag({100, 50}, {101, 51});
    EXPECT_THAT(widget.done, ElementsAre("click 101"));
    drag({100, 50}, {101, 51}, {}, Qt::RightButton);
    EXPECT_EQ(widget.done.size(), 1U);
}

TEST_F(ZoomPanWidgetTest, ShiftMarksWhereThereAreRanges) {
    drag({100, 50}, {60, 50}, Qt::ShiftModifier);
    EXPECT_THAT(widget.done, ElementsAre("mark 60 100"));
    Recorder plain({.itemName = QStringLiteral("Box")});
    QTest::mousePress(&plain, Qt::LeftButton, Qt::ShiftModifier, {100, 50});
    QMouseEvent move(QEvent::MouseMove, QPointF(60, 50), plain.mapToGlobal(QPointF(60, 50)), Qt::NoButton,
                     Qt::LeftButton, Qt::ShiftModifier);
    QApplication::sendEvent(&plain, &move);
    EXPECT_THAT(plain.done, ElementsAre("pan 40 0"));
}

TEST_F(ZoomPanWidgetTest, DraggedContentFollowsTheMouse) {
    drag({100, 95}, {60, 95});
    EXPECT_THAT(widget.done, ElementsAre("follow 60"));
}

TEST_F(ZoomPanWidgetTest, ADoubleClickIsNoSecondClick) {
    QTest::mouseClick(&widget, Qt::LeftButton, {}, {100, 50});
    QTest::mouseDClick(&widget, Qt::LeftButton, {}, {100, 50});  // a double click follows the first click
    EXPECT_THAT(widget.done, ElementsAre("click 100", "double click"));
}

TEST_F(ZoomPanWidgetTest, TheWheelZoomsAtTheCursorAndPansWithShift) {
    wheel({0, 1});
    wheel({0, -1});
    wheel({0, 1}, Qt::ControlModifier);
    wheel({0, 1}, Qt::ShiftModifier);
    wheel({1, 0}, Qt::ShiftModifier);  // some platforms rotate the wheel direction
    wheel({-1, 0});
    EXPECT_THAT(widget.done,
                ElementsAre("in at 150", "out at 150", "in up at 150", "pan -40 0", "pan -40 0", "pan 40 0"));
}

TEST_F(ZoomPanWidgetTest, ActionsAreLabelledAndWork) {
    trigger(QStringLiteral("Zoom In"));
    trigger(QStringLiteral("Zoom Out Vertically"));
    trigger(QStringLiteral("Pan Right"));
    trigger(QStringLiteral("Pan Up"));
    trigger(QStringLiteral("Fit All"));
    trigger(QStringLiteral("Fit Selected Event"));
    trigger(QStringLiteral("Next Event"));
    trigger(QStringLiteral("Previous Event"));
    EXPECT_THAT(widget.done, ElementsAre("in at 100", "out up at 100", "pan 40 0", "pan 0 -20", "fit all",
                                         "fit chosen", "beside 1", "beside -1"));
}

TEST_F(ZoomPanWidgetTest, APictureHasOnlyTheActionsThatItUnderstands) {
    const Recorder plain({.itemName = QStringLiteral("Box")});
    for (const QAction* const action : plain.actions()) {
        EXPECT_FALSE(action->text().contains(QStringLiteral("Verti")));
        EXPECT_NE(action->shortcut(), QKeySequence(Qt::Key_Period));
    }
    EXPECT_THAT(plain.done, IsEmpty());
}

}  // namespace

}  // namespace et::visualizers
