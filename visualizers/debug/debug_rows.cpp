#include "visualizers/debug/debug_rows.h"

#include "inspector/format/quantities.h"
#include "visualizers/toolkit/text.h"

#include <QStringList>

#include <algorithm>
#include <cstdint>

namespace et::visualizers {

namespace {

using inspector::format::Cell;

void addColumn(ReportRows& rows, const char* id, const char* header, bool numeric = false) {
    rows.table.columns.push_back({.id = id, .header = header, .numeric = numeric});
}

ReportRows noRows() {
    ReportRows rows;
    rows.table.indexed = false;
    return rows;
}

/// A number as one, so that the column sorts by it; NaN and infinities as text.
Cell numberCell(const QString& text) {
    bool isNumber = false;
    const double number = text.toDouble(&isNumber);
    return isNumber && number - number == 0 ? Cell(number) : Cell(text.toStdString());
}

QString faults(const DebugStatistics& statistics) {
    QStringList texts;
    const auto add = [&](std::int64_t count, const char* name) {
        if (count > 0) {
            texts.append(QStringLiteral("%1 %2").arg(count).arg(QLatin1String(name)));
        }
    };
    add(statistics.nan, "NaN");
    add(statistics.infinite, "Inf");
    return texts.join(QStringLiteral(", "));
}

QString detailRow(const char* name, const QString& value) {
    return value.isEmpty() ? QString()
                           : QStringLiteral("<tr><td>%1&nbsp;&nbsp;</td><td>%2</td></tr>")
                                 .arg(QLatin1String(name), value.toHtmlEscaped());
}

QString differenceText(const std::optional<DebugDifference>& difference) {
    if (!difference) {
        return {};
    }
    if (!difference->missing.isEmpty()) {
        return QStringLiteral("none: %1").arg(difference->missing);
    }
    QStringList texts{QStringLiteral("at most %1").arg(difference->max)};
    if (!difference->mean.isEmpty()) {
        texts.append(QStringLiteral("mean %1").arg(difference->mean));
    }
    if (!difference->snr.isEmpty()) {
        texts.append(QStringLiteral("SNR %1 dB").arg(difference->snr));
    }
    if (difference->changed) {
        texts.append(counted(static_cast<std::size_t>(std::max<std::int64_t>(*difference->changed, 0)),
                             QStringLiteral("1 element changed"), QStringLiteral("%1 elements changed")));
    }
    return texts.join(QStringLiteral(", "));
}

QString accessText(const DebugAccesses& accesses, const std::optional<DebugAccess>& access) {
    if (!accesses.known) {
        return {};
    }
    return access ? QStringLiteral("execution %1, step %2 %3")
                        .arg(access->execution)
                        .arg(access->step)
                        .arg(access->operatorName)
                  : QStringLiteral("never");
}

QString arenaText(const DebugArena& arena) {
    return QStringLiteral("arena %1, bytes %2 to %3 (%4)")
        .arg(arena.id)
        .arg(arena.begin)
        .arg(arena.end)
        .arg(toQString(inspector::format::readableBytes(
            static_cast<std::uint64_t>(std::max<std::int64_t>(arena.end - arena.begin, 0)))));
}

}  // namespace

ReportRows valueRows(const std::vector<DebugValue>& values) {
    ReportRows rows = noRows();
    addColumn(rows, "name", "Value");
    addColumn(rows, "type", "Type");
    addColumn(rows, "min", "Min", true);
    addColumn(rows, "max", "Max", true);
    addColumn(rows, "faults", "NaN, Inf");
    addColumn(rows, "role", "Role");
    addColumn(rows, "id", "Id", true);
    for (const DebugValue& each : values) {
        const auto& known = each.statistics;
        rows.table.rows.push_back({each.name.toStdString(), each.type().toStdString(),
                                   known ? numberCell(known->min) : numberCell(each.scalar),
                                   known ? numberCell(known->max) : Cell(),
                                   known ? Cell(faults(*known).toStdString()) : Cell(),
                                   each.role.toStdString(), each.id});
    }
    return rows;
}

ReportRows watchRows(const std::vector<std::pair<QString, QString>>& watches) {
    ReportRows rows = noRows();
    addColumn(rows, "expression", "Expression");
    addColumn(rows, "value", "Value");
    for (const auto& [expression, value] : watches) {
        rows.table.rows.push_back({expression.toStdString(), value.toStdString()});
    }
    return rows;
}

ReportRows triggerRows(const std::vector<DebugTrigger>& triggers) {
    ReportRows rows = noRows();
    addColumn(rows, "id", "No.", true);
    addColumn(rows, "kind", "Kind");
    addColumn(rows, "where", "Location or expression");
    addColumn(rows, "condition", "Condition");
    addColumn(rows, "hits", "Hits", true);
    addColumn(rows, "ignore", "Ignore", true);
    addColumn(rows, "enabled", "Enabled");
    addColumn(rows, "message", "Note");
    for (const DebugTrigger& each : triggers) {
        rows.table.rows.push_back({each.id == 0 ? Cell() : Cell(each.id),
                                   each.kind == DebugTrigger::Kind::Break ? "break" : "watch",
                                   each.text.toStdString(), each.condition.toStdString(), each.hits,
                                   each.ignore, each.enabled ? "yes" : "no", each.message.toStdString()});
    }
    return rows;
}

QString summaryOf(const DebugValue& value) {
    if (!value.statistics) {
        return value.scalar.isEmpty() ? value.type() : value.scalar;
    }
    const DebugStatistics& known = *value.statistics;
    QStringList texts{value.type(), QStringLiteral("min %1").arg(known.min),
                      QStringLiteral("max %1").arg(known.max), QStringLiteral("mean %1").arg(known.mean)};
    if (const QString wrong = faults(known); !wrong.isEmpty()) {
        texts.append(wrong);
    }
    return texts.join(QStringLiteral(" · "));
}

QString detailsOf(const DebugValue& value, const DebugAccesses& accesses) {
    QString text = QStringLiteral("<b>%1</b><table>").arg(value.name.toHtmlEscaped());
    text += detailRow("type", value.type());
    text += detailRow("value", value.scalar);
    text += detailRow("role", value.role);
    if (const auto& known = value.statistics) {
        constexpr double percent = 100;
        text += detailRow("range", QStringLiteral("%1 to %2").arg(known->min, known->max));
        text += detailRow("mean", QStringLiteral("%1 ± %2").arg(known->mean, known->deviation));
        text += detailRow("zero", known->zero > 0
                                      ? QStringLiteral("%1 of %2").arg(known->zero).arg(known->elements)
                                      : QString());
        text += detailRow("invalid", faults(*known));
        text += detailRow(
            "saturated", known->saturated ? QStringLiteral("%1 %").arg(*known->saturated * percent, 0, 'g', 3)
                                          : QString());
    }
    text += detailRow("to reference", differenceText(value.reference));
    text += detailRow("to previous", differenceText(value.previous));
    text += detailRow("last write", accessText(accesses, accesses.lastWrite));
    text += detailRow("next read", accessText(accesses, accesses.nextRead));
    text += detailRow("memory", value.arena ? arenaText(*value.arena) : QString());
    return text + QStringLiteral("</table>");
}

}  // namespace et::visualizers
