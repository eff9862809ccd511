#pragma once

#include "app/tasks/model/model_options.h"

#include <QObject>
#include <QString>

class QComboBox;
class QFormLayout;
class QLineEdit;
class QSettings;
class QSpinBox;

namespace et::inspector {
struct Session;
}
namespace et::tasks {
class OptionList;
}

namespace et::studio {

class OptionFields;

/// Fields of a form for the method of a program and its inputs.
class InputFields : public QObject {
    Q_OBJECT

  public:
    /// Names of the fields begin with `prefix`. File dialogs store their folders in `settings`. All must
    /// outlive this object.
    InputFields(QFormLayout& rows, OptionFields& fields, QSettings& settings, const QString& prefix);

    void addMethodRow();
    void addInputRows(const tasks::OptionList& options);
    /// Offers the methods and inputs of the session; null: none.
    void setSession(const inspector::Session* session);
    /// Stores method, case and inputs; OptionFields stores the seed.
    void store(tasks::ModelOptions& options) const;
    /// True if the inputs are those of the ETRecord.
    [[nodiscard]] bool needsRecord() const;

  signals:
    void changed();

  private:
    [[nodiscard]] QString kind() const;
    void chooseFiles();
    void showState();

    QFormLayout& layout;
    OptionFields& optionFields;
    QSettings& settings;
    QString names;
    QComboBox* method;
    QComboBox* inputs;
    QSpinBox* testCase;
    QSpinBox* seed = nullptr;
    QLineEdit* files;
};

}  // namespace et::studio
