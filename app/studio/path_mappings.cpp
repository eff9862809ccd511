#include "app/studio/path_mappings.h"

#include <QSettings>
#include <QStringList>

namespace et::studio {

namespace {

/// A list of pairs: from, to, from, to, …
const QString mappingsKey = QStringLiteral("source/mappings");

}  // namespace

std::vector<inspector::PathMapping> storedMappings(const QSettings& settings) {
    const QStringList texts = settings.value(mappingsKey).toStringList();
    std::vector<inspector::PathMapping> mappings;
    for (qsizetype i = 0; i + 1 < texts.size(); i += 2) {
        mappings.push_back({.from = texts[i].toStdString(), .to = texts[i + 1].toStdString()});
    }
    return mappings;
}

void storeMappings(QSettings& settings, const std::vector<inspector::PathMapping>& mappings) {
    QStringList texts;
    for (const inspector::PathMapping& each : mappings) {
        texts << QString::fromStdString(each.from) << QString::fromStdString(each.to);
    }
    settings.setValue(mappingsKey, texts);
}

}  // namespace et::studio
