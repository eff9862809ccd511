#pragma once

#include "visualizers/timeline/timeline_painter.h"
#include "visualizers/timeline/timeline_scene.h"
#include "visualizers/timeline/timeline_text.h"
#include "visualizers/toolkit/zoom_pan_widget.h"
#include "visualizers/toolkit/zoom_range.h"

#include <memory>
#include <optional>
#include <vector>

namespace et::visualizers {

class Selection;

/// A timeline as coloured bars; a second one can stand below. A click chooses an event, Shift and a drag
/// measure a stretch of time, which becomes the selection's range.
class TimelineWidget : public ZoomPanWidget {
    Q_OBJECT

  public:
    /// `selection` must outlive the widget.
    explicit TimelineWidget(Selection& selection, QWidget* parent = nullptr);

    /// Null shows nothing.
    void setTimeline(std::shared_ptr<const Timeline> shown);
    /// A second one, with its name; null: none.
    void setOverlay(std::shared_ptr<const Timeline> shown, const QString& name);
    /// What stands below the first; null: nothing.
    void setMemory(std::shared_ptr<const TimelineMemory> shown);
    /// Which steps of the first take what which others gave; null: not known.
    void setFlows(std::shared_ptr<const TimelineFlows> shown);
    /// Arrows to and from the chosen event.
    [[nodiscard]] const SpanFlows& flows() const { return arrows; }
    /// What stands below that.
    void setCounters(std::vector<TimelineCounter> shown);
    /// The name of the first, which is shown where there is a second.
    void setName(const QString& name);
    /// Events whose name contains it are as they were, all others pale; empty: none is.
    void setSearch(const QString& text);
    /// Colours by how much longer or shorter each event is than elsewhere (TimelineScene::setDifference()).
    void setDifference(bool shown);
    /// What somebody marked.
    void setPins(std::vector<TimelinePin> marked);
    /// Goes to the next or the previous of them; false: there is none.
    bool goToPin(bool forward);
    /// Chooses what is at a place of the widget.
    void chooseAt(const QPointF& at) { click(at); }
    /// Chooses the first event of a row and brings it into view.
    void chooseRow(EventRef row);
    /// What is on screen of the first execution, or of all where there is none.
    void fitFirstRun();
    /// Chooses the next event that is searched, of all lanes, and brings it into view.
    void nextMatch() { chooseMatch(true); }
    void previousMatch() { chooseMatch(false); }

    [[nodiscard]] const ZoomRange& view() const { return window; }
    void showTimes(double from, double to);
    /// Where a span is painted; empty where it is outside of the view. Layer 1 is the second timeline.
    [[nodiscard]] QRectF rectOf(std::size_t lane, const Span& span, std::size_t layer = 0) const;
    /// The measured stretch in ticks from the first timeline's origin; nothing: none is, or it is outside.
    [[nodiscard]] std::optional<TickRange> stretch() const;
    /// What the measured stretch holds; empty without one.
    [[nodiscard]] QString measurement() const;
    /// The chosen event in a line; empty without one.
    [[nodiscard]] QString pinned() const;
    /// "5 matches, 1.2 ms"; empty where nothing is searched.
    [[nodiscard]] QString matchText() const { return visualizers::matchText(scene); }

    void fitAll() override;
    void fitChosen() override;

    [[nodiscard]] const TimelineScene& content() const { return scene; }
    [[nodiscard]] QSize minimumSizeHint() const override { return {200, 80}; }

  signals:
    void differenceChanged(bool shown);
    void measured(const QString& text);
    /// Another part of the timeline is on screen.
    void viewMoved();

  protected:
    void paintEvent(QPaintEvent* event) override;
    void resizeEvent(QResizeEvent* event) override;
    void changeEvent(QEvent* event) override;

  private:
    void zoom(double factor, Axis axis, const QPointF& at) override;
    void pan(const QPointF& pixels) override;
    void chooseBeside(int by) override;
    void click(const QPointF& at) override;
    void mark(double from, double to) override;
    void hover(std::optional<QPointF> at) override;
    [[nodiscard]] QString tipAt(const QPointF& at) const override;

    void choose(const std::optional<SpanPlace>& place);
    void chooseMatch(bool forward);
    void bringIntoView();
    void moved();
    void resetWindow();
    void showRange();
    void showChosen();
    void followFlow(bool forward);
    void findFlows();
    [[nodiscard]] std::optional<SpanPlace> spanAt(const QPointF& position) const;
    [[nodiscard]] TimelineLayout lanePlaces() const;

    Selection& chosen;
    TimelineScene scene;
    TimelinePainter painter;
    ZoomRange window;  ///< in ticks from the timeline's origin
    std::optional<SpanPlace> current;
    std::shared_ptr<const TimelineFlows> known;
    SpanFlows arrows;
    std::optional<EventRef> currentRow;  ///< of `current` in the first timeline
    int scrolled = 0;                    ///< pixels that lanes are moved up
};

}  // namespace et::visualizers
