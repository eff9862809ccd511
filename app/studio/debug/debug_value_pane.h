#pragma once

#include "app/studio/background.h"
#include "visualizers/compare/overlaid_histograms.h"
#include "visualizers/debug/debug_answers.h"
#include "visualizers/verify/comparison_view.h"

#include <QString>
#include <QWidget>

#include <cstddef>

class QComboBox;
class QJsonObject;
class QLabel;
class QLineEdit;
class QPushButton;

namespace et::studio {

class DebugSession;

/// One value of a debugged program at the current position: statistics, accesses, place in memory,
/// distribution and elements; compared with the reference or the previous execution on request. Its elements
/// can be replaced.
class DebugValuePane : public QWidget {
    Q_OBJECT

  public:
    /// `of` must outlive the pane.
    explicit DebugValuePane(DebugSession& of, QWidget* parent = nullptr);

    /// A value as spelled for print; empty: none.
    void setValue(const QString& spelling);
    /// Whether the program has a reference graph.
    void setHasReference(bool has);
    /// Reads the value again, at a new position.
    void refresh();

    [[nodiscard]] const QString& value() const { return shown; }
    [[nodiscard]] bool loading() const { return reading.running(); }
    [[nodiscard]] QString details() const;
    [[nodiscard]] visualizers::ComparisonView& elements() { return *tensors; }
    [[nodiscard]] visualizers::OverlaidHistograms& histogram() { return *distribution; }

  private:
    struct Loaded {
        visualizers::ComparedValues values;
        visualizers::SampleDistributions distributions;
    };
    [[nodiscard]] static Loaded load(const visualizers::DebugValue& value,
                                     const visualizers::DebugDifference& other);
    [[nodiscard]] QWidget* createHead();
    void createFigures();
    void takeValue(const QJsonObject& answer);
    void showElements();
    void show(const Loaded& loaded);
    void change();

    DebugSession& session;
    Background<Loaded> reading;
    QString shown;
    bool hasReference = false;
    std::size_t request = 0;  ///< number of the last refresh; answers to earlier ones are dropped
    visualizers::DebugValue known;
    visualizers::DebugAccesses accesses;
    QComboBox* comparedWith;
    QLineEdit* newValue;
    QPushButton* set;
    QLabel* text;
    visualizers::OverlaidHistograms* distribution;
    visualizers::ComparisonView* tensors;
    QWidget* body;
    QLabel* hint;
};

}  // namespace et::studio
