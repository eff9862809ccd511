#pragma once

#include "visualizers/timeline/time_view.h"
#include "visualizers/timeline/timeline.h"

#include <QWidget>

#include <memory>
#include <optional>

class QAction;

namespace et::visualizers {

class Selection;

/// A timeline as coloured bars. W and S (or the wheel) zoom at the cursor, A and D pan, a click chooses, a
/// drag measures a stretch of time, which becomes the selection's range.
class TimelineWidget : public QWidget {
    Q_OBJECT

  public:
    /// `selection` must outlive the widget.
    explicit TimelineWidget(Selection& selection, QWidget* parent = nullptr);

    /// Null shows nothing.
    void setTimeline(std::shared_ptr<const Timeline> shown);
    /// Events whose name contains it are as they were, all others pale; empty: none is.
    void setSearch(const QString& text);

    [[nodiscard]] const TimeView& view() const { return window; }
    /// Where a span is painted; empty where it is outside of the view.
    [[nodiscard]] QRectF rectOf(std::size_t lane, const Span& span) const;
    /// What the measured stretch holds; empty without one.
    [[nodiscard]] QString measurement() const;
    /// "start, length" of a time in ticks in the unit of the table.
    [[nodiscard]] QString timeText(double ticks) const;

    [[nodiscard]] QSize minimumSizeHint() const override { return {200, 120}; }

  signals:
    void measured(const QString& text);

  protected:
    bool event(QEvent* event) override;
    void paintEvent(QPaintEvent* event) override;
    void resizeEvent(QResizeEvent* event) override;
    void wheelEvent(QWheelEvent* event) override;
    void mousePressEvent(QMouseEvent* event) override;
    void mouseMoveEvent(QMouseEvent* event) override;
    void mouseReleaseEvent(QMouseEvent* event) override;

  private:
    struct Hit {
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
    void clearRange();

    void paintAxis(QPainter& painter) const;
    void paintLane(QPainter& painter, std::size_t lane) const;
    void paintPiece(QPainter& painter, const Lane::Piece& piece, std::size_t lane) const;
    void paintRange(QPainter& painter) const;
    void choose(const std::optional<Hit>& hit);
    void showRange();
    void showChosen();
    [[nodiscard]] std::optional<Hit> hitAt(const QPointF& position) const;
    [[nodiscard]] std::optional<Hit> hitOf(EventRef row) const;
    [[nodiscard]] bool matches(std::string_view name) const;
    [[nodiscard]] int laneTop(std::size_t lane) const;
    [[nodiscard]] int laneHeight() const;
    [[nodiscard]] double cursorX() const;

    Selection& chosen;
    std::shared_ptr<const Timeline> timeline;
    TimeView window;
    QString searched;
    std::optional<Hit> current;
    double dragFrom = -1;  ///< pixel; negative: no button is down
    bool dragging = false;
    bool panning = false;
};

}  // namespace et::visualizers
