#pragma once

#include "app/tasks/base/option_list.h"

#include <QMap>
#include <QObject>
#include <QStringList>

#include <functional>
#include <string>
#include <vector>

class QCheckBox;
class QComboBox;
class QDoubleSpinBox;
class QFormLayout;
class QLineEdit;
class QSpinBox;
class QWidget;

namespace et::studio {

/// Fields of a form for the options of a workflow. Default, limits and tool tip of a field are those of its
/// option. `name` is the object name.
class OptionFields : public QObject {
    Q_OBJECT

  public:
    /// The caller adds the fields to `rows`.
    explicit OptionFields(QFormLayout& rows);

    /// Without a default, the minimum means that no value is given.
    [[nodiscard]] QSpinBox* integer(const tasks::Option& option, const char* name);
    [[nodiscard]] QDoubleSpinBox* number(const tasks::Option& option, const char* name, double step);
    [[nodiscard]] QCheckBox* flag(const tasks::Option& option, const char* name, const QString& text);
    [[nodiscard]] QLineEdit* text(const tasks::Option& option, const char* name);
    /// The caller adds the items, with the option's value as data; "": not given. If it is editable, other
    /// text is a value too.
    [[nodiscard]] QComboBox* choice(const tasks::Option& option, const char* name);

    /// Hidden rows are not stored.
    void setRowVisible(QWidget& field, bool visible);
    /// Stores the values of enabled fields that differ from the defaults in the targets of `options`.
    void store(const tasks::OptionList& options) const;

    /// All values by the name of the option.
    [[nodiscard]] QMap<QString, QString> values() const;
    void setValues(const QMap<QString, QString>& values);

  signals:
    void changed();

  private:
    struct Field {
        std::string option;
        std::string usual;  ///< the default
        QWidget* widget;
        std::function<QString()> value;
        std::function<void(const QString&)> setValue;
        bool hidden = false;
    };
    void add(const tasks::Option& option, const char* name, QWidget& widget, std::function<QString()> value,
             std::function<void(const QString&)> setValue);

    QFormLayout& layout;
    std::vector<Field> fields;
};

/// Returns the arguments of et-inspect: `command`, the options, `more`, "--" and the files.
[[nodiscard]] QStringList commandArguments(const char* command, const tasks::CommandArguments& arguments,
                                           const QStringList& more);

}  // namespace et::studio
