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

/// The user's targets: adds, changes, tests and removes them, as `et-inspect target` does. It does not block
/// the window.
class TargetsDialog : public QDialog {
    Q_OBJECT

  public:
    /// `settings` says where et-inspect is, and must outlive the dialog.
    TargetsDialog(const QSettings& settings, QWidget* parent);

    /// Shows itself with the targets that there are now.
    void ask();
    [[nodiscard]] bool running() const { return process.running(); }
    /// What was tried last, and what came of it.
    [[nodiscard]] QString said() const;
    /// Closing ends a test.
    void done(int result) override;

  signals:
    /// There are other targets now.
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
