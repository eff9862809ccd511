#pragma once

#include "app/studio/background.h"
#include "app/studio/inspect_command.h"
#include "app/studio/panel.h"
#include "inspector/events/event_limits.h"
#include "inspector/roofline/roofline_plot.h"
#include "visualizers/open_session.h"
#include "visualizers/selection.h"

#include <memory>

class QLabel;
class QPushButton;
class QSpinBox;
class QStackedLayout;

namespace et::visualizers {
class ReportTable;
class RooflineWidget;
}  // namespace et::visualizers

namespace et::studio {

/// Panel that compares operators with the limits of the machine: a roofline plot, and below it the possible
/// gain of each operator. Offers to measure this machine if there is no measurement. Its minimum times are
/// also those of the event table (Results::limits()).
class RooflinePanel : public Panel {
    Q_OBJECT

  public:
    RooflinePanel(const PanelContext& context, QWidget* parent);

    [[nodiscard]] bool hasContent() const override;
    [[nodiscard]] QByteArray saveState() const override;
    void restoreState(const QByteArray& state) override;

    [[nodiscard]] visualizers::RooflineWidget& view() { return *plot; }
    [[nodiscard]] visualizers::ReportTable& winnings() { return *table; }
    [[nodiscard]] bool busy() const { return looking.running() || measuring.running(); }

  protected:
    void changeEvent(QEvent* event) override;

  private:
    struct ReadResult {
        std::shared_ptr<const inspector::events::EventLimits> limits{};
        std::shared_ptr<const inspector::RooflinePlot> plot{};  ///< null: none
        QString problem{};
        bool canMeasure = false;  ///< a measurement of this machine is what is missing
    };

    [[nodiscard]] QWidget* makePicture();
    [[nodiscard]] static ReadResult look(const visualizers::SessionPointer& session, std::size_t threads);
    void showSession();
    void showLooked(const ReadResult& looked);
    void showLegend();
    void showChosen();
    void measure();
    void endMeasuring(const QString& problem);

    const visualizers::OpenSession& opened;
    visualizers::Selection& selection;
    visualizers::Results& results;
    QSettings& settings;
    Background<ReadResult> looking;
    InspectCommand measuring;
    std::shared_ptr<const inspector::RooflinePlot> shown;
    QLabel* hint;
    QPushButton* measureButton;
    QSpinBox* threads;
    QLabel* machine;
    QLabel* chosen;
    visualizers::RooflineWidget* plot;
    visualizers::ReportTable* table;
    QStackedLayout* pages;
};

}  // namespace et::studio
