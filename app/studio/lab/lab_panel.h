#pragma once

#include "app/studio/background.h"
#include "app/studio/lab/lab_jobs.h"
#include "app/studio/lab/lab_request.h"
#include "app/studio/lab/saved_lab.h"
#include "app/studio/panel.h"
#include "inspector/graph/graph_numbers.h"
#include "runtime/core/strong_id.h"
#include "visualizers/lab/lab_prediction.h"
#include "visualizers/lab/lab_study.h"

#include <QDateTime>
#include <QTimer>

#include <cstdint>
#include <filesystem>
#include <functional>
#include <memory>
#include <optional>
#include <utility>
#include <vector>

class QComboBox;
class QLabel;
class QProgressBar;
class QSortFilterProxyModel;
class QSpinBox;
class QStackedWidget;
class QToolBar;
class QTreeView;

namespace et::visualizers {
class ParetoWidget;
class ReportTable;
class SiteModel;
class Splitter;
}  // namespace et::visualizers

namespace et::studio {

class CardPage;
class LabFiguresLabel;
class LabKnownSites;

/// Panel of the costs and gains of quantizing each site of the open float model: the user chooses a scheme
/// per site; error, bytes and time are predicted immediately and then measured in a separate process. All
/// measured programs are shown in a Pareto plot.
class LabPanel : public Panel {
    Q_OBJECT

  public:
    LabPanel(const PanelContext& context, QWidget* parent);
    ~LabPanel() override;
    LabPanel(const LabPanel&) = delete;
    LabPanel& operator=(const LabPanel&) = delete;

    [[nodiscard]] bool hasContent() const override;
    [[nodiscard]] QByteArray saveState() const override;
    void restoreState(const QByteArray& state) override;

    void setCalibration(const std::filesystem::path& file);
    void setEvaluation(const std::filesystem::path& file);
    /// Writes the program of the current choice to a file, with its record and recipe next to it.
    void writeProgram(const std::filesystem::path& file);
    /// SVG or PNG, by the file name. Returns an error, or an empty text.
    [[nodiscard]] QString savePlot(const QString& file) const;

    [[nodiscard]] QTreeView& sites() { return *table; }
    [[nodiscard]] visualizers::SiteModel& siteModel() { return *model; }
    [[nodiscard]] visualizers::ParetoWidget& plot() { return *pareto; }
    [[nodiscard]] visualizers::ReportTable& programs() { return *programTable; }
    [[nodiscard]] const std::vector<visualizers::LabCandidate>& candidates() const { return known; }
    [[nodiscard]] QString figures() const;
    [[nodiscard]] LabKnownSites& sitesOfRecord() { return *knownSites; }
    [[nodiscard]] const LabJobs& work() const { return jobs; }
    /// True if nothing runs and no measurement is pending.
    [[nodiscard]] bool idle() const;

  protected:
    void resizeEvent(QResizeEvent* event) override;

  private:
    void createTools();
    void createCommands();
    QWidget* createStart();
    QWidget* createSites();
    QWidget* createResult();
    void connectJobs();

    void showSession();
    void showStart();
    void act(std::size_t card);
    void chooseInputs(bool forEvaluation);
    void study();
    void search();
    void cancel();
    void editInputs();
    void quantizeAll() { chooseAll(visualizers::LabScheme::Static8); }
    void keepAll() { chooseAll(visualizers::LabScheme::Float); }
    void chooseAll(visualizers::LabScheme scheme);
    void goOnSelected();
    void editScheme();
    void openProgram();
    void compareProgram();
    void saveProgram();
    void copyCommand();
    void askForPlot();
    void copyPlot();

    /// The state to save; empty if the displayed study does not belong to the open session.
    [[nodiscard]] SavedLab toKeep() const;
    /// Restores the saved study of the open record.
    void takeKept();
    void takeStudy(const std::shared_ptr<const visualizers::LabStudy>& study);
    void takeCandidates(const std::vector<visualizers::LabCandidate>& candidates);
    void takeWritten(const LabProgram& program);
    void predictAnew();
    void chooseCandidate(std::size_t candidate);
    void takeEdit();
    void measureNext();
    [[nodiscard]] std::optional<visualizers::LabChoice> nextToMeasure() const;
    [[nodiscard]] bool isMeasured(const visualizers::LabChoice& choice) const;
    [[nodiscard]] visualizers::LabFigures figuresOf(const visualizers::LabChoice& choice) const;
    void followSelection();
    void selectSite();
    [[nodiscard]] std::vector<std::size_t> selectedRows() const;
    /// Action when the program of the chosen sites has been built.
    enum class AfterBuild : std::uint8_t { None, Open, Compare };
    void use(AfterBuild wish);
    void use(const LabProgram& program, AfterBuild wish);
    void compare(const LabProgram& program);
    /// The program with all sites in float, or nothing if it was not built.
    [[nodiscard]] std::optional<LabProgram> floatProgram() const;

    void showChoice();
    void showPrograms();
    void showPlot();
    void showState();

    const visualizers::OpenSession& opened;
    visualizers::Selection& selection;
    visualizers::Results& results;
    QSettings& store;
    std::function<void(const std::vector<std::filesystem::path>&)> openAlone;
    std::function<void(const std::vector<std::filesystem::path>&)> openBeside;
    std::function<void()> askForFiles;
    LabJobs jobs;
    Background<std::vector<double>> timing;
    QTimer patience;      ///< delays measuring while the user is still making choices
    LabRequest request;   ///< of the open session, with the selected inputs
    LabRequest asked;     ///< of the running study, or the last one
    LabRequest studied;   ///< of the current study
    QDateTime studiedAt;  ///< modification time of the study's record
    std::shared_ptr<const visualizers::LabStudy> current;
    std::shared_ptr<const inspector::SiteErrors> errors;
    std::vector<std::vector<core::DebugHandle>> handles;  ///< by site
    std::vector<double> shares;                           ///< shares of the time by site; may be empty
    std::vector<visualizers::LabCandidate> known;
    std::unique_ptr<visualizers::LabPrediction> prediction;
    std::vector<std::pair<visualizers::LabChoice, QString>> unmeasurable;
    AfterBuild wanted = AfterBuild::None;
    SavedLab kept;
    QString failure;
    QString news;            ///< result of the last program written
    bool editing = false;    ///< the user is selecting other inputs
    bool following = false;  ///< the selection and this panel are being synchronized

    QToolBar* tools;
    QComboBox* costBox;
    QSpinBox* seconds;
    QProgressBar* progress;
    QAction* progressPlace = nullptr;  ///< in the tool bar
    QStackedWidget* pages;
    CardPage* start = nullptr;
    LabKnownSites* knownSites = nullptr;  ///< below its cards
    QString knownLine;                    ///< their summary
    visualizers::SiteModel* model;
    QSortFilterProxyModel* sorted;
    QTreeView* table;
    LabFiguresLabel* figuresLabel;
    visualizers::ParetoWidget* pareto;
    visualizers::ReportTable* programTable;
    visualizers::Splitter* across = nullptr;
    visualizers::Splitter* down = nullptr;
    QAction* studyAction = nullptr;
    QAction* searchAction = nullptr;
    QAction* cancelAction = nullptr;
    QAction* openAction = nullptr;
    QAction* compareAction = nullptr;
    std::vector<QAction*> choiceActions{};  ///< actions that require a study
};

}  // namespace et::studio
