#include "app/studio/run_progress.h"

#include <QJsonArray>
#include <QJsonDocument>
#include <QJsonObject>

#include <algorithm>

namespace et::studio {

namespace {

using visualizers::DeviceReading;
using visualizers::GaugeSample;

constexpr int progressSchema = 1;

std::optional<double> told(const QJsonObject& object, const char* key) {
    const QJsonValue value = object.value(QLatin1String(key));
    return value.isDouble() ? std::optional(value.toDouble()) : std::nullopt;
}

std::uint64_t countAt(const QJsonObject& object, const char* key) {
    return static_cast<std::uint64_t>(std::max<qint64>(object.value(QLatin1String(key)).toInteger(), 0));
}

DeviceReading readDevice(const QJsonObject& object) {
    constexpr double perMilli = 1e-3;
    constexpr double perKilo = 1e3;
    DeviceReading device{.throttled = countAt(object, "throttled"),
                         .availableBytes = told(object, "available_bytes"),
                         .memoryPressure = told(object, "memory_pressure_percent")};
    if (const auto core = told(object, "core")) {
        device.core = static_cast<int>(*core);
    }
    for (const auto& clock : object.value(QLatin1String("kilohertz")).toArray()) {
        device.hertz.push_back(clock.toDouble() * perKilo);
    }
    if (const auto heat = told(object, "millicelsius")) {
        device.celsius = *heat * perMilli;
    }
    return device;
}

std::optional<GaugeSample> readGauge(const QJsonObject& line, double seconds) {
    const QJsonObject times = line.value(QLatin1String("times")).toObject();
    const std::uint64_t executions = countAt(times, "executions");
    if (executions == 0) {
        return std::nullopt;
    }
    GaugeSample sample{.seconds = seconds,
                       .times = {.executions = executions,
                                 .last = told(times, "last_ns").value_or(0),
                                 .least = told(times, "min_ns").value_or(0),
                                 .most = told(times, "max_ns").value_or(0),
                                 .average = told(times, "avg_ns").value_or(0)},
                       .device = {}};
    if (const QJsonValue device = line.value(QLatin1String("device")); device.isObject()) {
        sample.device = readDevice(device.toObject());
    }
    return sample;
}

}  // namespace

std::optional<RunProgress> readProgress(QByteArrayView line) {
    if (!line.startsWith('{')) {
        return std::nullopt;
    }
    const QJsonObject object = QJsonDocument::fromJson(line.toByteArray()).object();
    if (object.value(QLatin1String("progress")).toInt() != progressSchema) {
        return std::nullopt;
    }
    const double seconds = object.value(QLatin1String("seconds")).toDouble();
    return RunProgress{.phase = object.value(QLatin1String("phase")).toString(),
                       .done = object.value(QLatin1String("done")).toInteger(),
                       .total = object.value(QLatin1String("total")).toInteger(),
                       .seconds = seconds,
                       .gauge = readGauge(object, seconds)};
}

}  // namespace et::studio
