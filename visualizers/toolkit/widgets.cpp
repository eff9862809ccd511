#include "visualizers/toolkit/widgets.h"

#include <QComboBox>
#include <QLabel>
#include <QPushButton>
#include <QVBoxLayout>

namespace et::visualizers {

void fillColumn(QWidget& parent, std::initializer_list<ColumnItem> items, const QWidget* stretched) {
    auto* const column = new QVBoxLayout(&parent);
    column->setContentsMargins(0, 0, 0, 0);
    column->setSpacing(0);
    for (const ColumnItem& item : items) {
        const bool isLast = column->count() + 1 == static_cast<int>(items.size());
        const int stretch = (stretched == nullptr ? isLast : item.widget == stretched) ? 1 : 0;
        if (item.layout != nullptr) {
            column->addLayout(item.layout, stretch);
        } else {
            column->addWidget(item.widget, stretch);
        }
    }
}

QLayout* rowOf(std::initializer_list<QWidget*> widgets) {
    auto* const row = new QHBoxLayout;
    for (QWidget* const widget : widgets) {
        row->addWidget(widget, row->count() + 1 == static_cast<int>(widgets.size()) ? 1 : 0);
    }
    return row;
}

QLabel* plainLabel(const char* name, QWidget* parent, const LabelOptions& options) {
    auto* const label = new QLabel(parent);
    label->setObjectName(QLatin1String(name));
    label->setTextFormat(Qt::PlainText);
    label->setWordWrap(options.wraps);
    label->setMargin(options.margin);
    label->setContentsMargins(options.sides, 0, options.sides, 0);
    if (options.shrinks) {
        label->setSizePolicy(QSizePolicy::Ignored, QSizePolicy::Preferred);
    }
    if (options.selectable) {
        label->setTextInteractionFlags(Qt::TextSelectableByMouse);
    }
    return label;
}

QLabel* hintLabel(const char* name, QWidget* parent, const LabelOptions& options) {
    QLabel* const label = plainLabel(name, parent, options);
    label->setAlignment(Qt::AlignCenter);
    return label;
}

QWidget* hintPage(QLabel& hint, QPushButton& button, QWidget* parent) {
    auto* const page = new QWidget(parent);
    auto* const column = new QVBoxLayout(page);
    column->addStretch();
    column->addWidget(&hint);
    column->addWidget(&button, 0, Qt::AlignHCenter);
    column->addStretch();
    return page;
}

QComboBox* choiceBox(const char* name, const QString& tip, QWidget* parent) {
    auto* const box = new QComboBox(parent);
    box->setObjectName(QLatin1String(name));
    box->setToolTip(tip);
    return box;
}

FilterField::FilterField(const char* name, const QString& placeholder, QWidget* parent) : QLineEdit(parent) {
    setObjectName(QLatin1String(name));
    setClearButtonEnabled(true);
    setPlaceholderText(placeholder);
}

void FilterField::begin() {
    setFocus(Qt::ShortcutFocusReason);
    selectAll();
}

}  // namespace et::visualizers
