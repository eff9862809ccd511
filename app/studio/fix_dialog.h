#pragma once

#include "app/studio/fix_request.h"
#include "app/studio/run_process.h"

#include <QDialog>

#include <filesystem>
#include <functional>
#include <vector>

class QComboBox;
class QFormLayout;
class QLabel;
class QLineEdit;
class QPlainTextEdit;
class QProgressBar;
class QPushButton;
class QSettings;
class QSpinBox;

namespace et::studio {

class CommandRow;

/// Asks how a program is to be reduced, taken apart, planned anew or run many times, lets et-inspect do it in
/// a process of its own, and shows what it said and wrote. It does not block the window; one at a time.
class FixDialog : public QDialog {
    Q_OBJECT

  public:
    /// `settings` says where et-inspect is, and must outlive the dialog; `open` opens files in the window.
    FixDialog(QSettings& settings, std::function<void(const std::vector<std::filesystem::path>&)> open,
              QWidget* parent);

    /// Shows itself, filled in with the request. While something runs, that stays on show.
    void ask(const FixRequest& request);
    /// What is filled in.
    [[nodiscard]] FixRequest request() const;
    [[nodiscard]] bool running() const { return process.running(); }
    /// What the last one printed.
    [[nodiscard]] QString said() const;

    void start();
    void cancel();
    /// Closing cancels.
    void done(int result) override;

  private:
    void createRows();
    void createButtons();
    void fillIn();
    void chooseOutput();
    void openResult();
    void openFolder();
    void take(const RunEnd& end);
    void showEnd(const RunEnd& end);
    void showCommand();
    void showState();

    QSettings& store;
    std::function<void(const std::vector<std::filesystem::path>&)> openFiles;
    RunProcess process;
    FixRequest asked;  ///< with the files and the method, which no field has
    FixRequest begun;  ///< what ran last
    QFormLayout* form;
    QLabel* model;
    QComboBox* fails;
    QLineEdit* instructions;
    QLineEdit* nodes;
    QComboBox* algorithm;
    QSpinBox* runs;
    QLineEdit* output;
    QWidget* outputRow = nullptr;
    CommandRow* command;
    QProgressBar* progress;
    QLabel* state;
    QPlainTextEdit* text;
    QPushButton* startButton = nullptr;
    QPushButton* cancelButton = nullptr;
    QPushButton* openButton = nullptr;
    QPushButton* folderButton = nullptr;
};

}  // namespace et::studio
