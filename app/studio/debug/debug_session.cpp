#include "app/studio/debug/debug_session.h"

#include "visualizers/selection.h"

#include <QJsonArray>

#include <algorithm>
#include <memory>
#include <utility>

namespace et::studio {

using visualizers::DebugStop;
using visualizers::DebugValue;

namespace {

QJsonObject memberOf(const QJsonObject& answer, const char* key) {
    return answer.value(QLatin1String(key)).toObject();
}

/// Ids of the values that the current instruction reads and writes, written ones first.
std::vector<std::int64_t> operandsOf(const QJsonObject& info) {
    std::vector<std::int64_t> ids;
    std::vector<std::int64_t> read;
    for (const QJsonValue each : info.value(QLatin1String("instructions")).toArray()) {
        const QJsonObject instruction = each.toObject();
        if (!instruction.value(QLatin1String("current")).toBool()) {
            continue;
        }
        for (const QJsonValue argument : instruction.value(QLatin1String("arguments")).toArray()) {
            const QJsonObject object = argument.toObject();
            const std::int64_t id = object.value(QLatin1String("value")).toInteger(-1);
            auto& into = object.value(QLatin1String("written")).toBool() ? ids : read;
            if (id >= 0 && !std::ranges::contains(into, id)) {
                into.push_back(id);
            }
        }
    }
    for (const std::int64_t id : read) {
        if (!std::ranges::contains(ids, id)) {
            ids.push_back(id);
        }
    }
    return ids;
}

}  // namespace

DebugSession::DebugSession(visualizers::DebugState& state, visualizers::Selection& selection, QObject* parent)
    : QObject(parent), shared(state), chosen(selection), points(new DebugTriggers(state, this)) {
    connect(&process, &DebugProcess::busyChanged, this, &DebugSession::stateChanged);
    connect(&process, &DebugProcess::ended, this, &DebugSession::finish);
    connect(points, &DebugTriggers::failed, this, &DebugSession::failed);
}

void DebugSession::start(const QString& program, const QStringList& arguments) {
    clear();
    process.start(program, arguments);
    if (!running()) {
        return;
    }
    points->attach(
        [this](const QString& text, DebugProcess::Answer answer) { query(text, std::move(answer)); });
    shared.setRunning(true);
    execute(QStringLiteral("start"));
}

void DebugSession::restart() {
    held.clear();
    execute(QStringLiteral("start --reset"));
}

void DebugSession::stop() {
    process.stop();
}

void DebugSession::clear() {
    current.reset();
    recorded.clear();
    held.clear();
    listed.clear();
    shared.setPoint(std::nullopt);
    emit positionChanged();
    emit executionsChanged();
    emit valuesChanged();
}

void DebugSession::execute(const QString& text) {
    if (!running()) {
        return;
    }
    ++moving;
    process.send(text, DebugProcess::Work::Execution, [this](const QJsonObject& answer) {
        --moving;
        take(answer);
        if (answer.contains(QLatin1String("error"))) {
            emit failed(visualizers::readDebugError(answer));
        }
    });
    emit stateChanged();
}

void DebugSession::goTo(std::int64_t execution, std::int64_t step) {
    execute(QStringLiteral("jump %1:%2").arg(execution).arg(step));
}

std::vector<std::int64_t> DebugSession::steps() const {
    std::vector<std::int64_t> counts;
    for (const visualizers::DebugSteps& each : recorded) {
        std::int64_t count = each.value_or(current ? current->instructions : 0);
        if (current && current->point.execution == std::ssize(counts)) {
            count = std::max(count, current->step);
        }
        counts.push_back(count);
    }
    return counts;
}

void DebugSession::command(const QString& text, DebugProcess::Answer answered) {
    if (!running()) {
        return;
    }
    ++moving;  // any command may move the position
    process.send(text, DebugProcess::Work::Execution, [this, answered](const QJsonObject& answer) {
        --moving;
        take(answer);
        if (!answer.contains(QLatin1String("stop"))) {
            refresh();  // values, breakpoints and branches may have changed
        }
        answered(answer);
    });
    emit stateChanged();
}

void DebugSession::query(const QString& text, DebugProcess::Answer answered) {
    process.send(text, DebugProcess::Work::Query, std::move(answered));
}

void DebugSession::take(const QJsonObject& answer) {
    if (const QJsonObject stop = memberOf(answer, "stop"); !stop.isEmpty()) {
        showStop(visualizers::readDebugStop(stop));
    }
}

void DebugSession::showStop(const DebugStop& stop) {
    current = stop;
    ++moves;
    const visualizers::DebugHit here{.execution = stop.point.execution, .step = stop.step};
    if (stop.reason == QStringLiteral("watchpoint") && !std::ranges::contains(held, here)) {
        held.push_back(here);
    }
    const bool inside = !stop.operatorName.isEmpty();
    if (inside && moving == 0) {
        if (stop.point.node && !stop.point.handles.empty()) {
            chosen.setHandles(stop.point.place.method, stop.point.handles);
        } else {
            chosen.setOperator(stop.point.place);
        }
    }
    shared.setPoint(inside ? std::optional(stop.point) : std::nullopt);
    emit positionChanged();
    if (moving == 0) {
        refresh();
    }
}

void DebugSession::refresh() {
    points->refresh();
    query(QStringLiteral("info executions"), [this](const QJsonObject& answer) {
        recorded = visualizers::readDebugExecutions(memberOf(answer, "info"));
        emit executionsChanged();
    });
    refreshValues();
    emit refreshed();
}

void DebugSession::refreshValues() {
    if (!running() || !current) {
        return;
    }
    const std::size_t move = moves;
    if (scope == Scope::All) {
        query(QStringLiteral("info values"), [this, move](const QJsonObject& answer) {
            if (move == moves) {
                listed = visualizers::readDebugValues(memberOf(answer, "info"));
                emit valuesChanged();
            }
        });
        return;
    }
    query(QStringLiteral("list 1"), [this, move](const QJsonObject& answer) {
        if (move == moves) {
            askOperands(memberOf(answer, "info"));
        }
    });
}

void DebugSession::askOperands(const QJsonObject& info) {
    const std::vector<std::int64_t> ids = operandsOf(info);
    const std::size_t move = moves;
    auto found = std::make_shared<std::vector<DebugValue>>();
    for (std::size_t i = 0; i < ids.size(); ++i) {
        const bool last = i + 1 == ids.size();
        query(QStringLiteral("print %%1").arg(ids[i]), [this, move, found, last](const QJsonObject& answer) {
            if (const QJsonObject value = memberOf(answer, "value"); !value.isEmpty()) {
                found->push_back(visualizers::readDebugValue(value));
            }
            if (last && move == moves) {
                listed = *found;
                emit valuesChanged();
            }
        });
    }
    if (ids.empty()) {
        listed.clear();
        emit valuesChanged();
    }
}

void DebugSession::setScope(Scope wanted) {
    if (std::exchange(scope, wanted) != wanted) {
        refreshValues();
    }
}

void DebugSession::finish(const RunEnd& end) {
    moving = 0;
    points->detach();
    const bool isCancelled = end.kind == RunEnd::Kind::Cancelled;
    if (isCancelled) {
        shared.setPoint(std::nullopt);
    }
    shared.setRunning(false);
    emit stateChanged();
    const bool quit = end.kind == RunEnd::Kind::Finished && end.exitCode == 0;
    if (!isCancelled && !quit) {
        emit failed(failureMessage(end));
    }
}

}  // namespace et::studio
