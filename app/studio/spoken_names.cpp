#include "app/studio/spoken_names.h"

#include <QAbstractButton>
#include <QAbstractItemView>
#include <QComboBox>
#include <QLabel>
#include <QLineEdit>
#include <QPlainTextEdit>
#include <QTabWidget>
#include <QTextEdit>
#include <QToolBar>
#include <QWidget>

namespace et::studio {

namespace {

QString hintOf(const QWidget& widget) {
    if (const auto* const line = qobject_cast<const QLineEdit*>(&widget)) {
        return line->placeholderText();
    }
    if (const auto* const text = qobject_cast<const QPlainTextEdit*>(&widget)) {
        return text->placeholderText();
    }
    const auto* const text = qobject_cast<const QTextEdit*>(&widget);
    return text == nullptr ? QString() : text->placeholderText();
}

/// The title of the innermost page that contains the widget.
QString pageOf(const QWidget& widget) {
    for (const QWidget* each = &widget; each != nullptr; each = each->parentWidget()) {
        const QWidget* const stack = each->parentWidget();
        const auto* const tabs =
            stack == nullptr ? nullptr : qobject_cast<const QTabWidget*>(stack->parentWidget());
        const int page = tabs == nullptr ? -1 : tabs->indexOf(each);
        if (page >= 0) {
            return tabs->tabText(page).remove(u'&');
        }
    }
    return {};
}

/// Labels and buttons are described by their texts.
bool isSelfDescribing(const QWidget& widget) {
    const auto* const button = qobject_cast<const QAbstractButton*>(&widget);
    return qobject_cast<const QLabel*>(&widget) != nullptr ||
           (button != nullptr && !button->text().isEmpty()) ||
           qobject_cast<const QToolBar*>(&widget) != nullptr;
}

}  // namespace

void nameWidgets(QWidget& root, const QString& title) {
    for (QWidget* const widget : root.findChildren<QWidget*>()) {
        const bool isOfOurs =
            widget->focusPolicy() != Qt::NoFocus && !widget->objectName().startsWith(QLatin1String("qt_"));
        if (!isOfOurs || !widget->accessibleName().isEmpty() || isSelfDescribing(*widget)) {
            continue;
        }
        QString name = hintOf(*widget);
        name = name.isEmpty() ? widget->toolTip() : name;
        name = name.isEmpty() ? pageOf(*widget) : name;
        widget->setAccessibleName(name.isEmpty() ? title : name);
    }
}

}  // namespace et::studio
