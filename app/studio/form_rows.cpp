#include "app/studio/form_rows.h"

#include <QComboBox>
#include <QHBoxLayout>
#include <QPushButton>
#include <QScrollArea>
#include <QSpinBox>
#include <QToolButton>

#include <utility>

namespace et::studio {

namespace {

/// Lays out a field and its button as one row of a form.
void fillRow(QWidget& row, QWidget& field, QWidget& button) {
    auto* const layout = new QHBoxLayout(&row);
    layout->setContentsMargins(0, 0, 0, 0);
    layout->addWidget(&field, 1);
    layout->addWidget(&button);
}

}  // namespace

void fillChoices(QComboBox& box, std::span<const Choice> choices) {
    for (const Choice& each : choices) {
        box.addItem(QString::fromUtf8(each.text), QLatin1String(each.key));
        box.setItemData(box.count() - 1, QString::fromUtf8(each.meaning), Qt::ToolTipRole);
    }
}

CommandRow::CommandRow(const char* name, QWidget* parent) : QWidget(parent), line(new QLineEdit(this)) {
    line->setObjectName(QLatin1String(name));
    line->setReadOnly(true);
    line->setToolTip(QStringLiteral("The equivalent command"));
    auto* const copy = new QPushButton(QStringLiteral("Copy"), this);
    copy->setAccessibleName(QStringLiteral("Copy the command"));
    connect(copy, &QPushButton::clicked, this, &CommandRow::copyRequested);
    fillRow(*this, *line, *copy);
}

void CommandRow::setCommand(const QString& text) {
    line->setText(text);
    line->setCursorPosition(0);
}

QWidget* withBrowseButton(QLineEdit& field, const QString& what, std::function<void()> browse,
                          QWidget* parent) {
    auto* const row = new QWidget(parent);
    auto* const button = new QToolButton(row);
    button->setText(QStringLiteral("…"));
    button->setToolTip(what);
    button->setAccessibleName(what);
    QObject::connect(button, &QToolButton::clicked, row, std::move(browse));
    fillRow(*row, field, *button);
    return row;
}

QScrollArea* scrolledForm(QWidget& form, int letters, QWidget* parent) {
    auto* const area = new QScrollArea(parent);
    area->setWidget(&form);
    area->setWidgetResizable(true);
    area->setFrameShape(QFrame::NoFrame);
    area->setMinimumWidth(parent->fontMetrics().averageCharWidth() * letters);
    return area;
}

QSpinBox* numberField(int least, int most, int usual, const char* name, QWidget* parent) {
    auto* const box = new QSpinBox(parent);
    box->setRange(least, most);
    box->setValue(usual);
    box->setObjectName(QLatin1String(name));
    return box;
}

}  // namespace et::studio
