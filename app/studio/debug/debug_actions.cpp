#include "app/studio/debug/debug_actions.h"

#include "app/studio/debug/debug_session.h"
#include "app/studio/icons.h"

#include <QAction>

namespace et::studio {

DebugActions::DebugActions(DebugSession& of, QObject* parent)
    : QObject(parent),
      session(of),
      go(add("debug-continue", QStringLiteral("&Continue"),
             QStringLiteral("Run to the next breakpoint or watchpoint, or to the end"), Qt::Key_F5)),
      pause(add("debug-pause", QStringLiteral("&Interrupt"), QStringLiteral("Stop at the next instruction"),
                Qt::CTRL | Qt::Key_F5)),
      stop(add("stop", QStringLiteral("&Stop Debugging"), QStringLiteral("End the process"),
               Qt::CTRL | Qt::Key_Period)),
      restart(add("restart", QStringLiteral("Re&start"),
                  QStringLiteral("Load the method again, and stop before its first instruction"),
                  Qt::CTRL | Qt::SHIFT | Qt::Key_F5)) {
    forwards = {addMove("debug-next", QStringLiteral("&Next"),
                        QStringLiteral("Run one instruction; a delegate call is one"), Qt::Key_F10, "next"),
                addMove("debug-into", QStringLiteral("Step &Into"),
                        QStringLiteral("Run one instruction, or one operator inside a delegate"), Qt::Key_F11,
                        "step"),
                addMove("debug-out", QStringLiteral("Step &Out"),
                        QStringLiteral("Run to the end of the delegate or method"), Qt::SHIFT | Qt::Key_F11,
                        "finish")};
    backwards = {
        addMove("debug-back", QStringLiteral("Step &Back"), QStringLiteral("Go back by one instruction"),
                Qt::SHIFT | Qt::Key_F10, "reverse-next"),
        addMove("debug-reverse", QStringLiteral("&Run Back"),
                QStringLiteral("Go back to the previous breakpoint or watchpoint, or to the start"),
                Qt::SHIFT | Qt::Key_F5, "reverse-continue")};
    connect(go, &QAction::triggered, this, [this] {
        if (session.running()) {
            session.execute(QStringLiteral("continue"));
        } else {
            emit runWanted();
        }
    });
    connect(pause, &QAction::triggered, &session, &DebugSession::interrupt);
    connect(stop, &QAction::triggered, &session, &DebugSession::stop);
    connect(restart, &QAction::triggered, &session, &DebugSession::restart);
    connect(&session, &DebugSession::stateChanged, this, &DebugActions::update);
    update();
}

QAction* DebugActions::add(const char* iconName, const QString& text, const QString& tip,
                           const QKeySequence& key) {
    auto* const action = new QAction(icon(iconName), text, this);
    action->setShortcut(key);
    action->setToolTip(QStringLiteral("%1 (%2)").arg(tip, key.toString(QKeySequence::NativeText)));
    return action;
}

QAction* DebugActions::addMove(const char* iconName, const QString& text, const QString& tip,
                               const QKeySequence& key, const char* command) {
    QAction* const action = add(iconName, text, tip, key);
    connect(action, &QAction::triggered, this,
            [this, command] { session.execute(QString::fromLatin1(command)); });
    return action;
}

QList<QAction*> DebugActions::controls() const {
    return QList<QAction*>{go} + forwards + backwards + QList<QAction*>{pause, stop, restart};
}

QList<QAction*> DebugActions::menu(QAction* start) const {
    return QList<QAction*>{start, go, pause, stop, restart, nullptr} + forwards + QList<QAction*>{nullptr} +
           backwards;
}

void DebugActions::setStartable(bool can) {
    startable = can;
    update();
}

/// A running command can only be interrupted or stopped.
void DebugActions::update() {
    const bool isStopped = session.running() && !session.executing();
    go->setEnabled(isStopped || (startable && !session.running()));
    for (QAction* const each : forwards + backwards) {
        each->setEnabled(isStopped);
    }
    restart->setEnabled(isStopped);
    pause->setEnabled(session.executing());
    stop->setEnabled(session.running());
}

}  // namespace et::studio
