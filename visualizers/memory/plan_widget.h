#pragma once

#include "visualizers/memory/memory_plan.h"
#include "visualizers/memory/plan_colours.h"
#include "visualizers/memory/plan_image.h"

#include <QImage>
#include <QString>
#include <QWidget>

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <vector>

namespace et::visualizers {

/// A stretch of a plan's axis.
struct AxisRange {
    double from = 0;
    double to = 0;
    bool operator==(const AxisRange&) const = default;
};

/// An arena's plan as rectangles over instructions (or time) and offsets, below the bytes that are alive.
/// W and S (or the wheel) look closer at the cursor, with Shift at the offsets; A and D pan; dragging moves
/// the plan; a click chooses a tensor, or the step where the curve is.
class PlanWidget : public QWidget {
    Q_OBJECT

  public:
    explicit PlanWidget(QWidget* parent = nullptr);

    /// What to show; `arena` is a position in MemoryTimeline::arenas. With `offsets` (by tensor) another plan
    /// of the same tensors. Null shows nothing.
    void setPlan(std::shared_ptr<const MemoryPlan> shown, std::size_t arena,
                 std::vector<std::uint64_t> offsets = {});
    /// Both fit the axis anew.
    void setAxis(PlanAxis axis);
    void setColours(ColourBy by);
    /// Tensors for which it is not true are pale; empty: none is.
    void setMatches(std::vector<bool> byTensor);
    void setChosenTensor(std::optional<std::size_t> tensor);
    void setChosenStep(std::optional<inspector::Step> step);
    void setRange(std::optional<AxisRange> range);
    /// Ticks of the time axis in a unit.
    void setTimeUnit(double ticksPerUnit, const QString& name);

    [[nodiscard]] const PlanWindow& window() const { return view; }
    [[nodiscard]] const std::vector<PlanBox>& boxes() const { return shownBoxes; }
    [[nodiscard]] const PlanColours& colours() const { return shades; }
    [[nodiscard]] std::optional<std::size_t> chosenTensor() const { return tensor; }
    /// Where a tensor is painted, in pixels of the widget, and where the curve is.
    [[nodiscard]] QRectF rectOf(const PlanBox& box) const;
    [[nodiscard]] QRect plotArea() const;
    [[nodiscard]] QRect curveArea() const;
    /// Shows a part of the axis.
    void showRange(const AxisRange& range);
    /// Shows what was on screen of another version of the plan.
    void keepWindow(const PlanWindow& before);

    [[nodiscard]] QSize minimumSizeHint() const override { return {260, 200}; }

  signals:
    void tensorChosen(std::size_t tensor);
    void stepChosen(std::int64_t step);
    /// A person marked a stretch of the axis.
    void rangeMarked(double from, double to);

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
    enum class Drag : std::uint8_t { None, Pressed, Panning, Marking };

    void createActions();
    void measureLabels();
    void fitAll();
    void fitChosen();
    void showPeak();
    void stepBox(int by);
    void zoom(double factor, bool offsets, QPointF at);
    void pan(double steps, double offsets);
    void recolour();
    void refresh();  ///< the view has changed
    [[nodiscard]] QPointF cursor() const;
    [[nodiscard]] const PlanBox* boxAt(const QPointF& position) const;
    [[nodiscard]] const PlanBox* boxOf(std::optional<std::size_t> tensor) const;
    [[nodiscard]] QString tip(const QPointF& position) const;
    [[nodiscard]] const inspector::ArenaTimeline& arena() const;

    // In plan_widget_painting.cpp.
    void paintOffsets(QPainter& painter) const;
    void paintSteps(QPainter& painter) const;
    void paintCurve(QPainter& painter) const;
    void paintLabels(QPainter& painter) const;
    void paintMarks(QPainter& painter) const;
    void paintOutline(QPainter& painter, const PlanBox* box, int width) const;
    [[nodiscard]] std::vector<QRgb> paintedColours() const;
    [[nodiscard]] QString labelOf(const PlanBox& box) const;
    [[nodiscard]] QString placeText(double place) const;
    [[nodiscard]] double curveY(std::uint64_t live) const;
    [[nodiscard]] bool isDark() const;

    std::shared_ptr<const MemoryPlan> plan;  ///< null: nothing is shown
    std::size_t arenaAt = 0;
    std::vector<PlanBox> shownBoxes;       ///< largest first
    std::vector<std::size_t> boxesByTime;  ///< positions in `shownBoxes`
    std::uint64_t extent = 1;              ///< of the offsets
    PlanWindow view;
    ColourBy colourBy = ColourBy::Kind;
    PlanColours shades;
    std::vector<bool> matches;
    std::optional<std::size_t> tensor;
    std::optional<std::size_t> hovered;
    std::optional<inspector::Step> step;
    std::optional<AxisRange> marked;
    double ticksPerUnit = 1;
    QString unit;
    int labelRoom = 0;  ///< pixels to the left of the picture
    QImage layer;       ///< of the boxes; null: to be painted anew

    Drag drag = Drag::None;
    QPointF dragFrom;
};

}  // namespace et::visualizers
