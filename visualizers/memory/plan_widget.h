#pragma once

#include "visualizers/memory/memory_plan.h"
#include "visualizers/memory/plan_colours.h"
#include "visualizers/memory/plan_painter.h"
#include "visualizers/toolkit/zoom_pan_widget.h"

#include <QString>

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <vector>

namespace et::visualizers {

/// An arena's plan as rectangles over instructions (or time) and offsets, below a curve of live bytes. A
/// click selects a tensor, or a step on the curve; Shift+drag marks a range of the axis.
class PlanWidget : public ZoomPanWidget {
    Q_OBJECT

  public:
    explicit PlanWidget(QWidget* parent = nullptr);

    /// `arena` is a position in MemoryTimeline::arenas; `offsets` (by tensor) is another plan of the same
    /// tensors. Null shows nothing.
    void setPlan(const std::shared_ptr<const MemoryPlan>& plan, std::size_t arena,
                 const std::vector<std::uint64_t>& offsets = {});
    /// Sets and fits the axis.
    void setAxis(inspector::PlanAxis axis);
    void setColours(ColourBy by);
    /// By tensor: tensors with false are pale; empty: none is.
    void setMatches(std::vector<bool> byTensor);
    void setChosenTensor(std::optional<std::size_t> tensor);
    /// Tensor under the pointer in another view.
    void setGlowing(std::optional<std::size_t> tensor);
    void setChosenStep(std::optional<inspector::Step> step);
    /// The debugger's current step.
    void setCurrentStep(std::optional<inspector::Step> step);
    void setRange(std::optional<AxisRange> range);

    [[nodiscard]] const PlanWindow& window() const { return shown.window; }
    [[nodiscard]] const std::vector<inspector::PlanBox>& boxes() const { return shown.content.boxes(); }
    [[nodiscard]] const PlanColours& colours() const { return shown.shades; }
    /// The content with its marks.
    [[nodiscard]] const PlanShown& state() const { return shown; }
    /// Rectangle of a tensor and the plot areas in widget pixels.
    [[nodiscard]] QRectF rectOf(const inspector::PlanBox& box) const;
    [[nodiscard]] QRect plotArea() const { return areas().plot; }
    [[nodiscard]] QRect curveArea() const { return areas().curve; }
    /// Zooms to a range of the axis.
    void showRange(const AxisRange& range);
    /// Restores the visible part of another version of the plan.
    void keepWindow(const PlanWindow& before);
    /// Left to right in axis units, bottom to top in bytes.
    void showPart(double left, double right, double bottom, double top);

    [[nodiscard]] QString spokenValue() const override;
    void fitAll() override;
    void fitChosen() override;

    [[nodiscard]] QSize minimumSizeHint() const override { return {260, 200}; }

  signals:
    void tensorChosen(std::size_t tensor);
    void stepChosen(std::int64_t step);
    void pointed(std::optional<std::size_t> tensor);  ///< the pointer is over this tensor, or over none
    /// Emitted when the user has marked a range of the axis.
    void rangeMarked(double from, double to);
    void viewMoved();

  protected:
    void paintEvent(QPaintEvent* event) override;
    void resizeEvent(QResizeEvent* event) override;
    void changeEvent(QEvent* event) override;

  private:
    void zoom(double factor, Axis axis, const QPointF& at) override;
    void pan(const QPointF& pixels) override;
    void selectAdjacent(int by) override;
    void click(const QPointF& at) override;
    void mark(double from, double to) override;
    void hover(std::optional<QPointF> at) override;
    [[nodiscard]] QString tipAt(const QPointF& at) const override;
    [[nodiscard]] QRectF pictureArea() const override { return plotArea(); }

    void showPeak();
    void recolour();
    void refresh();  ///< call when the view has changed
    [[nodiscard]] const inspector::PlanBox* boxAt(const QPointF& position) const;
    [[nodiscard]] inspector::Step stepAt(const QPointF& position) const;
    [[nodiscard]] PlanAreas areas() const { return PlanAreas::of(size(), fontMetrics()); }

    PlanShown shown;
    PlanPainter painter;
    ColourBy colourBy = ColourBy::Kind;
};

}  // namespace et::visualizers
