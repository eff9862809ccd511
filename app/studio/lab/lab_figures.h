#pragma once

#include "visualizers/lab/lab_study.h"

#include <QLabel>

namespace et::studio {

/// How far the figures of the chosen sites are known.
struct LabOutlook {
    visualizers::LabFigures predicted{};
    visualizers::LabFigures measured{};  ///< in place of the predicted ones, each as soon as it is known
    bool measuring = false;
    QString problem{};  ///< why it cannot be measured; may be empty
    QString news{};     ///< what else there is to say; may be empty
};

/// Error, bytes and time of the chosen sites, beside those of all in int8 and all in float. Each says whether
/// it is predicted or measured.
class LabFiguresLabel : public QLabel {
    Q_OBJECT

  public:
    explicit LabFiguresLabel(QWidget* parent = nullptr);

    /// `title`: which sites are chosen.
    void show(const QString& title, const LabOutlook& outlook, const visualizers::LabFigures& allInt8,
              const visualizers::LabFigures& allFloat);
    /// In one line, without those of all sites, where a plot below needs the room.
    void setCompact(bool wanted);

  private:
    struct Shown {
        QString title;
        LabOutlook outlook{};
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
