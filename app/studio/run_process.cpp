#include "app/studio/run_process.h"

#include "runtime/core/own_programs.h"

#include <QFile>
#include <QJsonArray>
#include <QJsonDocument>
#include <QJsonObject>
#include <QProgressBar>
#include <QSettings>
#include <QStandardPaths>

#include <algorithm>
#include <utility>

namespace et::studio {

using visualizers::DeviceReading;
using visualizers::GaugeSample;

namespace {

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

constexpr int patienceMilliseconds = 3000;
constexpr qsizetype maxLog = qsizetype{1} << 20;
constexpr qsizetype maxOutput = qsizetype{256} << 20;
constexpr qsizetype maxLine = qsizetype{64} << 10;
constexpr qsizetype maxShown = 2000;

/// Passes on lines of `text` that are complete, or too long to buffer, and keeps the rest.
template <class Take>
void takeLines(QByteArray& text, const Take& take) {
    qsizetype start = 0;
    for (qsizetype end = text.indexOf('\n'); end >= 0; end = text.indexOf('\n', start)) {
        take(text.sliced(start, end - start));
        start = end + 1;
    }
    text.remove(0, start);
    while (text.size() > maxLine) {
        take(text.first(maxLine));
        text.remove(0, maxLine);
    }
}

QString shownText(const QByteArray& line) {
    QString text = QString::fromUtf8(line.first(std::min(line.size(), maxShown)));
    if (text.endsWith(u'\r')) {
        text.chop(1);
    }
    text.remove(0, text.lastIndexOf(u'\r') + 1);  // like the final state on a terminal
    return line.size() > maxShown ? text + u'…' : text;
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
    if (const QJsonValue point = object.value(QLatin1String("point")); point.isObject()) {
        return RunProgress{.phase = {},
                           .point = QJsonDocument(point.toObject()).toJson(QJsonDocument::Compact)};
    }
    const double seconds = object.value(QLatin1String("seconds")).toDouble();
    return RunProgress{.phase = object.value(QLatin1String("phase")).toString(),
                       .done = object.value(QLatin1String("done")).toInteger(),
                       .total = object.value(QLatin1String("total")).toInteger(),
                       .seconds = seconds,
                       .gauge = readGauge(object, seconds)};
}

void showProgress(QProgressBar& bar, const RunProgress& now) {
    bar.setRange(0, static_cast<int>(now.total));
    bar.setValue(static_cast<int>(now.done));
    bar.setFormat(now.total > 0 ? QStringLiteral("%1 %v / %m").arg(now.phase) : now.phase);
}

QString crashMessage(int signal) {
    return QStringLiteral("et-inspect crashed (signal %1) in the model, an operator or a backend")
        .arg(signal);
}

QString startFailure(const QProcess& process) {
    return process.program().isEmpty()
               ? QStringLiteral("et-inspect not found next to et-studio or in PATH")
               : QStringLiteral("cannot start %1: %2").arg(process.program(), process.errorString());
}

QString failureMessage(const RunEnd& end) {
    if (!end.message.isEmpty()) {
        return end.message;
    }
    const QByteArray last = end.log.sliced(end.log.lastIndexOf('\n') + 1);
    return last.isEmpty() ? QStringLiteral("et-inspect exited with code %1").arg(end.exitCode)
                          : QString::fromUtf8(last);
}

RunProcess::RunProcess(QObject* parent) : QObject(parent) {
    killTimer.setSingleShot(true);
    killTimer.setInterval(patienceMilliseconds);
    connect(&killTimer, &QTimer::timeout, &process, &QProcess::kill);
    connect(&process, &QProcess::readyReadStandardError, this, &RunProcess::readErrors);
    connect(&process, &QProcess::readyReadStandardOutput, this, &RunProcess::readOutput);
    connect(&process, &QProcess::finished, this, &RunProcess::finish);
    connect(&process, &QProcess::errorOccurred, this, &RunProcess::failToStart);
}

RunProcess::~RunProcess() {
    process.disconnect(this);
    if (running()) {
        process.kill();
        process.waitForFinished();
    }
}

QString RunProcess::findProgram(const QSettings& settings) {
    QString chosen = settings.value(QStringLiteral("run/program")).toString();
    if (!chosen.isEmpty()) {
        return chosen;
    }
    const std::filesystem::path own = core::findOwnProgram(core::OwnProgram::Inspect);
    return own.empty() ? QStandardPaths::findExecutable(QStringLiteral("et-inspect"))
                       : QFile::decodeName(own.c_str());
}

void RunProcess::start(const QString& program, const QStringList& arguments, ProgressOutput telling) {
    unfinished.clear();
    unfinishedOutput.clear();
    untold.clear();
    output.clear();
    log.clear();
    isResult = false;
    cancelled = false;
    // Before all other arguments: those after "--" are files.
    QStringList argv = arguments;
    if (telling == ProgressOutput::Progress) {
        argv.insert(std::min<qsizetype>(1, argv.size()), QStringLiteral("--progress=json"));
    }
    process.start(program, argv, QIODevice::ReadOnly);
}

void RunProcess::cancel() {
    if (running()) {
        cancelled = true;
        process.terminate();
        killTimer.start();
    }
}

void RunProcess::readErrors() {
    unfinished += process.readAllStandardError();
    takeLines(unfinished, [this](const QByteArray& line) { takeErrorLine(line); });
    tell();
}

void RunProcess::readOutput() {
    const QByteArray more = process.readAllStandardOutput();
    output += more.first(std::min(more.size(), maxOutput - output.size()));
    unfinishedOutput += more;
    takeLines(unfinishedOutput, [this](const QByteArray& line) { takeOutputLine(line); });
    tell();
}

void RunProcess::takeErrorLine(const QByteArray& line) {
    if (const auto progress = readProgress(line)) {
        untold.push_back({.kind = RunLine::Kind::Progress,
                          .text = QStringLiteral("%1: %2 of %3, after %4 s")
                                      .arg(progress->phase)
                                      .arg(progress->done)
                                      .arg(progress->total)
                                      .arg(progress->seconds, 0, 'f', 1)});
        emit progressed(*progress);
        return;
    }
    untold.push_back({.kind = RunLine::Kind::Error, .text = shownText(line)});
    log += line + '\n';
    if (log.size() > 2 * maxLog) {
        log = log.last(maxLog);
    }
}

void RunProcess::takeOutputLine(const QByteArray& line) {
    emit wrote(line);
    isResult = isResult || line.startsWith('{');
    if (!isResult) {
        untold.push_back({.kind = RunLine::Kind::Output, .text = shownText(line)});
    }
}

void RunProcess::tell() {
    if (!untold.empty()) {
        emit printed(std::exchange(untold, {}));
    }
}

void RunProcess::finish(int exitCode, QProcess::ExitStatus status) {
    killTimer.stop();
    readErrors();
    readOutput();
    if (!unfinished.isEmpty()) {
        takeErrorLine(std::exchange(unfinished, {}));
    }
    if (!unfinishedOutput.isEmpty()) {
        takeOutputLine(std::exchange(unfinishedOutput, {}));
    }
    tell();
    RunEnd end{.kind = RunEnd::Kind::Finished,
               .exitCode = exitCode,
               .message = {},
               .output = std::exchange(output, {}),
               .log = log.last(std::min(log.size(), maxLog)).trimmed()};
    if (cancelled) {
        end.kind = RunEnd::Kind::Cancelled;
        end.message = QStringLiteral("cancelled");
    } else if (status == QProcess::CrashExit) {
        end.kind = RunEnd::Kind::Crashed;
        end.message = crashMessage(exitCode);  // for a process killed by a signal, Qt reports its number
    }
    emit ended(end);
}

void RunProcess::failToStart(QProcess::ProcessError error) {
    if (error == QProcess::FailedToStart) {
        RunEnd end;
        end.kind = RunEnd::Kind::NotStarted;
        end.message = startFailure(process);
        emit ended(end);
    }
}

}  // namespace et::studio
