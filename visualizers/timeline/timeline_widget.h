#pragma once

#include "visualizers/timeline/timeline_cursor.h"
#include "visualizers/timeline/timeline_painter.h"
#include "visualizers/timeline/timeline_scene.h"
#include "visualizers/toolkit/zoom_pan_widget.h"
#include "visualizers/toolkit/zoom_range.h"

#include <memory>
#include <optional>
#include <vector>

namespace et::visualizers {

class Selection;

/// A timeline as coloured bars, optionally with a second one below. A click selects an event; Shift+drag
/// measures a time range, which becomes the selection's range.
class TimelineWidget : public ZoomPanWidget {
    Q_OBJECT

  public:
    /// `selection` must outlive the widget.
    explicit TimelineWidget(Selection& selection, QWidget* parent = nullptr);

    /// Null shows nothing.
    void setTimeline(std::shared_ptr<const Timeline> shown);
    /// A second timeline with its name; null: none.
    void setOverlay(std::shared_ptr<const Timeline> shown, const QString& name);
    /// Areas below the first timeline: its memory (null: none), then its counters.
    void setAreas(std::shared_ptr<const TimelineMemory> memory, std::vector<TimelineCounter> counters);
    /// Data flow between the steps of the first timeline; null: unknown.
    void setFlows(std::shared_ptr<const TimelineFlows> shown);
    /// The current event and the measured range.
    [[nodiscard]] const TimelineCursor& cursor() const { return marked; }
    /// The name of the first timeline, shown if there is a second.
    void setName(const QString& name);
    /// Events whose name does not contain it are pale; empty: none.
    void setSearch(const QString& text);
    /// Colours events by their relative change (TimelineScene::setDifference()).
    void setDifference(bool shown);
    /// Pins to show.
    void setPins(std::vector<TimelinePin> pins);
    /// Goes to the next or previous pin; returns false if there is none.
    bool goToPin(bool forward);
    /// Selects the span at a widget position.
    void click(const QPointF& at) override;
    /// Selects the first event of a row and scrolls to it.
    void chooseRow(EventRef row);
    /// Fits the first execution, or the whole timeline if there is none.
    void fitFirstRun();
    /// Selects the next or previous search match in any lane and scrolls to it.
    void goToMatch(bool forward);

    [[nodiscard]] const ZoomRange& view() const { return window; }
    void showTimes(double from, double to);
    /// Rectangle of a span; empty if it is outside of the view. Layer 1 is the second timeline.
    [[nodiscard]] QRectF rectOf(std::size_t lane, const Span& span, std::size_t layer = 0) const;

    void fitAll() override;
    void fitChosen() override;

    [[nodiscard]] const TimelineScene& content() const { return scene; }
    [[nodiscard]] QSize minimumSizeHint() const override { return {200, 80}; }

  signals:
    void differenceChanged(bool shown);
    void measured(const QString& text);
    /// Emitted when another part of the timeline is visible.
    void viewMoved();

  protected:
    void paintEvent(QPaintEvent* event) override;
    void resizeEvent(QResizeEvent* event) override;
    void changeEvent(QEvent* event) override;

  private:
    void zoom(double factor, Axis axis, const QPointF& at) override;
    void pan(const QPointF& pixels) override;
    void selectAdjacent(int by) override;
    void mark(double from, double to) override;
    void hover(std::optional<QPointF> at) override;
    [[nodiscard]] QString tipAt(const QPointF& at) const override;

    void choose(const std::optional<SpanRef>& place);
    void bringIntoView();
    void moved();
    void showRange();
    void showChosen();
    void followFlow(bool forward);
    [[nodiscard]] std::optional<SpanRef> spanAt(const QPointF& position) const;
    [[nodiscard]] TimelineLayout laneLayout() const;

    Selection& chosen;
    TimelineScene scene;
    TimelineCursor marked;
    TimelinePainter painter;
    ZoomRange window;  ///< in ticks from the timeline's origin
    int scrolled = 0;  ///< scroll offset of the lanes in pixels
};

}  // namespace et::visualizers
