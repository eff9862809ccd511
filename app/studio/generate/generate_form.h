#pragma once

#include "app/tasks/generate/conversation.h"

#include <QWidget>

#include <vector>

class QDoubleSpinBox;
class QFormLayout;
class QLabel;
class QLineEdit;
class QPlainTextEdit;
class QSettings;

namespace et::inspector {
struct Session;
}

namespace et::studio {

class CommandRow;
class OptionFields;

/// Options of a generation, with the equivalent command line.
class GenerateForm : public QWidget {
    Q_OBJECT

  public:
    /// File dialogs store their folders in `settings`, which must outlive the form.
    explicit GenerateForm(QSettings& settings, QWidget* parent = nullptr);

    /// Uses the session's model and the tokenizer next to it. Null: none.
    void setSession(const inspector::Session* session);
    /// The selected options, with the session's files and one prompt.
    [[nodiscard]] tasks::GenerateSettings request() const;
    void setCommand(const QString& text);
    [[nodiscard]] QString command() const;
    [[nodiscard]] QPlainTextEdit& promptField() { return *prompt; }

    [[nodiscard]] QByteArray saveState() const;
    void restoreState(const QByteArray& state);

  signals:
    void changed();
    void copyRequested();

  private:
    void createTextRows(const tasks::OptionList& options);
    void createSamplingRows(const tasks::OptionList& options);
    void chooseTokenizer();
    void showState();

    QSettings& store;
    tasks::GenerateSettings files;  ///< model and data files of the session
    QFormLayout* layout;
    OptionFields* fields;
    QLabel* model;
    QLineEdit* tokenizer;
    QPlainTextEdit* prompt;
    QDoubleSpinBox* temperature = nullptr;
    std::vector<QWidget*> sampling;  ///< fields that need a temperature
    CommandRow* commandRow;
};

}  // namespace et::studio
