#pragma once

#include "app/studio/background.h"
#include "app/studio/panel.h"
#include "app/studio/panel_capabilities.h"
#include "inspector/trend/trend.h"
#include "visualizers/trend/trend_rows.h"

#include <filesystem>
#include <memory>
#include <optional>
#include <string>
#include <vector>

class QComboBox;
class QLabel;
class QLineEdit;
class QScrollArea;
class QStackedLayout;
class QToolBar;
class QVBoxLayout;

namespace et::visualizers {
class ReportTable;
class TrendPlot;
}  // namespace et::visualizers

namespace et::studio {

/// Panel of a model's history in a store of measurements, a file or a server: a chart per device with the
/// changes, and below them the operators that changed. A point opens its trace and the previous one side by
/// side in Compare.
class TrendPanel : public Panel, public StoreViewer {
    Q_OBJECT

  public:
    TrendPanel(const PanelContext& context, QWidget* parent);

    [[nodiscard]] bool hasContent() const override { return trend != nullptr; }
    bool takeStore(const std::filesystem::path& place) override;
    [[nodiscard]] QByteArray saveState() const override;
    void restoreState(const QByteArray& state) override;

    [[nodiscard]] bool busy() const { return reading.running(); }
    [[nodiscard]] const std::vector<visualizers::TrendPlot*>& charts() const { return plots; }
    [[nodiscard]] visualizers::ReportTable& changes() { return *table; }
    [[nodiscard]] QString summary() const;

  private:
    struct Read {
        std::vector<std::string> models{};
        std::string model{};                              ///< model of the trend
        std::shared_ptr<const inspector::Trend> trend{};  ///< null: none
        QString problem{};
    };

    void createTools();
    [[nodiscard]] static Read read(const std::filesystem::path& place, const std::string& model,
                                   const std::vector<std::string>& by);
    void promptForStore();
    void openNamedStore();
    void load();
    void showRead(const Read& outcome);
    void showCharts();
    void showChange(std::size_t row);
    void compare(std::size_t group, std::size_t point);
    /// Returns the local path of a trace that was imported from `origin`, or nothing.
    [[nodiscard]] std::optional<std::filesystem::path> traceAt(const std::string& origin) const;

    const std::function<void(const std::vector<std::filesystem::path>&)> openAlone;
    const std::function<void(std::string_view)> enter;
    QSettings& settings;
    Background<Read> reading;
    std::filesystem::path store;
    std::shared_ptr<const inspector::Trend> trend;
    bool comparing = false;                    ///< requested traces are being opened
    std::vector<visualizers::TrendRow> about;  ///< rows of the table
    QToolBar* tools;
    QLineEdit* place;
    QComboBox* model;
    QLineEdit* by;
    QLabel* head;
    QLabel* hint;
    QScrollArea* scroll;
    QWidget* chartList;
    std::vector<visualizers::TrendPlot*> plots;
    visualizers::ReportTable* table;
    QStackedLayout* pages;
};

}  // namespace et::studio
