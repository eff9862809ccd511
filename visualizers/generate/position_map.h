#pragma once

#include "inspector/events/position_times.h"
#include "inspector/format/time_scale.h"
#include "visualizers/toolkit/colour_scale.h"
#include "visualizers/toolkit/tip_widget.h"

#include <QImage>
#include <QRect>

#include <cstddef>
#include <memory>
#include <optional>

namespace et::visualizers {

/// Time by module and position as coloured cells: one row per module, one column per execution; a prefill's
/// time is divided by its tokens. A click selects a cell, arrow keys its neighbours.
class PositionMap : public TipWidget {
    Q_OBJECT

  public:
    struct MapCell {
        std::size_t row = 0;
        std::size_t call = 0;
        bool operator==(const MapCell&) const = default;
    };

    explicit PositionMap(QWidget* parent = nullptr);

    /// If null or without executions, shows `why` instead.
    void setTimes(std::shared_ptr<const inspector::events::PositionTimes> shown, inspector::TimeScale scale,
                  const QString& why = {});
    /// Scales colours per row instead of globally, which shows growth with the position.
    void setByRow(bool each);
    /// Selected execution, or nothing.
    void setCall(std::optional<std::size_t> call);

    [[nodiscard]] const inspector::events::PositionTimes* times() const { return values.get(); }
    [[nodiscard]] std::optional<MapCell> cellAt(const QPoint& at) const;
    [[nodiscard]] QRect cellRect(const MapCell& cell) const;
    [[nodiscard]] QRgb colourOf(const MapCell& cell) const;

    [[nodiscard]] QString tipAt(QPoint at) const override;
    [[nodiscard]] QSize sizeHint() const override;
    [[nodiscard]] QSize minimumSizeHint() const override;

  signals:
    void cellChosen(std::size_t row, std::size_t call);

  protected:
    void paintEvent(QPaintEvent* event) override;
    void resizeEvent(QResizeEvent* event) override;
    void mousePressEvent(QMouseEvent* event) override;
    void keyPressEvent(QKeyEvent* event) override;

  private:
    [[nodiscard]] bool isShown() const { return values && !values->rows.empty() && !values->calls.empty(); }
    [[nodiscard]] QRect plot() const;
    [[nodiscard]] double perToken(const MapCell& cell) const;
    [[nodiscard]] QImage render() const;
    void makeScales();
    void choose(const MapCell& cell);
    void paintLabels(class QPainter& painter) const;
    void paintScale(class QPainter& painter) const;

    std::shared_ptr<const inspector::events::PositionTimes> values;
    inspector::TimeScale unit = inspector::TimeScale::Milliseconds;
    QString reason;
    bool byRow = false;
    std::vector<ColourScale> scales;  ///< one, or one per row
    std::optional<std::size_t> chosenCall;
    std::size_t chosenRow = 0;
    QImage picture;  ///< image of plot(); null: must be rendered
};

}  // namespace et::visualizers
