#pragma once

#include "inspector/findings/dashboard.h"
#include "visualizers/toolkit/tip_widget.h"

#include <cstddef>
#include <optional>
#include <vector>

namespace et::visualizers {

/// The instructions of a method from left to right, coloured by where they run. Upper strip: equal widths;
/// lower strip, if times are known: widths proportional to time. Of several on one pixel, the longest is
/// shown.
class InstructionStrip : public TipWidget {
    Q_OBJECT

  public:
    explicit InstructionStrip(QWidget* parent);

    void show(inspector::MethodSteps steps, inspector::TimeScale scale);
    [[nodiscard]] const inspector::MethodSteps& method() const { return shown; }
    /// The step at a point; nothing outside of the strips.
    [[nodiscard]] std::optional<std::size_t> stepAt(QPoint at) const;

    [[nodiscard]] QString tipAt(QPoint at) const override;
    [[nodiscard]] QSize sizeHint() const override;
    [[nodiscard]] QSize minimumSizeHint() const override;

  signals:
    void chosen(const std::string& method, core::InstructionId instruction);

  protected:
    void paintEvent(QPaintEvent* event) override;
    void mousePressEvent(QMouseEvent* event) override;
    void keyPressEvent(QKeyEvent* event) override;

  private:
    [[nodiscard]] QRectF row(int place) const;
    [[nodiscard]] QString textOf(std::size_t step) const;
    void paintRow(class QPainter& painter, const QRectF& area, const std::vector<double>& ends) const;
    void choose(std::size_t step);

    inspector::MethodSteps shown;
    inspector::TimeScale unit = inspector::TimeScale::Milliseconds;
    std::vector<double> byPlace;  ///< end of each step, 0 to 1
    std::vector<double> byTime;   ///< same for times; empty: no times
    std::optional<std::size_t> current;
};

}  // namespace et::visualizers
