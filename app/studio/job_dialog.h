#pragma once

#include "app/studio/job_request.h"
#include "app/studio/run_process.h"

#include <QDialog>

#include <filesystem>
#include <functional>
#include <vector>

class QFormLayout;
class QLabel;
class QLineEdit;
class QPlainTextEdit;
class QProgressBar;
class QPushButton;
class QSettings;

namespace et::studio {

class CommandRow;
class OptionFields;

/// Dialog for reducing, extracting, replanning or soaking a program: collects the options, runs et-inspect in
/// a separate process, and shows its output and files. Non-modal; one job at a time.
class JobDialog : public QDialog {
    Q_OBJECT

  public:
    /// `settings` contains the path of et-inspect, and must outlive the dialog; `open` opens files in the
    /// window.
    JobDialog(QSettings& settings, std::function<void(const std::vector<std::filesystem::path>&)> open,
              QWidget* parent);

    /// Shows the dialog with the request filled in. While a job is running, its request stays.
    void ask(const JobRequest& request);
    /// The request as currently filled in.
    [[nodiscard]] JobRequest request() const;
    [[nodiscard]] bool running() const { return process.running(); }
    /// Output of the last job.
    [[nodiscard]] QString said() const;

    void start();
    void cancel();
    /// Closing cancels.
    void done(int result) override;

  private:
    struct JobField {
        JobKind kind;
        QString option;
        QWidget* widget;
    };
    void createRows();
    void createOptionRows();
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
    JobRequest asked;  ///< for the files and the method, which have no fields
    JobRequest begun;  ///< request of the last job
    QFormLayout* form;
    QLabel* model;
    OptionFields* fields;
    std::vector<JobField> optionFields;
    QMap<QString, QString> usual;  ///< default values
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
