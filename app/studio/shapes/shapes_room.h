#pragma once

#include "app/studio/room.h"
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
class Splitter;
}  // namespace et::visualizers

namespace et::studio {

/// Which sizes the inputs of the open program may have: tried and measured by et-inspect in another process,
/// shown as curves over each size and a table of what was tried.
class ShapesRoom : public Room {
    Q_OBJECT

  public:
    ShapesRoom(const RoomContext& context, QWidget* parent);

    /// Whether an input of the open program has sizes that may change.
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
    std::filesystem::path model;  ///< that the study is of, or will be
    visualizers::ShapeStudy study;
    bool known = false;  ///< there is a study
    QString failure;
    QToolBar* tools;
    QLineEdit* range;
    QCheckBox* checks;
    QCheckBox* times;
    QProgressBar* progress;
    QAction* progressPlace = nullptr;  ///< among the tools
    QLabel* head;
    QStackedWidget* pages;
    QLabel* hint;
    QComboBox* curves;
    QLabel* remarks;
    visualizers::SizePlot* picture;
    visualizers::ReportTable* tried;
    visualizers::Splitter* splitter;
    QAction* startAction = nullptr;
    QAction* cancelAction = nullptr;
    QAction* copyAction = nullptr;
};

}  // namespace et::studio
