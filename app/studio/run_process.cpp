#include "app/studio/run_process.h"

#include <QCoreApplication>
#include <QDir>
#include <QFileInfo>
#include <QJsonDocument>
#include <QJsonObject>
#include <QSettings>
#include <QStandardPaths>

#include <algorithm>

namespace et::studio {

namespace {

constexpr int patienceMilliseconds = 3000;
constexpr qsizetype longestLog = qsizetype{1} << 20;
constexpr int schema = 1;

}  // namespace

std::optional<RunProgress> readProgress(QByteArrayView line) {
    if (!line.startsWith('{')) {
        return std::nullopt;
    }
    const QJsonObject object = QJsonDocument::fromJson(line.toByteArray()).object();
    if (object.value(QLatin1String("progress")).toInt() != schema) {
        return std::nullopt;
    }
    return RunProgress{.phase = object.value(QLatin1String("phase")).toString(),
                       .done = object.value(QLatin1String("done")).toInteger(),
                       .total = object.value(QLatin1String("total")).toInteger(),
                       .seconds = object.value(QLatin1String("seconds")).toDouble()};
}

RunProcess::RunProcess(QObject* parent) : QObject(parent) {
    killTimer.setSingleShot(true);
    killTimer.setInterval(patienceMilliseconds);
    connect(&killTimer, &QTimer::timeout, &process, &QProcess::kill);
    connect(&process, &QProcess::readyReadStandardError, this, &RunProcess::readErrors);
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
    const QString name = QStringLiteral("et-inspect");
    const QString chosen = settings.value(QStringLiteral("run/program")).toString();
    if (!chosen.isEmpty()) {
        return chosen;
    }
    const QFileInfo beside(QDir(QCoreApplication::applicationDirPath()), name);
    return beside.isExecutable() ? beside.absoluteFilePath() : QStandardPaths::findExecutable(name);
}

void RunProcess::start(const QString& program, const QStringList& arguments) {
    unfinished.clear();
    log.clear();
    cancelled = false;
    // In front of all others: what follows "--" are files.
    QStringList words = arguments;
    words.insert(std::min<qsizetype>(1, words.size()), QStringLiteral("--progress=json"));
    process.start(program, words, QIODevice::ReadOnly);
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
    qsizetype start = 0;
    for (qsizetype end = unfinished.indexOf('\n'); end >= 0; end = unfinished.indexOf('\n', start)) {
        takeLine(unfinished.sliced(start, end - start));
        start = end + 1;
    }
    unfinished.remove(0, start);
}

void RunProcess::takeLine(const QByteArray& line) {
    if (const auto progress = readProgress(line)) {
        emit progressed(*progress);
        return;
    }
    log += line + '\n';
    log = log.last(std::min(log.size(), longestLog));
}

void RunProcess::finish(int exitCode, QProcess::ExitStatus status) {
    killTimer.stop();
    readErrors();
    takeLine(unfinished);
    RunEnd end{.kind = RunEnd::Kind::Finished,
               .exitCode = exitCode,
               .message = {},
               .output = process.readAllStandardOutput(),
               .log = log.trimmed()};
    if (cancelled) {
        end.kind = RunEnd::Kind::Cancelled;
        end.message = tr("cancelled");
    } else if (status == QProcess::CrashExit) {
        end.kind = RunEnd::Kind::Crashed;
        // Of a process that a signal ended, Qt gives the signal's number.
        end.message =
            tr("et-inspect crashed (signal %1): the model, an operator or a backend brought it down")
                .arg(exitCode);
    }
    emit ended(end);
}

void RunProcess::failToStart(QProcess::ProcessError error) {
    if (error == QProcess::FailedToStart) {
        RunEnd end;
        end.kind = RunEnd::Kind::NotStarted;
        end.message = process.program().isEmpty()
                          ? tr("et-inspect is not beside et-studio and not in PATH: nothing can be run")
                          : tr("%1 cannot be started: %2").arg(process.program(), process.errorString());
        emit ended(end);
    }
}

}  // namespace et::studio
