#pragma once

#include "visualizers/toolkit/tip_widget.h"

#include <QColor>

#include <functional>
#include <optional>
#include <vector>

namespace et::visualizers {

/// A segment of a bar.
struct BarPart {
    QString name;
    QString value;  ///< "0.32 ms, 62.1 %"
    double size = 0;
    /// Evaluated when painting, because colours change with the appearance.
    std::function<QColor(const QPalette&)> colour;
};

struct Bar {
    QString title;
    QString value;  ///< of the whole bar
    std::vector<BarPart> parts{};
    double marker = -1;  ///< position of a marker line, such as the peak of a plan; below 0: none
    QString markerText{};
};

/// Bars below each other on one scale, each divided into segments with names and values below them: the parts
/// of a whole, such as a run's time, or one segment per bar, such as sizes for comparison.
class BarStack : public TipWidget {
    Q_OBJECT

  public:
    enum class Legend : bool { Off, On };

    BarStack(Legend legend, QWidget* parent);

    /// Bar lengths are relative to the largest bar.
    void show(std::vector<Bar> bars);
    [[nodiscard]] const std::vector<Bar>& bars() const { return all; }

    [[nodiscard]] bool hasHeightForWidth() const override { return true; }
    [[nodiscard]] int heightForWidth(int width) const override;
    [[nodiscard]] QString tipAt(QPoint at) const override;
    [[nodiscard]] QSize sizeHint() const override;
    [[nodiscard]] QSize minimumSizeHint() const override;

  protected:
    void paintEvent(QPaintEvent* event) override;

  private:
    struct Entry {
        QRect place;  ///< rectangle of a legend entry
        const BarPart* part;
    };
    [[nodiscard]] std::vector<Entry> makeLegend(const Bar& bar, int top, int width) const;
    [[nodiscard]] int heightOf(const Bar& bar, int width) const;
    [[nodiscard]] QRectF barArea(int top) const;
    [[nodiscard]] double largest() const;
    void paintBar(class QPainter& painter, const Bar& bar, int top) const;
    void paintLegend(class QPainter& painter, const Bar& bar, int top) const;

    Legend legend;
    std::vector<Bar> all;
};

}  // namespace et::visualizers
