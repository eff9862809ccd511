#pragma once

#include "visualizers/debug/debug_answers.h"
#include "visualizers/toolkit/spoken_picture.h"

#include <QWidget>

#include <cstdint>
#include <optional>
#include <utility>
#include <vector>

namespace et::visualizers {

/// All executions and instructions of the debugger as one axis, with the current position and marks where
/// watchpoints held. A click or the arrow keys request another position; Page Up and Down another execution.
class TimeSlider : public QWidget, public SpokenPicture {
    Q_OBJECT

  public:
    /// An execution and a step, which counts the instructions that it has run.
    using Position = std::pair<std::int64_t, std::int64_t>;

    explicit TimeSlider(QWidget* parent = nullptr);

    /// Number of steps of each execution.
    void setExecutions(std::vector<std::int64_t> known);
    void setHits(std::vector<DebugHit> known);
    /// Nothing: not started.
    void setPosition(std::optional<Position> position);

    [[nodiscard]] const std::vector<DebugHit>& hits() const { return marks; }
    /// Horizontal position in pixels.
    [[nodiscard]] double xOf(const Position& position) const;
    /// The nearest position; nothing without executions.
    [[nodiscard]] std::optional<Position> positionAt(double x) const;

    [[nodiscard]] QString spokenValue() const override;
    [[nodiscard]] QSize sizeHint() const override;
    [[nodiscard]] QSize minimumSizeHint() const override { return sizeHint(); }

  signals:
    /// The user wants to go there.
    void wanted(qint64 execution, qint64 step);

  protected:
    bool event(QEvent* event) override;
    void paintEvent(QPaintEvent* event) override;
    void mousePressEvent(QMouseEvent* event) override;
    void mouseMoveEvent(QMouseEvent* event) override;
    void mouseReleaseEvent(QMouseEvent* event) override;
    void keyPressEvent(QKeyEvent* event) override;

  private:
    void request(std::int64_t at);
    [[nodiscard]] std::int64_t total() const { return starts.empty() ? 0 : starts.back(); }
    [[nodiscard]] std::int64_t placeOf(const Position& position) const;
    [[nodiscard]] Position positionOf(std::int64_t place) const;
    [[nodiscard]] QRectF axisRect() const;
    void paintExecutions(QPainter& painter, const QRectF& axis) const;

    std::vector<std::int64_t> executions;
    std::vector<std::int64_t> starts;  ///< place of each execution on the axis, and the end of the last one
    std::vector<DebugHit> marks;
    std::optional<Position> current;
    std::optional<std::int64_t> dragged;  ///< place under the pressed pointer
};

}  // namespace et::visualizers
