#include "visualizers/debug/debug_answers.h"

#include "runtime/core/tensor.h"
#include "visualizers/toolkit/text.h"

#include <QJsonArray>
#include <QRegularExpression>
#include <QStringList>

#include <algorithm>
#include <limits>
#include <utility>

namespace et::visualizers {

namespace {

constexpr qsizetype maxListed = qsizetype{1} << 20;

QString textAt(const QJsonObject& object, const char* key) {
    return toQString(object.value(QLatin1String(key)).toString().toStdString());
}

std::int64_t integerAt(const QJsonObject& object, const char* key, std::int64_t otherwise = 0) {
    return object.value(QLatin1String(key)).toInteger(otherwise);
}

core::InstructionId instructionAt(const QJsonObject& object, const char* key) {
    constexpr std::int64_t most = std::numeric_limits<std::int32_t>::max();
    return core::InstructionId(
        static_cast<std::int32_t>(std::clamp<std::int64_t>(integerAt(object, key), -1, most)));
}

QJsonObject objectAt(const QJsonObject& object, const char* key) {
    return object.value(QLatin1String(key)).toObject();
}

std::string plainAt(const QJsonObject& object, const char* key) {
    return object.value(QLatin1String(key)).toString().toStdString();
}

/// A number, or the text of one that JSON cannot express.
QString numberAt(const QJsonObject& object, const char* key) {
    const QJsonValue value = object.value(QLatin1String(key));
    constexpr int digits = 6;
    if (value.isDouble()) {
        return QString::number(value.toDouble(), 'g', digits);
    }
    return value.isBool() ? (value.toBool() ? QStringLiteral("true") : QStringLiteral("false"))
                          : toQString(value.toString().toStdString());
}

template <class T, class Read>
std::vector<T> listAt(const QJsonObject& object, const char* key, Read read) {
    const QJsonArray array = object.value(QLatin1String(key)).toArray();
    std::vector<T> out;
    for (qsizetype i = 0; i < std::min(array.size(), maxListed); ++i) {
        out.push_back(read(array.at(i)));
    }
    return out;
}

/// "data": numbers, or texts of those that JSON cannot express.
std::vector<double> elementsAt(const QJsonObject& object) {
    return listAt<double>(object, "data", [](const QJsonValue& each) {
        constexpr double infinity = std::numeric_limits<double>::infinity();
        const QString text = each.toString();
        return each.isDouble()                  ? each.toDouble()
               : text == QStringLiteral("inf")  ? infinity
               : text == QStringLiteral("-inf") ? -infinity
                                                : std::numeric_limits<double>::quiet_NaN();
    });
}

std::optional<DebugStatistics> readStatistics(const QJsonObject& object) {
    if (object.isEmpty()) {
        return std::nullopt;
    }
    const QJsonValue saturated = object.value(QLatin1String("saturated"));
    return DebugStatistics{
        .elements = integerAt(object, "elements"),
        .min = numberAt(object, "min"),
        .max = numberAt(object, "max"),
        .mean = numberAt(object, "mean"),
        .deviation = numberAt(object, "std"),
        .nan = integerAt(object, "nan"),
        .infinite = integerAt(object, "inf"),
        .zero = integerAt(object, "zero"),
        .saturated = saturated.isDouble() ? std::optional(saturated.toDouble()) : std::nullopt};
}

std::optional<DebugDifference> readDifference(const QJsonObject& object) {
    if (object.isEmpty()) {
        return std::nullopt;
    }
    const QJsonValue changed = object.value(QLatin1String("changed"));
    const bool isReference = object.contains(QLatin1String("max_error"));
    return DebugDifference{
        .max = numberAt(object, isReference ? "max_error" : "max_change"),
        .mean = numberAt(object, "mean_error"),
        .snr = numberAt(object, "snr"),
        .changed = changed.isDouble() ? std::optional<std::int64_t>(changed.toInteger()) : std::nullopt,
        .missing = textAt(object, "missing"),
        .data = elementsAt(object)};
}

std::optional<DebugAccess> readAccess(const QJsonObject& object) {
    if (object.isEmpty()) {
        return std::nullopt;
    }
    return DebugAccess{.execution = integerAt(object, "execution"),
                       .step = integerAt(object, "step"),
                       .operatorName = textAt(object, "operator")};
}

}  // namespace

QString DebugValue::type() const {
    if (kind != QStringLiteral("tensor")) {
        return kind;
    }
    return QStringLiteral("%1 %2").arg(dtype, toQString(core::sizesText(sizes)));
}

QString DebugValue::spelling() const {
    return id >= 0 ? QStringLiteral("%%1").arg(id) : name;
}

QString readDebugError(const QJsonObject& answer) {
    return textAt(objectAt(answer, "error"), "message");
}

DebugStop readDebugStop(const QJsonObject& stop) {
    DebugStop out;
    out.reason = textAt(stop, "reason");
    out.step = integerAt(stop, "step", integerAt(stop, "instruction"));
    out.instructions = integerAt(stop, "instructions");
    out.operatorName = textAt(stop, "operator");
    out.module = textAt(stop, "module");
    out.after = textAt(stop, "when") == QStringLiteral("after");
    out.message = textAt(stop, "message");
    DebugPoint& point = out.point;
    point.execution = integerAt(stop, "execution");
    point.place = {.method = plainAt(stop, "method"), .instruction = instructionAt(stop, "instruction")};
    if (const QJsonValue node = stop.value(QLatin1String("node")); node.isDouble()) {
        point.node = node.toInteger();
    }
    point.handles = listAt<core::DebugHandle>(
        stop, "debug_handles", [](const QJsonValue& each) { return core::DebugHandle(each.toInteger()); });
    const QJsonObject source = objectAt(stop, "source");
    point.file = plainAt(source, "file");
    point.line = integerAt(source, "line");
    return out;
}

DebugValue readDebugValue(const QJsonObject& value) {
    DebugValue out;
    out.name = textAt(value, "name");
    out.id = integerAt(value, "id", -1);
    out.kind = textAt(value, "kind");
    out.dtype = textAt(value, "dtype");
    out.sizes = listAt<std::int64_t>(value, "sizes", [](const QJsonValue& each) { return each.toInteger(); });
    out.role = textAt(value, "role");
    out.scalar = numberAt(value, "value");
    out.data = elementsAt(value);
    if (const QJsonObject arena = objectAt(value, "arena"); !arena.isEmpty()) {
        out.arena = DebugArena{
            .id = integerAt(arena, "id"), .begin = integerAt(arena, "begin"), .end = integerAt(arena, "end")};
    }
    out.statistics = readStatistics(objectAt(value, "statistics"));
    out.reference = readDifference(objectAt(value, "reference"));
    out.previous = readDifference(objectAt(value, "previous"));
    return out;
}

DebugTrigger readDebugTrigger(const QJsonObject& object, DebugTrigger::Kind kind) {
    DebugTrigger out;
    out.kind = kind;
    out.id = integerAt(object, "id");
    out.text = textAt(object, kind == DebugTrigger::Kind::Break ? "location" : "expression");
    out.condition = textAt(object, "condition");
    out.ignore = integerAt(object, "ignore");
    out.hits = integerAt(object, "hits");
    out.enabled = object.value(QLatin1String("enabled")).toBool(true);
    out.message = textAt(object, "message");
    out.place.places = listAt<OperatorRef>(object, "instructions", [](const QJsonValue& each) {
        const QJsonObject at = each.toObject();
        return OperatorRef{.method = plainAt(at, "method"), .instruction = instructionAt(at, "instruction")};
    });
    static const QRegularExpression line(QStringLiteral("^(.+\\.py):(\\d+)$"));
    if (const auto match = line.match(out.text); kind == DebugTrigger::Kind::Break && match.hasMatch()) {
        out.place.file = match.captured(1).toStdString();
        out.place.line = match.captured(2).toLongLong();
    }
    return out;
}

std::vector<DebugValue> readDebugValues(const QJsonObject& info) {
    return listAt<DebugValue>(info, "values",
                              [](const QJsonValue& each) { return readDebugValue(each.toObject()); });
}

std::vector<DebugTrigger> readDebugTriggers(const QJsonObject& info) {
    auto all = listAt<DebugTrigger>(info, "breakpoints", [](const QJsonValue& each) {
        return readDebugTrigger(each.toObject(), DebugTrigger::Kind::Break);
    });
    for (DebugTrigger& each : listAt<DebugTrigger>(info, "watchpoints", [](const QJsonValue& value) {
             return readDebugTrigger(value.toObject(), DebugTrigger::Kind::Watch);
         })) {
        all.push_back(std::move(each));
    }
    std::ranges::sort(all, {}, &DebugTrigger::id);
    return all;
}

std::vector<DebugSteps> readDebugExecutions(const QJsonObject& info) {
    return listAt<DebugSteps>(info, "executions", [](const QJsonValue& each) {
        const QJsonValue steps = each.toObject().value(QLatin1String("steps"));
        return steps.isDouble() ? DebugSteps(std::max<std::int64_t>(steps.toInteger(), 0)) : std::nullopt;
    });
}

DebugAccesses readDebugAccesses(const QJsonObject& info) {
    return {.known = true,
            .lastWrite = readAccess(objectAt(info, "last_write")),
            .nextRead = readAccess(objectAt(info, "next_read"))};
}

QString positionText(const DebugStop& stop) {
    const QString execution = QStringLiteral("execution %1").arg(stop.point.execution);
    if (stop.operatorName.isEmpty()) {
        return QStringLiteral("%1, end").arg(execution);
    }
    const QString node = stop.point.node ? QStringLiteral(", node %1").arg(*stop.point.node) : QString();
    return QStringLiteral("%1, instruction %2%3: %4")
        .arg(execution)
        .arg(stop.point.place.instruction.value)
        .arg(node, stop.operatorName);
}

QString reasonText(const DebugStop& stop) {
    QStringList texts;
    if (stop.reason != QStringLiteral("step") && stop.reason != QStringLiteral("end")) {
        texts.append(stop.reason);
    }
    if (stop.after && !stop.operatorName.isEmpty()) {
        texts.append(QStringLiteral("the instruction has run"));
    }
    texts.append({stop.message, stop.module});
    if (stop.point.line > 0) {
        const QString file = toQString(stop.point.file);
        texts.append(
            QStringLiteral("%1:%2").arg(file.sliced(file.lastIndexOf(u'/') + 1)).arg(stop.point.line));
    }
    texts.removeAll(QString());
    return texts.join(QStringLiteral(" · "));
}

}  // namespace et::visualizers
