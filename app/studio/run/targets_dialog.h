#pragma once

#include "app/devices/target.h"
#include "app/studio/run_process.h"

#include <QDialog>

#include <vector>

class QFormLayout;
class QLabel;
class QLineEdit;
class QListWidget;
class QPlainTextEdit;
class QPushButton;
class QSettings;

namespace et::studio {

/// Dialog for adding, changing, testing and removing the user's targets, like `et-inspect target`. Non-modal.
class TargetsDialog : public QDialog {
    Q_OBJECT

  public:
    /// `settings` contains the path of et-inspect, and must outlive the dialog.
    TargetsDialog(const QSettings& settings, QWidget* parent);

    /// Reloads the targets and shows the dialog.
    void ask();
    [[nodiscard]] bool running() const { return process.running(); }
    /// Description and result of the last test.
    [[nodiscard]] QString said() const;
    /// Closing cancels a running test.
    void done(int result) override;

  signals:
    /// The set of targets has changed.
    void changed();

  private:
    void createRows();
    void createButtons();
    [[nodiscard]] QLineEdit* addField(const QString& label, const char* name, const QString& hint);
    void reload(const QString& current);
    void showChosen();
    void showState();
    void add();
    void remove();
    void test();
    void take(const RunEnd& end);
    void say(const QString& line);
    [[nodiscard]] const devices::Target* chosen() const;
    [[nodiscard]] devices::Target settingsGiven() const;

    const QSettings& store;
    RunProcess process;
    std::vector<devices::Target> targets;
    QListWidget* list;
    QFormLayout* form;
    QLineEdit* name = nullptr;
    QLineEdit* address = nullptr;
    QLineEdit* folder = nullptr;
    QLineEdit* sshConfig = nullptr;
    QLineEdit* agent = nullptr;
    QLineEdit* push = nullptr;
    QLineEdit* run = nullptr;
    QLineEdit* pull = nullptr;
    QLabel* state;
    QPlainTextEdit* text;
    QPushButton* addButton = nullptr;
    QPushButton* testButton = nullptr;
    QPushButton* removeButton = nullptr;
};

}  // namespace et::studio
