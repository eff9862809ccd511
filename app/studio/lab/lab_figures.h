#pragma once

#include "visualizers/lab/lab_study.h"

#include <QLabel>

namespace et::studio {

/// Predicted and measured figures of the selected sites.
struct PredictionQuality {
    visualizers::LabFigures predicted{};
    visualizers::LabFigures measured{};  ///< replace the predicted figures as they become available
    bool measuring = false;
    QString problem{};  ///< why it cannot be measured, or empty
    QString news{};     ///< further remark, or empty
};

/// Error, bytes and time of the selected sites, next to those with all sites in int8 and all in float. Marks
/// each as predicted or measured.
class LabFiguresLabel : public QLabel {
    Q_OBJECT

  public:
    explicit LabFiguresLabel(QWidget* parent = nullptr);

    /// `title`: describes the selected sites.
    void show(const QString& title, const PredictionQuality& outlook, const visualizers::LabFigures& allInt8,
              const visualizers::LabFigures& allFloat);
    /// Shows the selected sites only, on one line, to save space for a plot below.
    void setCompact(bool wanted);

  private:
    struct Shown {
        QString title;
        PredictionQuality outlook{};
        visualizers::LabFigures allInt8{};
        visualizers::LabFigures allFloat{};
    };
    void showAgain();
    [[nodiscard]] QString line() const;
    [[nodiscard]] QString table() const;

    Shown shown{};  ///< without a title: nothing yet
    bool compact = false;
};

}  // namespace et::studio
