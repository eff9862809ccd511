#include "app/studio/option_fields.h"

#include <QCheckBox>
#include <QComboBox>
#include <QDoubleSpinBox>
#include <QFile>
#include <QFormLayout>
#include <QLineEdit>
#include <QSpinBox>

#include <algorithm>
#include <utility>

namespace et::studio {

namespace {

/// Maximum of numbers without a limit.
constexpr double mostNumber = 1'000'000;

std::string defaultOf(const tasks::Option& option) {
    const std::vector<std::string> values = option.values();
    return values.empty() ? std::string() : values.front();
}

/// Sets limits and default. Some defaults, such as 0 for "no limit", are below the least value.
template <class Box, class Number>
void setLimits(Box& box, const tasks::Option& option, Number usual) {
    box.setRange(std::min(static_cast<Number>(std::max(option.range.least, option.range.above)), usual),
                 static_cast<Number>(std::min({option.range.most, option.range.below, mostNumber})));
    box.setValue(usual);
}

}  // namespace

OptionFields::OptionFields(QFormLayout& rows) : QObject(&rows), layout(rows) {
}

void OptionFields::add(const tasks::Option& option, const char* name, QWidget& widget,
                       std::function<QString()> value, std::function<void(const QString&)> setValue) {
    widget.setObjectName(QLatin1String(name));
    widget.setToolTip(QString::fromStdString(option.help));
    fields.push_back({.option = option.name(),
                      .usual = defaultOf(option),
                      .widget = &widget,
                      .value = std::move(value),
                      .setValue = std::move(setValue)});
}

QSpinBox* OptionFields::integer(const tasks::Option& option, const char* name) {
    auto* const box = new QSpinBox(layout.parentWidget());
    setLimits(*box, option, QString::fromStdString(defaultOf(option)).toInt());
    const bool optional = option.values().empty();
    add(
        option, name, *box,
        [box, optional] {
            return optional && box->value() == box->minimum() ? QString() : QString::number(box->value());
        },
        [box](const QString& value) { box->setValue(value.toInt()); });
    connect(box, &QSpinBox::valueChanged, this, &OptionFields::changed);
    return box;
}

QDoubleSpinBox* OptionFields::number(const tasks::Option& option, const char* name, double step) {
    auto* const box = new QDoubleSpinBox(layout.parentWidget());
    setLimits(*box, option, QString::fromStdString(defaultOf(option)).toDouble());
    box->setSingleStep(step);
    add(
        option, name, *box, [box] { return QString::number(box->value()); },
        [box](const QString& value) { box->setValue(value.toDouble()); });
    connect(box, &QDoubleSpinBox::valueChanged, this, &OptionFields::changed);
    return box;
}

QCheckBox* OptionFields::flag(const tasks::Option& option, const char* name, const QString& text) {
    auto* const box = new QCheckBox(text, layout.parentWidget());
    add(
        option, name, *box, [box] { return box->isChecked() ? QStringLiteral("on") : QString(); },
        [box](const QString& value) { box->setChecked(!value.isEmpty()); });
    connect(box, &QCheckBox::toggled, this, &OptionFields::changed);
    return box;
}

QLineEdit* OptionFields::text(const tasks::Option& option, const char* name) {
    auto* const line = new QLineEdit(layout.parentWidget());
    add(
        option, name, *line, [line] { return line->text(); },
        [line](const QString& value) { line->setText(value); });
    connect(line, &QLineEdit::textChanged, this, &OptionFields::changed);
    return line;
}

QComboBox* OptionFields::choice(const tasks::Option& option, const char* name) {
    auto* const box = new QComboBox(layout.parentWidget());
    add(
        option, name, *box,
        [box] {
            const int known = box->findText(box->currentText());
            return known >= 0 ? box->itemData(known).toString() : box->currentText();
        },
        [box](const QString& value) {
            const int known = box->findData(value);
            if (known >= 0) {
                box->setCurrentIndex(known);
            } else if (box->isEditable()) {
                box->setCurrentText(value);
            }
        });
    connect(box, &QComboBox::currentTextChanged, this, &OptionFields::changed);
    return box;
}

void OptionFields::setRowVisible(QWidget& field, bool visible) {
    layout.setRowVisible(&field, visible);
    std::ranges::find(fields, &field, &Field::widget)->hidden = !visible;
}

void OptionFields::store(const tasks::OptionList& options) const {
    for (const Field& field : fields) {
        const std::string value = field.value().toStdString();
        if (!field.hidden && field.widget->isEnabledTo(layout.parentWidget()) && value != field.usual) {
            static_cast<void>(options.at(field.option).store(value));  // fields have the option's limits
        }
    }
}

QMap<QString, QString> OptionFields::values() const {
    QMap<QString, QString> values;
    for (const Field& field : fields) {
        values[QString::fromStdString(field.option)] = field.value();
    }
    return values;
}

void OptionFields::setValues(const QMap<QString, QString>& values) {
    for (const Field& field : fields) {
        const auto given = values.find(QString::fromStdString(field.option));
        if (given != values.end()) {
            field.setValue(*given);
        }
    }
}

QStringList commandArguments(const char* command, const tasks::CommandArguments& arguments,
                             const QStringList& more) {
    tasks::CommandArguments all = arguments;
    for (const QString& each : more) {
        all.options.push_back(QFile::encodeName(each).toStdString());
    }
    QStringList argv;
    for (const std::string& each : all.of(command)) {
        argv.append(QFile::decodeName(each.c_str()));
    }
    return argv;
}

}  // namespace et::studio
