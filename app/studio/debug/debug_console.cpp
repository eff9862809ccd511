#include "app/studio/debug/debug_console.h"

#include "app/studio/debug/debug_session.h"
#include "visualizers/debug/debug_rows.h"
#include "visualizers/toolkit/text.h"
#include "visualizers/toolkit/widgets.h"

#include <QFontDatabase>
#include <QJsonArray>
#include <QJsonDocument>
#include <QJsonObject>
#include <QKeyEvent>
#include <QLineEdit>
#include <QPlainTextEdit>

#include <algorithm>

namespace et::studio {

namespace {

constexpr int mostConsoleLines = 2000;
constexpr qsizetype mostAnswer = 4000;
constexpr qsizetype mostRecalled = 200;

QString compact(const QJsonValue& value) {
    const QByteArray text = value.isArray() ? QJsonDocument(value.toArray()).toJson(QJsonDocument::Compact)
                                            : QJsonDocument(value.toObject()).toJson(QJsonDocument::Compact);
    return visualizers::toQString(text.first(std::min(text.size(), mostAnswer)).toStdString()) +
           (text.size() > mostAnswer ? QStringLiteral("…") : QString());
}

QString memberText(const QJsonValue& value) {
    if (value.isArray()) {
        return compact(value);
    }
    if (value.isObject()) {
        QStringList members;
        const QJsonObject object = value.toObject();
        for (auto each = object.begin(); each != object.end(); ++each) {
            members.append(QStringLiteral("%1 %2").arg(
                each.key(), each.value().isObject() ? compact(each.value()) : memberText(each.value())));
        }
        return members.join(QStringLiteral(", "));
    }
    return value.isNull() ? QStringLiteral("none")
                          : visualizers::toQStringLines(value.toVariant().toString().toStdString());
}

/// An answer as text, with a line for each member.
QString answerText(const QJsonObject& answer) {
    if (const QJsonValue error = answer.value(QLatin1String("error")); error.isObject()) {
        return QStringLiteral("error: %1").arg(memberText(error.toObject().value(QLatin1String("message"))));
    }
    if (const QJsonValue stop = answer.value(QLatin1String("stop")); stop.isObject()) {
        const visualizers::DebugStop read = visualizers::readDebugStop(stop.toObject());
        const QString reason = visualizers::reasonText(read);
        return visualizers::positionText(read) +
               (reason.isEmpty() ? QString() : QStringLiteral(" · ") + reason);
    }
    if (const QJsonValue value = answer.value(QLatin1String("value")); value.isObject()) {
        return visualizers::summaryOf(visualizers::readDebugValue(value.toObject()));
    }
    QStringList lines;
    const QJsonObject members = answer.isEmpty() ? QJsonObject() : answer.begin().value().toObject();
    for (auto each = members.begin(); each != members.end(); ++each) {
        if (each.value().isArray()) {
            lines.append(each.key() + u':');
            for (const QJsonValue item : each.value().toArray()) {
                lines.append(QStringLiteral("  ") + memberText(item));
            }
        } else if (each.key() == QStringLiteral("text")) {
            lines.append(memberText(each.value()));
        } else if (each.key() != QStringLiteral("kind")) {
            lines.append(QStringLiteral("%1: %2").arg(each.key(), memberText(each.value())));
        }
    }
    return lines.join(u'\n');
}

}  // namespace

DebugConsole::DebugConsole(DebugSession& of, QWidget* parent)
    : QWidget(parent), session(of), log(new QPlainTextEdit(this)), line(new QLineEdit(this)) {
    log->setObjectName(QStringLiteral("debugLog"));
    log->setAccessibleName(QStringLiteral("Answers"));
    log->setReadOnly(true);
    log->setFrameShape(QFrame::NoFrame);
    log->setMaximumBlockCount(mostConsoleLines);
    log->setFont(QFontDatabase::systemFont(QFontDatabase::FixedFont));
    log->setPlaceholderText(
        QStringLiteral("Type a command below, such as \"print max(abs(out))\", \"set out = 0\", \"skip\", "
                       "\"save run.etdebug\" or \"help\"."));
    line->setObjectName(QStringLiteral("debugCommand"));
    line->setAccessibleName(QStringLiteral("Debugger command"));
    line->setPlaceholderText(QStringLiteral("command"));
    line->setFont(log->font());
    line->installEventFilter(this);
    visualizers::fillColumn(*this, {log, line}, log);
    setFocusProxy(line);
    connect(line, &QLineEdit::returnPressed, this, &DebugConsole::send);
}

void DebugConsole::send() {
    const QString command = line->text().simplified();
    if (command.isEmpty()) {
        return;
    }
    line->clear();
    history.removeAll(command);
    history.append(command);
    history = history.last(std::min(history.size(), mostRecalled));
    recalled = history.size();
    write(QStringLiteral("> ") + command);
    if (!session.running()) {
        write(QStringLiteral("error: not running; start debugging first"));
        return;
    }
    session.command(command, [this](const QJsonObject& answer) { write(answerText(answer)); });
}

void DebugConsole::write(const QString& text) {
    if (!text.isEmpty()) {
        log->appendPlainText(text);
    }
}

void DebugConsole::recall(int step) {
    recalled = std::clamp<qsizetype>(recalled + step, 0, history.size());
    line->setText(recalled < history.size() ? history[recalled] : QString());
}

bool DebugConsole::eventFilter(QObject* object, QEvent* event) {
    if (object == line && event->type() == QEvent::KeyPress) {
        const int key = static_cast<QKeyEvent*>(event)->key();
        if (key == Qt::Key_Up || key == Qt::Key_Down) {
            recall(key == Qt::Key_Up ? -1 : 1);
            return true;
        }
    }
    return QWidget::eventFilter(object, event);
}

QString DebugConsole::text() const {
    return log->toPlainText();
}

}  // namespace et::studio
