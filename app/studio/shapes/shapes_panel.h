#pragma once

#include "app/studio/panel.h"
#include "app/studio/run_process.h"
#include "visualizers/shapes/shape_study.h"

class QCheckBox;
class QComboBox;
class QLabel;
class QLineEdit;
class QProgressBar;
class QStackedWidget;
class QToolBar;

namespace et::visualizers {
class ReportTable;
class SizePlot;
}  // namespace et::visualizers

namespace et::studio {

/// Panel of the valid input sizes of the open program: tested and measured by et-inspect in a separate
/// process, shown as a curve per size and a table of the tested sizes.
class ShapesPanel : public Panel {
    Q_OBJECT

  public:
    ShapesPanel(const PanelContext& context, QWidget* parent);

    /// True if an input of the open program has variable sizes.
    [[nodiscard]] bool hasContent() const override;
    [[nodiscard]] QByteArray saveState() const override;
    void restoreState(const QByteArray& state) override;

    [[nodiscard]] bool running() const { return process.running(); }
    [[nodiscard]] visualizers::SizePlot& plot() { return *picture; }
    [[nodiscard]] visualizers::ReportTable& table() { return *tried; }
    [[nodiscard]] QString summary() const;
    [[nodiscard]] QString notes() const;

  private:
    void createTools();
    QWidget* createResult();
    [[nodiscard]] QStringList arguments() const;
    void start();
    void cancel();
    void copyCommand();
    void showSession();
    void take(const RunEnd& end);
    void showStudy();
    void showCurve();
    void showState();
    void showHint();

    const visualizers::OpenSession& opened;
    QSettings& store;
    RunProcess process;
    std::filesystem::path model;  ///< of the study, or of the next one
    visualizers::ShapeStudy study;
    bool known = false;  ///< there is a study
    QString failure;
    QToolBar* tools;
    QLineEdit* range;
    QCheckBox* checks;
    QCheckBox* times;
    QProgressBar* progress;
    QAction* progressArea = nullptr;  ///< in the tool bar
    QLabel* head;
    QStackedWidget* pages;
    QLabel* hint;
    QComboBox* curves;
    QLabel* remarks;
    visualizers::SizePlot* picture;
    visualizers::ReportTable* tried;
    QAction* startAction = nullptr;
    QAction* cancelAction = nullptr;
    QAction* copyAction = nullptr;
};

}  // namespace et::studio
