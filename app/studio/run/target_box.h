#pragma once

#include <QWidget>

class QComboBox;

namespace et::studio {

/// Chooses where a model runs: this machine, or a target of the user's (docs/devices.md).
class TargetBox : public QWidget {
    Q_OBJECT

  public:
    explicit TargetBox(QWidget* parent = nullptr);

    /// Offers the targets that there are now. The choice stays where it is still there.
    void reload();
    /// Its name; empty: this machine.
    [[nodiscard]] QString target() const;
    /// A name that is not there is this machine.
    void choose(const QString& name);

  signals:
    void changed();
    /// A person wants to add, try or remove targets.
    void editWanted();

  private:
    QComboBox* box;
};

}  // namespace et::studio
