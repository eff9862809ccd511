#include "visualizers/shapes/shape_study.h"

#include "visualizers/toolkit/text.h"

#include <QJsonArray>
#include <QJsonDocument>
#include <QJsonObject>

#include <algorithm>

namespace et::visualizers {

namespace {

constexpr int shapesSchema = 1;
constexpr qsizetype mostSizes = 100'000;

QString textIn(const QJsonObject& object, const char* key) {
    return toQString(object.value(QLatin1String(key)).toString().toStdString());
}

/// "s0 from 1 (the record) to 128 (the program's plan)", with the file's wording.
QString boundOf(const QJsonObject& dimension) {
    const auto number = [&](const char* key) {
        const QJsonValue value = dimension.value(QLatin1String(key));
        return value.isDouble() ? QString::number(value.toInteger()) : QStringLiteral("?");
    };
    return QStringLiteral("%1 from %2 (%3) to %4 (%5)")
        .arg(textIn(dimension, "name"), number("min"), textIn(dimension, "min_from"), number("max"),
             textIn(dimension, "max_from"));
}

QStringList notesOf(const QJsonObject& trend) {
    constexpr auto scale = inspector::TimeScale::Nanoseconds;
    QStringList notes;
    for (const QJsonValue each : trend.value(QLatin1String("bends")).toArray()) {
        const QJsonObject bend = each.toObject();
        notes.append(QStringLiteral("%1: %2 above the linear fit at the largest size")
                         .arg(textIn(bend, "operator"),
                              timeText(bend.value(QLatin1String("excess")).toDouble(), scale)));
    }
    for (const QJsonValue each : trend.value(QLatin1String("steps")).toArray()) {
        const QJsonObject step = each.toObject();
        notes.append(QStringLiteral("step between %1 and %2, from %3 to %4: %5")
                         .arg(step.value(QLatin1String("before")).toInteger())
                         .arg(step.value(QLatin1String("after")).toInteger())
                         .arg(timeText(step.value(QLatin1String("from")).toDouble(), scale),
                              timeText(step.value(QLatin1String("to")).toDouble(), scale),
                              textIn(step, "operator")));
    }
    return notes;
}

core::Result<SizeCurve> curveOf(const QJsonObject& object) {
    const QJsonArray sizes = object.value(QLatin1String("sizes")).toArray();
    const QJsonArray times = object.value(QLatin1String("p50_ns")).toArray();
    const QJsonArray bytes = object.value(QLatin1String("working_bytes")).toArray();
    if (sizes.isEmpty() || sizes.size() > mostSizes || times.size() != sizes.size() ||
        bytes.size() != sizes.size()) {
        return core::fail(core::ErrorCode::Format,
                          "curves: expected equal numbers of times, bytes and sizes");
    }
    SizeCurve curve{.dimension = textIn(object, "dimension"), .points = {}};
    for (qsizetype i = 0; i < sizes.size(); ++i) {
        curve.points.push_back(
            {.size = sizes[i].toInteger(),
             .nanoseconds = times[i].toDouble(),
             .bytes = bytes[i].isDouble() ? std::optional(bytes[i].toDouble()) : std::nullopt});
    }
    std::ranges::sort(curve.points, {}, &SizePoint::size);
    const QJsonObject trend = object.value(QLatin1String("time")).toObject();
    curve.base = trend.value(QLatin1String("base")).toDouble();
    curve.slope = trend.value(QLatin1String("slope")).toDouble();
    const QJsonValue until = trend.value(QLatin1String("linear_until"));
    curve.linearUntil = until.isDouble() ? std::optional(until.toInteger()) : std::nullopt;
    curve.notes = notesOf(trend);
    return curve;
}

}  // namespace

core::Result<ShapeStudy> readShapeStudy(const QByteArray& json) {
    const QJsonObject object = QJsonDocument::fromJson(json).object();
    if (object.value(QLatin1String("schema")).toInt() != shapesSchema) {
        return core::fail(core::ErrorCode::Format, "expected the output of et-inspect shapes --format json");
    }
    ShapeStudy study{.method = textIn(object, "method"),
                     .failed = object.value(QLatin1String("failed")).toInt()};
    for (const QJsonValue each : object.value(QLatin1String("dimensions")).toArray()) {
        study.bounds.append(boundOf(each.toObject()));
    }
    for (const QJsonValue each : object.value(QLatin1String("cases")).toArray()) {
        const QJsonObject tried = each.toObject();
        study.tried.push_back({.verdict = textIn(tried, "verdict"),
                               .place = textIn(tried, "place"),
                               .what = textIn(tried, "what"),
                               .reason = textIn(tried, "reason"),
                               .culprit = textIn(tried, "culprit")});
    }
    for (const QJsonValue each : object.value(QLatin1String("curves")).toArray()) {
        ET_ASSIGN(SizeCurve curve, curveOf(each.toObject()));
        study.curves.push_back(std::move(curve));
    }
    return study;
}

}  // namespace et::visualizers
