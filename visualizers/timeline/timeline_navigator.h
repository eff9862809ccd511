#pragma once

#include "visualizers/timeline/timeline_cursor.h"
#include "visualizers/timeline/timeline_scene.h"
#include "visualizers/toolkit/zoom_range.h"

#include <QObject>

#include <optional>

namespace et::visualizers {

class Selection;

/// Moves the current event and the visible time range through a timeline: to search matches, pins, rows,
/// along data flow, and to what other views select.
class TimelineNavigator : public QObject {
    Q_OBJECT

  public:
    /// Both must outlive it.
    TimelineNavigator(TimelineScene& of, Selection& selection);

    /// The current event and the measured range.
    [[nodiscard]] TimelineCursor& cursor() { return marked; }
    [[nodiscard]] const TimelineCursor& cursor() const { return marked; }
    /// The visible range in ticks from the timeline's origin.
    [[nodiscard]] const ZoomRange& view() const { return window; }

    /// Call when the first timeline has changed: shows its typical run.
    void restart(int pixels);
    void setPixels(int pixels) { window.setPixels(pixels); }
    void zoom(double factor, double pixel);
    /// In fractions of the visible range.
    void pan(double right);

    void showTimes(double from, double to);
    void fitAll();
    /// Fits the first execution, or the whole timeline if there is none.
    void fitFirstRun();
    /// Fits the current event.
    void fitChosen();

    /// Makes a span current, or none.
    void choose(const std::optional<SpanRef>& place);
    /// Selects the first event of a row and scrolls to it.
    void chooseRow(EventRef row);
    /// Selects the next (1) or previous (-1) span in the same lane.
    void chooseAdjacent(int by);
    /// Selects the next or previous search match in any lane and scrolls to it.
    void goToMatch(bool forward);
    /// Goes to the next or previous pin; returns false if there is none.
    bool goToPin(bool forward);
    /// Goes to the first consumer of the current step's outputs, or to the last producer of its inputs.
    void followFlow(bool forward);
    /// Measures the time range between two pixels.
    void mark(double from, double to);

  signals:
    void measured(const QString& text);
    /// Emitted when another part of the timeline is visible.
    void viewMoved();

  private:
    void fitRun(std::size_t number);
    void goTo(const std::optional<SpanRef>& place);
    void showRange();
    void showChosen();

    TimelineScene& scene;
    Selection& chosen;
    TimelineCursor marked;
    ZoomRange window;
};

}  // namespace et::visualizers
