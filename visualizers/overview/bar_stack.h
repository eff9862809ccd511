#pragma once

#include "visualizers/toolkit/tip_widget.h"

#include <QColor>

#include <functional>
#include <optional>
#include <vector>

namespace et::visualizers {

/// A part of a bar.
struct BarPart {
    QString name;
    QString value;  ///< "0.32 ms, 62.1 %"
    double size = 0;
    /// Asked when it is painted: the colours change with the appearance.
    std::function<QColor(const QPalette&)> colour;
};

struct Bar {
    QString title;
    QString value;  ///< of the whole
    std::vector<BarPart> parts{};
    double marker = -1;  ///< a line at this size, as the peak within a plan; below 0: none
    QString markerText{};
};

/// Bars below one another on one scale, each split into parts whose names and values stand below them: parts
/// of one, as a run's time, or each alone, as sizes beside one another.
class BarStack : public TipWidget {
    Q_OBJECT

  public:
    enum class Legend : bool { Off, On };

    BarStack(Legend legend, QWidget* parent);

    /// Each bar's length is its share of the largest.
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
        QRect place;  ///< of a legend's entry
        const BarPart* part;
    };
    [[nodiscard]] std::vector<Entry> legendOf(const Bar& bar, int top, int width) const;
    [[nodiscard]] int heightOf(const Bar& bar, int width) const;
    [[nodiscard]] QRectF barArea(int top) const;
    [[nodiscard]] double largest() const;
    void paintBar(class QPainter& painter, const Bar& bar, int top) const;
    void paintLegend(class QPainter& painter, const Bar& bar, int top) const;

    Legend legend;
    std::vector<Bar> all;
};

}  // namespace et::visualizers
