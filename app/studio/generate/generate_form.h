#pragma once

#include "app/studio/generate/generate_request.h"

#include <QWidget>

class QCheckBox;
class QDoubleSpinBox;
class QFormLayout;
class QLabel;
class QLineEdit;
class QPlainTextEdit;
class QSettings;
class QSpinBox;

namespace et::inspector {
struct Session;
}

namespace et::studio {

class CommandRow;

/// Options of a generation, with the equivalent command line.
class GenerateForm : public QWidget {
    Q_OBJECT

  public:
    /// File dialogs store their folders in `settings`, which must outlive the form.
    explicit GenerateForm(QSettings& settings, QWidget* parent = nullptr);

    /// Uses the session's model and the tokenizer next to it. Null: none.
    void setSession(const inspector::Session* session);
    [[nodiscard]] GenerateRequest request() const;
    void setCommand(const QString& text);
    [[nodiscard]] QString command() const;
    [[nodiscard]] QPlainTextEdit& promptField() { return *prompt; }

    [[nodiscard]] QByteArray saveState() const;
    void restoreState(const QByteArray& state);

  signals:
    void changed();
    void copyRequested();

  private:
    void createTextRows();
    void createSamplingRows();
    void chooseTokenizer();
    void showState();

    QSettings& store;
    GenerateRequest files;  ///< model and data files of the session
    QFormLayout* layout;
    QLabel* model;
    QLineEdit* tokenizer;
    QPlainTextEdit* prompt;
    QLineEdit* chatTemplate;
    QSpinBox* bos;
    QSpinBox* maxTokens;
    QCheckBox* ignoreEnd;
    QDoubleSpinBox* temperature;
    QDoubleSpinBox* topP;
    QSpinBox* topK;
    QSpinBox* seed;
    QSpinBox* threads;
    CommandRow* commandRow;
};

}  // namespace et::studio
