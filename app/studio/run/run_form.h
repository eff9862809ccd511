#pragma once

#include "app/studio/run/run_request.h"

#include <QWidget>

#include <vector>

class QCheckBox;
class QComboBox;
class QFormLayout;
class QLabel;
class QSettings;

namespace et::inspector {
struct Session;
}
namespace et::tasks {
class OptionList;
}

namespace et::studio {

class CommandRow;
class InputFields;
class OptionFields;
class TargetBox;

/// Options of a run, with the equivalent command line.
class RunForm : public QWidget {
    Q_OBJECT

  public:
    /// File dialogs store their folders in `settings`, which must outlive the form.
    explicit RunForm(QSettings& settings, QWidget* parent = nullptr);

    /// Offers the options of the session; null: none.
    void setSession(const inspector::Session* session);
    /// Reloads the list of targets.
    void reloadTargets();
    /// The selected options, with the session's files.
    [[nodiscard]] RunRequest request() const;
    /// Shows the command line; the form does not know the output paths.
    void setCommand(const QString& text);
    [[nodiscard]] QString command() const;

    [[nodiscard]] QByteArray saveState() const;
    void restoreState(const QByteArray& state);

  signals:
    void changed();
    void copyRequested();
    /// The user wants to add, test or remove targets.
    void targetsWanted();

  private:
    void createModelRows(const tasks::OptionList& options);
    void createTraceRows(const tasks::OptionList& options);
    void showState();

    tasks::RunSettings files;  ///< model, data and record of the session
    QFormLayout* layout;
    OptionFields* fields;
    QLabel* model;
    TargetBox* target;
    QComboBox* kind;
    InputFields* inputs;
    QCheckBox* trace;
    std::vector<QWidget*> recorded;  ///< fields that need a trace
    QCheckBox* emulate;
    CommandRow* commandRow;
};

}  // namespace et::studio
