#pragma once

#include "inspector/roofline/roofline_plot.h"
#include "visualizers/selection.h"
#include "visualizers/toolkit/plot_widget.h"
#include "visualizers/toolkit/report_table_model.h"

#include <memory>
#include <optional>

namespace et::visualizers {

/// The points of a plot as table rows, in order: actual time, attainable time and possible gain.
[[nodiscard]] ReportRows limitRows(const inspector::RooflinePlot& plot);

/// Operators as points below the limits of the machine. A click selects the operator of a point.
class RooflineWidget : public PlotWidget {
    Q_OBJECT

  public:
    /// `selection` must outlive the widget.
    explicit RooflineWidget(Selection& selection, QWidget* parent = nullptr);

    /// Null shows nothing.
    void setPlot(std::shared_ptr<const inspector::RooflinePlot> shown);
    [[nodiscard]] const inspector::RooflinePlot* content() const { return plot.get(); }
    [[nodiscard]] std::optional<std::size_t> chosenPoint() const override;
    [[nodiscard]] EventRef eventOf(std::size_t point) const;
    [[nodiscard]] QSize minimumSizeHint() const override { return {240, 120}; }

  private:
    [[nodiscard]] inspector::plot::Scene sceneIn(const inspector::plot::Frame& frame) const override;
    [[nodiscard]] std::optional<std::size_t> hoveredItem() const override;
    void chooseItem(std::optional<std::size_t> item) override;
    void hoverItem(std::optional<std::size_t> item) override;
    /// The point of an event; nothing if it has none.
    [[nodiscard]] std::optional<std::size_t> pointOf(const std::optional<EventRef>& event) const;

    Selection& chosen;
    std::shared_ptr<const inspector::RooflinePlot> plot;
};

}  // namespace et::visualizers
