#include "app/studio/pressed_tab.h"

#include <QCoreApplication>
#include <QMouseEvent>

namespace et::studio {

PressedTab::PressedTab(QObject* parent) : QObject(parent) {
    QCoreApplication::instance()->installEventFilter(this);
}

bool PressedTab::eventFilter(QObject* receiver, QEvent* event) {
    switch (event->type()) {
        case QEvent::MouseButtonPress:
            if (auto* const pressed = qobject_cast<QTabBar*>(receiver)) {
                bar = pressed;
                count = pressed->count();
            }
            break;
        case QEvent::MouseMove:
            if (bar != nullptr && receiver == bar && bar->count() != count) {
                const auto& move = *static_cast<QMouseEvent*>(event);
                QTabBar* const left = bar;
                bar = nullptr;
                QMouseEvent release(QEvent::MouseButtonRelease, QPointF(-1, -1), move.globalPosition(),
                                    Qt::LeftButton, Qt::NoButton, move.modifiers());
                QCoreApplication::sendEvent(left, &release);
                return true;
            }
            break;
        case QEvent::MouseButtonRelease:
            bar = nullptr;
            break;
        default:
            break;
    }
    return QObject::eventFilter(receiver, event);
}

}  // namespace et::studio
