#pragma once

#include <QWidget>

class QComboBox;

namespace et::studio {

/// Selects where a model runs: on this machine, or on one of the user's targets
/// (docs/how_to/run_on_a_device.md).
class TargetBox : public QWidget {
    Q_OBJECT

  public:
    explicit TargetBox(QWidget* parent = nullptr);

    /// Reloads the list of targets. Keeps the selection if it still exists.
    void reload();
    /// Name of the selected target; empty: this machine.
    [[nodiscard]] QString target() const;
    /// An unknown name selects this machine.
    void choose(const QString& name);

  signals:
    void changed();
    /// The user wants to add, test or remove targets.
    void editWanted();

  private:
    QComboBox* box;
};

}  // namespace et::studio
