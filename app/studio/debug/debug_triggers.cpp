#include "app/studio/debug/debug_triggers.h"

#include "visualizers/toolkit/text.h"

#include <algorithm>
#include <iterator>
#include <string_view>
#include <utility>

namespace et::studio {

using visualizers::BreakLocation;
using visualizers::Breakpoint;
using visualizers::DebugState;
using visualizers::toQString;

namespace {

std::string_view fileName(std::string_view path) {
    return path.substr(path.rfind('/') + 1);
}

/// A location as accepted by break; empty if nothing is located.
QString spelled(const BreakLocation& location) {
    if (location.line > 0) {
        return QStringLiteral("%1:%2").arg(toQString(fileName(location.file))).arg(location.line);
    }
    if (location.place) {
        const auto instruction = location.place->instruction.value;
        return location.place->method.empty()
                   ? QString::number(instruction)
                   : QStringLiteral("%1:%2").arg(toQString(location.place->method)).arg(instruction);
    }
    return location.handles.empty() ? QString()
                                    : QStringLiteral("handle:%1").arg(location.handles.front().value);
}

bool isAt(const Breakpoint& stop, const BreakLocation& location) {
    if (location.line > 0) {
        return stop.line == location.line && fileName(stop.file) == fileName(location.file);
    }
    return location.place && stop.line == 0 && std::ranges::contains(stop.places, *location.place);
}

QString commandOf(const DebugTriggers::Trigger& trigger) {
    const bool breaks = trigger.kind == DebugTriggers::Trigger::Kind::Break;
    QString text = (breaks ? QStringLiteral("break ") : QStringLiteral("watch ")) + trigger.text;
    // The expression of a watchpoint comes back with its command.
    if (!breaks && trigger.text.startsWith(QStringLiteral("watch "))) {
        text = trigger.text;
    }
    if (breaks && !trigger.condition.isEmpty()) {
        text += QStringLiteral(" if ") + trigger.condition;
    }
    if (breaks && trigger.ignore > 0) {
        text += QStringLiteral(" ignore %1").arg(trigger.ignore);
    }
    return text;
}

}  // namespace

DebugTriggers::DebugTriggers(DebugState& state, QObject* parent) : QObject(parent), shared(state) {
    connect(&shared, &DebugState::toggled, this, &DebugTriggers::toggle);
}

void DebugTriggers::attach(Send to) {
    channel = std::move(to);
    for (const Trigger& each : std::exchange(triggers, {})) {
        send(each);
    }
    publish();
}

void DebugTriggers::detach() {
    channel = nullptr;
    std::ranges::move(std::exchange(unanswered, {}), std::back_inserter(triggers));
    for (Trigger& each : triggers) {
        each.id = 0;
    }
    publish();
}

void DebugTriggers::replace(std::vector<Trigger> all) {
    ++replaced;
    channel = nullptr;
    triggers = std::move(all);
    unanswered.clear();
    publish();
}

void DebugTriggers::refresh() {
    if (attached()) {
        channel(QStringLiteral("info breakpoints"), [this, of = replaced](const QJsonObject& answer) {
            const QJsonValue info = answer.value(QLatin1String("info"));
            if (of == replaced && info.isObject()) {
                merge(visualizers::readDebugTriggers(info.toObject()));
            }
        });
    }
}

void DebugTriggers::add(Trigger::Kind kind, const QString& text, const QString& condition, int ignore) {
    Trigger trigger;
    trigger.kind = kind;
    trigger.text = text.simplified();
    trigger.condition = condition.simplified();
    trigger.ignore = ignore;
    submit(std::move(trigger));
}

void DebugTriggers::submit(Trigger trigger) {
    if (trigger.text.isEmpty()) {
        return;
    }
    if (attached()) {
        send(trigger);
        return;
    }
    triggers.push_back(std::move(trigger));
    publish();
}

void DebugTriggers::send(const Trigger& trigger) {
    unanswered.push_back(trigger);
    channel(commandOf(trigger), [this, of = replaced](const QJsonObject& answer) {
        if (of == replaced) {
            take(answer);
        }
    });
}

void DebugTriggers::take(const QJsonObject& answer) {
    const Trigger asked = std::move(unanswered.front());
    unanswered.erase(unanswered.begin());
    const bool breaks = asked.kind == Trigger::Kind::Break;
    const QJsonValue made = answer.value(QLatin1String(breaks ? "breakpoint" : "watchpoint"));
    if (!made.isObject()) {
        emit failed(QStringLiteral("%1: %2").arg(asked.text, visualizers::readDebugError(answer)));
        publish();
        return;
    }
    Trigger trigger = visualizers::readDebugTrigger(made.toObject(), asked.kind);
    if (trigger.place.line == 0) {
        trigger.place.file = asked.place.file;
        trigger.place.line = asked.place.line;
    }
    if (!asked.enabled) {
        channel(QStringLiteral("disable %1").arg(trigger.id), nullptr);
        trigger.enabled = false;
    }
    triggers.push_back(std::move(trigger));
    publish();
}

/// Keeps the line of a breakpoint that was set in the source.
void DebugTriggers::merge(std::vector<Trigger> now) {
    for (Trigger& each : now) {
        const auto before = std::ranges::find(triggers, each.id, &Trigger::id);
        if (before != triggers.end() && each.place.line == 0) {
            each.place.file = before->place.file;
            each.place.line = before->place.line;
        }
    }
    triggers = std::move(now);
    publish();
}

void DebugTriggers::remove(std::size_t place) {
    if (place >= triggers.size()) {
        return;
    }
    if (attached()) {
        channel(QStringLiteral("delete %1").arg(triggers[place].id), nullptr);
    }
    triggers.erase(triggers.begin() + static_cast<std::ptrdiff_t>(place));
    publish();
}

void DebugTriggers::setEnabled(std::size_t place, bool enabled) {
    if (place >= triggers.size()) {
        return;
    }
    Trigger& trigger = triggers[place];
    trigger.enabled = enabled;
    if (attached()) {
        channel(QStringLiteral("%1 %2")
                    .arg(enabled ? QStringLiteral("enable") : QStringLiteral("disable"))
                    .arg(trigger.id),
                nullptr);
    }
    publish();
}

void DebugTriggers::setCondition(std::size_t place, const QString& condition, int ignore) {
    if (place >= triggers.size()) {
        return;
    }
    Trigger& trigger = triggers[place];
    trigger.condition = condition.simplified();
    trigger.ignore = ignore;
    if (attached()) {
        const auto report = [this](const QJsonObject& answer) {
            if (answer.contains(QLatin1String("error"))) {
                emit failed(visualizers::readDebugError(answer));
            }
        };
        channel(QStringLiteral("condition %1 %2").arg(trigger.id).arg(trigger.condition), report);
        channel(QStringLiteral("ignore %1 %2").arg(trigger.id).arg(ignore), report);
        refresh();
    }
    publish();
}

void DebugTriggers::toggle(const BreakLocation& location) {
    const QString text = spelled(location);
    const auto found = std::ranges::find_if(triggers, [&](const Trigger& each) {
        return each.kind == Trigger::Kind::Break && (each.text == text || isAt(each.place, location));
    });
    if (found != triggers.end()) {
        remove(static_cast<std::size_t>(found - triggers.begin()));
        return;
    }
    Trigger trigger;
    trigger.text = text;
    trigger.place.file = location.file;
    trigger.place.line = location.line;
    if (location.place) {
        trigger.place.places = {*location.place};
    }
    submit(std::move(trigger));
}

void DebugTriggers::publish() {
    std::vector<Breakpoint> stops;
    for (const Trigger& each : triggers) {
        if (each.kind == Trigger::Kind::Break) {
            stops.push_back(each.place);
            stops.back().enabled = each.enabled;
        }
    }
    shared.setBreakpoints(std::move(stops));
    emit changed();
}

}  // namespace et::studio
