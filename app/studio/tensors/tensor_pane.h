#pragma once

#include "app/studio/background.h"
#include "inspector/numeric_gap/metrics.h"
#include "inspector/tensors/tensor_catalog.h"
#include "visualizers/compare/overlaid_histograms.h"
#include "visualizers/verify/comparison_view.h"

#include <QWidget>

#include <cstddef>
#include <memory>
#include <optional>
#include <string>
#include <vector>

class QCheckBox;
class QComboBox;
class QLabel;
class QTabWidget;

namespace et::visualizers {
class ReportTable;
}

namespace et::studio {

/// One tensor, or two side by side: description and statistics, elements as picture and numbers,
/// distribution, and statistics per channel.
class TensorPane : public QWidget {
    Q_OBJECT

  public:
    enum Tab : int { Values, Distribution, Channels };

    explicit TensorPane(QWidget* parent = nullptr);

    /// Reads and shows the first two tensors of `which` from a catalog; with an empty `which`, nothing.
    void setTensors(std::shared_ptr<const inspector::TensorCatalog> from, std::vector<std::size_t> which);

    [[nodiscard]] inspector::TensorForm form() const;
    [[nodiscard]] visualizers::ComparisonView& comparison() { return *values; }
    [[nodiscard]] visualizers::ReportTable& channels() { return *channelRows; }
    [[nodiscard]] QString headline() const;
    [[nodiscard]] bool loading() const { return reading.running(); }
    void showTab(Tab tab);

  private:
    struct Side {
        std::shared_ptr<const visualizers::TensorValues> values;
        std::string problem;  ///< why there are no values
        inspector::SideStatistics statistics;
    };
    struct Loaded {
        std::vector<Side> sides;
        visualizers::SampleDistributions distributions;
        std::vector<inspector::SideStatistics> channels;  ///< of the first side
        std::size_t channelDim = 0;
    };
    [[nodiscard]] static Loaded load(const inspector::TensorCatalog& catalog,
                                     const std::vector<std::size_t>& which, inspector::TensorForm form,
                                     std::size_t channelDim);
    [[nodiscard]] static Side readSide(const inspector::TensorCatalog& catalog, std::size_t tensor,
                                       inspector::TensorForm form);
    QWidget* createTools();
    void read();
    void show(const Loaded& read);
    void showValues();
    void showHeadline();
    [[nodiscard]] QString nameOf(std::size_t side) const;

    Background<Loaded> reading;
    std::shared_ptr<const inspector::TensorCatalog> catalog;
    std::vector<std::size_t> tensors;
    Loaded loaded;
    QLabel* title;
    QCheckBox* real;
    QCheckBox* rows;
    QComboBox* dims;
    QTabWidget* tabs;
    visualizers::ComparisonView* values;
    visualizers::OverlaidHistograms* distributions;
    visualizers::ReportTable* channelRows;
};

}  // namespace et::studio
