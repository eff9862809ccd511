#include "app/studio/pressed_tab.h"

#include <QCoreApplication>
#include <QMouseEvent>
#include <QTabBar>
#include <QVariant>

namespace et::studio {

namespace {

/// Property of a bar with a pressed tab, as far as Qt knows: the number of its tabs at the time of the press.
constexpr const char* tabsWhenPressed = "tabsWhenPressed";

}  // namespace

PressedTab::PressedTab(QObject* parent) : QObject(parent) {
    QCoreApplication::instance()->installEventFilter(this);
}

bool PressedTab::eventFilter(QObject* receiver, QEvent* event) {
    const auto type = event->type();
    const bool isPress = type == QEvent::MouseButtonPress || type == QEvent::MouseButtonDblClick;
    if (!isPress && type != QEvent::MouseMove && type != QEvent::MouseButtonRelease) {
        return QObject::eventFilter(receiver, event);
    }
    auto* const bar = qobject_cast<QTabBar*>(receiver);
    if (bar == nullptr) {
        return QObject::eventFilter(receiver, event);
    }
    const auto& mouse = *static_cast<QMouseEvent*>(event);
    if (type == QEvent::MouseMove) {
        return cancelDrag(*bar, mouse);
    }
    if (mouse.button() == Qt::LeftButton) {  // Qt presses tabs with the left button only
        bar->setProperty(tabsWhenPressed, isPress ? QVariant(bar->count()) : QVariant());
    }
    return false;
}

bool PressedTab::cancelDrag(QTabBar& bar, const QMouseEvent& move) {
    const QVariant tabs = bar.property(tabsWhenPressed);
    const bool isDown = move.buttons().testFlag(Qt::LeftButton);
    if (!tabs.isValid() || (isDown && tabs.toInt() == bar.count())) {
        return false;
    }
    QMouseEvent release(QEvent::MouseButtonRelease, QPointF(-1, -1), move.globalPosition(), Qt::LeftButton,
                        Qt::NoButton, move.modifiers());
    QCoreApplication::sendEvent(&bar, &release);  // also passes this event filter
    return isDown;
}

}  // namespace et::studio
