#include "app/studio/debug/kept_triggers.h"

#include "visualizers/toolkit/text.h"

#include <QFile>
#include <QFileInfo>
#include <QJsonArray>
#include <QJsonDocument>
#include <QJsonObject>
#include <QSettings>

namespace et::studio {

using visualizers::DebugTrigger;
using visualizers::toQString;

namespace {

constexpr auto triggersKey = "debug/triggers";
constexpr qsizetype mostPrograms = 20;
constexpr qsizetype mostTriggers = 200;

/// Independent of the working folder.
QString pathText(const std::filesystem::path& path) {
    return QFileInfo(QFile::decodeName(path.c_str())).absoluteFilePath();
}

/// As in the debugger's answers, so that both are read alike.
QJsonObject written(const DebugTrigger& trigger) {
    const bool breaks = trigger.kind == DebugTrigger::Kind::Break;
    QJsonArray places;
    for (const visualizers::OperatorRef& each : trigger.place.places) {
        places.append(QJsonObject{{QStringLiteral("method"), QString::fromStdString(each.method)},
                                  {QStringLiteral("instruction"), each.instruction.value}});
    }
    return {{QStringLiteral("breaks"), breaks},
            {breaks ? QStringLiteral("location") : QStringLiteral("expression"), trigger.text},
            {QStringLiteral("condition"), trigger.condition},
            {QStringLiteral("ignore"), static_cast<qint64>(trigger.ignore)},
            {QStringLiteral("enabled"), trigger.enabled},
            {QStringLiteral("instructions"), places},
            {QStringLiteral("file"), toQString(trigger.place.file)},
            {QStringLiteral("line"), static_cast<qint64>(trigger.place.line)}};
}

DebugTrigger readTrigger(const QJsonObject& object) {
    const bool breaks = object.value(QLatin1String("breaks")).toBool(true);
    DebugTrigger trigger =
        visualizers::readDebugTrigger(object, breaks ? DebugTrigger::Kind::Break : DebugTrigger::Kind::Watch);
    trigger.id = 0;
    if (const qint64 line = object.value(QLatin1String("line")).toInteger(); line > 0) {
        trigger.place.file = object.value(QLatin1String("file")).toString().toStdString();
        trigger.place.line = line;
    }
    return trigger;
}

QJsonArray programsOf(const QSettings& store) {
    return QJsonDocument::fromJson(store.value(triggersKey).toByteArray()).array();
}

bool isOf(const QJsonValue& entry, const QString& program) {
    return entry.toObject().value(QLatin1String("program")).toString() == program;
}

}  // namespace

std::vector<DebugTrigger> keptTriggers(const QSettings& store, const std::filesystem::path& program) {
    std::vector<DebugTrigger> triggers;
    for (const QJsonValue& entry : programsOf(store)) {
        if (!program.empty() && isOf(entry, pathText(program))) {
            for (const QJsonValue& each : entry.toObject().value(QLatin1String("triggers")).toArray()) {
                triggers.push_back(readTrigger(each.toObject()));
            }
        }
    }
    return triggers;
}

void keepTriggers(QSettings& store, const std::filesystem::path& program,
                  const std::vector<DebugTrigger>& triggers) {
    const QString path = pathText(program);
    QJsonArray programs;
    QJsonArray list;
    for (const DebugTrigger& each : triggers) {
        if (list.size() < mostTriggers) {
            list.append(written(each));
        }
    }
    if (!list.isEmpty()) {
        programs.append(QJsonObject{{QStringLiteral("program"), path}, {QStringLiteral("triggers"), list}});
    }
    for (const QJsonValue& entry : programsOf(store)) {
        if (programs.size() < mostPrograms && !isOf(entry, path)) {
            programs.append(entry);
        }
    }
    store.setValue(triggersKey, QJsonDocument(programs).toJson(QJsonDocument::Compact));
}

}  // namespace et::studio
