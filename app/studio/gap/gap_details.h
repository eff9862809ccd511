#pragma once

#include "app/studio/background.h"
#include "app/studio/gap/gap_job.h"
#include "visualizers/compare/overlaid_histograms.h"
#include "visualizers/verify/comparison_view.h"
#include "visualizers/verify/worst_channels.h"
#include "visualizers/verify/worst_elements.h"

#include <QWidget>

#include <optional>
#include <vector>

class QComboBox;
class QLabel;
class QTabWidget;
class QTableView;

namespace et::visualizers {
class Splitter;
}

namespace et::studio {

/// Details of one operator of a gap: description, statistics of both tensors, their overlaid distributions,
/// the elements and channels with the largest errors, and a slice of both as heat maps; side by side, or as
/// tabs if space is short.
class GapDetails : public QWidget {
    Q_OBJECT

  public:
    /// `job` stores the tensors, and must outlive the widget.
    explicit GapDetails(const GapJob& job, QWidget* parent = nullptr);

    /// Null for none; the report is borrowed while it is shown.
    void setRow(const inspector::GapReportRow* row);

    [[nodiscard]] visualizers::ComparisonView& comparison() { return *values; }
    [[nodiscard]] visualizers::OverlaidHistograms& histograms() { return *distributions; }
    [[nodiscard]] QTableView& worstTable() { return *worst; }
    [[nodiscard]] QTableView& channelTable() { return *worstOfChannels; }
    [[nodiscard]] QString description() const;
    [[nodiscard]] QString statistics() const;
    [[nodiscard]] bool loading() const { return reading.running(); }

    [[nodiscard]] QByteArray saveState() const;
    void restoreState(const QByteArray& state);

  protected:
    void resizeEvent(QResizeEvent* event) override;

  private:
    /// Both tensors of an output, with data that is slow to compute.
    struct Loaded {
        visualizers::ComparedValues values;
        visualizers::SampleDistributions distributions;
        std::vector<visualizers::ElementPair> worst;
        std::vector<visualizers::ChannelGap> channels;
    };
    [[nodiscard]] static Loaded load(const std::filesystem::path& reference,
                                     const std::filesystem::path& runtime);
    void showOutput();
    void place();
    [[nodiscard]] bool inTabs() const;
    void show(const Loaded& loaded);
    QWidget* createNumbers();
    QWidget* createDistributions();
    void dressWorst(QTableView& table, QAbstractItemModel* model, const QString& tip);

    const GapJob& source;
    Background<Loaded> reading;
    const inspector::GapReportRow* shown = nullptr;
    QLabel* title;
    QComboBox* outputs;
    visualizers::Splitter* splitter;
    QTabWidget* tabs;                ///< holds the parts of `splitter` if space is short
    visualizers::Splitter* figures;  ///< statistics and distributions
    QList<int> wideSizes;            ///< of the splitter, saved while the tabs are shown
    QLabel* numbers;
    visualizers::OverlaidHistograms* distributions;
    visualizers::WorstElementsModel* elements;
    QTableView* worst;
    visualizers::WorstChannelsModel* channels;
    QTableView* worstOfChannels;
    QTabWidget* apart;  ///< both tables
    visualizers::ComparisonView* values;
};

}  // namespace et::studio
