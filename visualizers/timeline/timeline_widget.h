#pragma once

#include "visualizers/timeline/timeline_navigator.h"
#include "visualizers/timeline/timeline_painter.h"
#include "visualizers/timeline/timeline_scene.h"
#include "visualizers/toolkit/zoom_pan_widget.h"

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
    void setAreas(TimelineAreas shown);
    /// Data flow between the steps of the first timeline; null: unknown.
    void setFlows(std::shared_ptr<const TimelineFlows> shown);
    /// The name of the first timeline, shown if there is a second.
    void setName(const QString& name);
    /// Events whose name does not contain it are pale; empty: none.
    void setSearch(const QString& text);
    /// Colours events by their relative change (TimelineScene::setDifference()).
    void setDifference(bool shown);
    /// Marks the row of the debugger's current instruction in every run.
    void setCurrentRow(std::optional<EventRef> row);
    /// Pins to show.
    void setPins(std::vector<TimelinePin> pins);
    /// Selects the span at a widget position.
    void click(const QPointF& at) override;
    /// Moves the current event and the visible range.
    [[nodiscard]] TimelineNavigator& navigation() { return navigator; }
    [[nodiscard]] const TimelineCursor& cursor() const { return navigator.cursor(); }
    [[nodiscard]] const ZoomRange& view() const { return navigator.view(); }
    /// Rectangle of a span; empty if it is outside of the view. Layer 1 is the second timeline.
    [[nodiscard]] QRectF rectOf(std::size_t lane, const Span& span, std::size_t layer = 0) const;

    void fitAll() override { navigator.fitAll(); }
    void fitChosen() override { navigator.fitChosen(); }

    [[nodiscard]] const TimelineScene& content() const { return scene; }
    [[nodiscard]] std::optional<EventRef> debuggedRow() const { return currentRow; }
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
    void selectAdjacent(int by) override { navigator.chooseAdjacent(by); }
    void mark(double from, double to) override { navigator.mark(from, to); }
    void hover(std::optional<QPointF> at) override;
    [[nodiscard]] QString tipAt(const QPointF& at) const override;

    [[nodiscard]] std::optional<SpanRef> spanAt(const QPointF& position) const;
    [[nodiscard]] TimelineLayout laneLayout() const;

    Selection& chosen;
    TimelineScene scene;
    TimelineNavigator navigator;
    TimelinePainter painter;
    std::optional<EventRef> currentRow;  ///< of the debugger
    int scrolled = 0;                    ///< scroll offset of the lanes in pixels
};

}  // namespace et::visualizers
