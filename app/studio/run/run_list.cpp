#include "app/studio/run/run_list.h"

#include <QFileInfo>
#include <QJsonArray>
#include <QJsonDocument>
#include <QJsonObject>
#include <QLocale>

#include <array>
#include <utility>

namespace et::studio {

namespace {

/// A time among the figures, and its key.
struct TimeKey {
    const char* key;
    std::optional<double> RunFigures::* field;
};
constexpr std::array timeKeys{
    TimeKey{"load", &RunFigures::load},   TimeKey{"first", &RunFigures::first},
    TimeKey{"p50", &RunFigures::p50},     TimeKey{"p90", &RunFigures::p90},
    TimeKey{"avg", &RunFigures::average}, TimeKey{"min", &RunFigures::minimum},
    TimeKey{"max", &RunFigures::maximum},
};

std::optional<double> numberAt(const QJsonObject& object, const char* key) {
    const QJsonValue value = object.value(QLatin1String(key));
    return value.isDouble() ? std::optional(value.toDouble()) : std::nullopt;
}

QString milliseconds(const RunRecord& run, std::optional<double> RunFigures::* field) {
    const auto time = run.figures ? (*run.figures).*field : std::nullopt;
    return time ? QString::number(*time, 'f', 3) : QString();
}

QString modelText(const RunRecord& run) {
    const QString name = QFileInfo(QString::fromStdString(run.request.settings.program.string())).fileName();
    const std::string& target = run.request.settings.model.on.target;
    return target.empty() ? name : QStringLiteral("%1 on %2").arg(name, QString::fromStdString(target));
}

struct ColumnInfo {
    const char* header;
    const char* meaning;
    bool numeric;
    QString (*text)(const RunRecord& run);
};

/// In the order of RunList::Column.
constexpr std::array columns{
    ColumnInfo{"#", "Run number", true, [](const RunRecord& run) { return QString::number(run.number); }},
    ColumnInfo{"state", "Result of the run", false, stateText},
    ColumnInfo{"model", "Program and device", false, modelText},
    ColumnInfo{"p50 (ms)", "Median execution time", true,
               [](const RunRecord& run) { return milliseconds(run, &RunFigures::p50); }},
    ColumnInfo{"p90 (ms)", "90th percentile of execution times", true,
               [](const RunRecord& run) { return milliseconds(run, &RunFigures::p90); }},
    ColumnInfo{"first (ms)", "First execution, including warm-up", true,
               [](const RunRecord& run) { return milliseconds(run, &RunFigures::first); }},
    ColumnInfo{"load (ms)", "Time to open and load", true,
               [](const RunRecord& run) { return milliseconds(run, &RunFigures::load); }},
    ColumnInfo{"peak", "Peak memory of the process", true,
               [](const RunRecord& run) {
                   return run.figures && run.figures->peakBytes
                              ? QLocale::c().formattedDataSize(static_cast<qint64>(*run.figures->peakBytes),
                                                               1)
                              : QString();
               }},
    ColumnInfo{"command", "The equivalent command", false, [](const RunRecord& run) { return run.command; }},
};
static_assert(columns.size() == RunList::columnTotal);

}  // namespace

std::optional<RunFigures> readFigures(const QByteArray& json) {
    QJsonObject object = QJsonDocument::fromJson(json).object();
    if (const QJsonArray models = object.value(QLatin1String("models")).toArray(); !models.isEmpty()) {
        object = models.first().toObject();
    }
    const QJsonObject times = object.value(QLatin1String("time_ms")).toObject();
    if (times.isEmpty()) {
        return std::nullopt;
    }
    RunFigures figures;
    for (const TimeKey& each : timeKeys) {
        figures.*each.field = numberAt(times, each.key);
    }
    figures.peakBytes = numberAt(object.value(QLatin1String("memory")).toObject(), "peak_resident");
    figures.executions = object.value(QLatin1String("executions")).toInteger();
    return figures;
}

QString stateText(const RunRecord& run) {
    if (run.running) {
        return QStringLiteral("running");
    }
    switch (run.end.kind) {
        case RunEnd::Kind::Cancelled:
            return QStringLiteral("cancelled");
        case RunEnd::Kind::Crashed:
            return QStringLiteral("crashed");
        case RunEnd::Kind::NotStarted:
            return QStringLiteral("not started");
        case RunEnd::Kind::Finished:
            break;
    }
    if (run.memoryErrors && !run.memoryErrors->empty()) {
        return QStringLiteral("memory errors");
    }
    return run.end.exitCode == 0 ? QStringLiteral("done")
                                 : QStringLiteral("exit code %1").arg(run.end.exitCode);
}

RunRecord& RunList::add(RunRecord run) {
    beginInsertRows({}, 0, 0);
    runs.push_back(std::move(run));
    endInsertRows();
    return runs.back();
}

void RunList::update() {
    emit dataChanged(index(0, 0), index(0, columnTotal - 1));
}

const RunRecord* RunList::run(const QModelIndex& index) const {
    return index.isValid() ? &runs[runs.size() - 1 - static_cast<std::size_t>(index.row())] : nullptr;
}

int RunList::rowCount(const QModelIndex& parent) const {
    return parent.isValid() ? 0 : static_cast<int>(runs.size());
}

int RunList::columnCount(const QModelIndex& parent) const {
    return parent.isValid() ? 0 : columnTotal;
}

QVariant RunList::data(const QModelIndex& index, int role) const {
    const RunRecord* const shown = run(index);
    if (shown == nullptr) {
        return {};
    }
    const ColumnInfo& column = columns[static_cast<std::size_t>(index.column())];
    switch (role) {
        case Qt::DisplayRole:
            return column.text(*shown);
        case Qt::TextAlignmentRole:
            return column.numeric ? QVariant(Qt::AlignRight | Qt::AlignVCenter) : QVariant();
        case Qt::ToolTipRole:
            return shown->end.message.isEmpty() ? shown->command : shown->end.message;
        default:
            return {};
    }
}

QVariant RunList::headerData(int section, Qt::Orientation orientation, int role) const {
    if (orientation != Qt::Horizontal || section < 0 || section >= columnTotal) {
        return {};
    }
    const ColumnInfo& column = columns[static_cast<std::size_t>(section)];
    switch (role) {
        case Qt::DisplayRole:
            return QString::fromUtf8(column.header);
        case Qt::ToolTipRole:
            return QString::fromUtf8(column.meaning);
        case Qt::TextAlignmentRole:
            return column.numeric ? QVariant(Qt::AlignRight | Qt::AlignVCenter)
                                  : QVariant(Qt::AlignLeft | Qt::AlignVCenter);
        default:
            return {};
    }
}

}  // namespace et::studio
