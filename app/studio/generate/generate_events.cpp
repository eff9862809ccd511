#include "app/studio/generate/generate_events.h"

#include "visualizers/toolkit/text.h"

#include <QJsonArray>
#include <QJsonDocument>
#include <QJsonObject>
#include <QStringList>

namespace et::studio {

namespace {

using visualizers::ShownToken;

ShownToken readToken(const QJsonObject& object, bool generated) {
    const QJsonValue surprise = object[QLatin1String("surprise")];
    return {.id = static_cast<std::uint32_t>(object[QLatin1String("id")].toInteger()),
            .position = static_cast<std::size_t>(object[QLatin1String("position")].toInteger()),
            .text = object[QLatin1String("text")].toString(),
            .generated = generated,
            .milliseconds = object[QLatin1String("ms")].toDouble(),
            .surprise = surprise.isDouble() ? std::optional(surprise.toDouble()) : std::nullopt};
}

QString rateText(const QJsonValue& of) {
    return QString::number(of[QLatin1String("tokens_per_second")].toDouble(), 'f', 1);
}

}  // namespace

std::optional<GenerateEvent> readGenerateEvent(const QByteArray& line) {
    const QJsonObject object = QJsonDocument::fromJson(line).object();
    const QString kind = object[QLatin1String("event")].toString();
    if (kind == QLatin1String("token")) {
        return GenerateEvent{.tokens = {readToken(object, true)}};
    }
    if (kind != QLatin1String("prompt")) {
        return std::nullopt;
    }
    GenerateEvent event;
    for (const QJsonValue& each : object[QLatin1String("tokens")].toArray()) {
        event.tokens.push_back(readToken(each.toObject(), false));
    }
    return event;
}

QString figuresOfGeneration(const QByteArray& output) {
    const QByteArray text = output.trimmed();
    const QJsonObject object = QJsonDocument::fromJson(text.sliced(text.lastIndexOf('\n') + 1)).object();
    if (object[QLatin1String("event")].toString() != QLatin1String("end")) {
        return {};
    }
    const QJsonValue prefill = object[QLatin1String("prefill")];
    const QJsonValue decode = object[QLatin1String("decode")];
    const QJsonValue times = object[QLatin1String("time_ms")];
    const auto milliseconds = [](const QJsonValue& time) {
        return visualizers::timeText(time.toDouble(), inspector::TimeScale::Milliseconds);
    };
    QStringList parts{QStringLiteral("stopped by %1").arg(object[QLatin1String("end")].toString()),
                      QStringLiteral("first token %1").arg(milliseconds(times[QLatin1String("first_token")])),
                      QStringLiteral("prefill %1 tokens, %2 tokens/s")
                          .arg(prefill[QLatin1String("tokens")].toInteger())
                          .arg(rateText(prefill))};
    if (decode[QLatin1String("tokens")].toInteger() > 0) {
        parts.append(QStringLiteral("decode %1 tokens, %2 tokens/s")
                         .arg(decode[QLatin1String("tokens")].toInteger())
                         .arg(rateText(decode)));
    }
    return parts.join(QStringLiteral(" · "));
}

}  // namespace et::studio
