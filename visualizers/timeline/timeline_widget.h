#pragma once

#include "visualizers/timeline/lane_painter.h"
#include "visualizers/timeline/timeline.h"
#include "visualizers/toolkit/zoom_range.h"

#include <QWidget>

#include <array>
#include <memory>
#include <optional>
#include <vector>

class QAction;

namespace et::visualizers {

class Selection;

/// A timeline as coloured bars. W and S (or the wheel) zoom at the cursor, A and D pan, a click chooses, a
/// drag measures a stretch of time, which becomes the selection's range. A second timeline can stand below,
/// laid so that the same execution of both begins at the same place.
class TimelineWidget : public QWidget {
    Q_OBJECT

  public:
    /// `selection` must outlive the widget.
    explicit TimelineWidget(Selection& selection, QWidget* parent = nullptr);

    /// Null shows nothing.
    void setTimeline(std::shared_ptr<const Timeline> shown);
    /// A second one, with its name; null: none.
    void setOverlay(std::shared_ptr<const Timeline> shown, const QString& name);
    /// The name of the first, which is shown where there is a second.
    void setName(const QString& name);
    /// Events whose name contains it are as they were, all others pale; empty: none is.
    void setSearch(const QString& text);
    /// Chooses the next event that is searched, of all lanes, and brings it into view.
    void nextMatch() { stepMatch(true); }
    void previousMatch() { stepMatch(false); }

    [[nodiscard]] const ZoomRange& view() const { return window; }
    void showTimes(double from, double to);
    /// Where a span is painted; empty where it is outside of the view. Layer 1 is the second timeline.
    [[nodiscard]] QRectF rectOf(std::size_t lane, const Span& span, std::size_t layer = 0) const;
    /// What the measured stretch holds; empty without one.
    [[nodiscard]] QString measurement() const;
    /// The chosen event in a line; empty without one.
    [[nodiscard]] QString pinned() const;
    /// "5 matches, 1.2 ms"; empty where nothing is searched.
    [[nodiscard]] QString matchText() const;
    /// A time in ticks in the unit of the table.
    [[nodiscard]] QString timeText(double ticks) const;

    [[nodiscard]] QSize minimumSizeHint() const override { return {200, 120}; }

  signals:
    void measured(const QString& text);
    /// Another part of the timeline is on screen.
    void viewMoved();

  protected:
    bool event(QEvent* event) override;
    void paintEvent(QPaintEvent* event) override;
    void resizeEvent(QResizeEvent* event) override;
    void changeEvent(QEvent* event) override;
    void wheelEvent(QWheelEvent* event) override;
    void mousePressEvent(QMouseEvent* event) override;
    void mouseMoveEvent(QMouseEvent* event) override;
    void mouseReleaseEvent(QMouseEvent* event) override;

  private:
    struct Layer {
        std::shared_ptr<const Timeline> timeline{};
        LanePainter painter{};
        QString name{};
        double shift = 0;  ///< ticks to add to its times
    };
    struct Hit {
        std::size_t layer;
        std::size_t lane;
        Span span;
    };
    void createActions();
    void addKeyed(const QString& text, const QKeySequence& key, void (TimelineWidget::*slot)());
    void zoomIn();
    void zoomOut();
    void panLeft();
    void panRight();
    void fitAll();
    void fitChosen();
    void nextSpan();
    void previousSpan();
    void step(int by);
    void stepMatch(bool forward);
    void bringIntoView();
    void clearRange();
    void moved();
    void restyle();
    void resetWindow();
    void align();

    [[nodiscard]] const std::shared_ptr<const Timeline>& main() const { return layers[0].timeline; }
    [[nodiscard]] bool overlaid() const { return layers[1].timeline != nullptr; }
    void paintAxis(QPainter& painter) const;
    void paintLayer(QPainter& painter, std::size_t layer);
    void paintMarkers(QPainter& painter, std::size_t layer) const;
    void paintRange(QPainter& painter) const;
    void paintChosen(QPainter& painter) const;
    void choose(const std::optional<Hit>& hit);
    void chooseLike(const Hit& hit);
    void showRange();
    void showChosen();
    [[nodiscard]] std::optional<Hit> hitAt(const QPointF& position) const;
    [[nodiscard]] std::optional<Hit> hitOf(EventRef row) const;
    [[nodiscard]] QString describe(const Hit& hit) const;
    [[nodiscard]] int layerTop(std::size_t layer) const;
    [[nodiscard]] int layerHeight(std::size_t layer) const;
    [[nodiscard]] int headHeight() const;
    [[nodiscard]] int laneTop(std::size_t layer, std::size_t lane) const;
    [[nodiscard]] int laneHeight() const;
    [[nodiscard]] int axisHeight() const;
    [[nodiscard]] double cursorX() const;

    Selection& chosen;
    std::array<Layer, 2> layers;
    ZoomRange window;  ///< in ticks from the timeline's origin
    std::optional<Hit> current;
    std::optional<EventRef> currentRow;  ///< of `current` in the main trace
    QString searched;
    int scrolled = 0;      ///< pixels that lanes are moved up
    double dragFrom = -1;  ///< pixel; negative: no button is down
    double dragTop = 0;
    bool dragging = false;
    bool panning = false;
};

}  // namespace et::visualizers
