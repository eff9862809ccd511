#include "app/studio/debug/debug_process.h"

#include <QJsonDocument>

#include <algorithm>
#include <csignal>
#include <utility>

namespace et::studio {

namespace {

constexpr int queryMilliseconds = 60'000;
constexpr int endMilliseconds = 3000;
constexpr qsizetype maxAnswer = qsizetype{64} << 20;
constexpr qsizetype maxDebugLog = qsizetype{64} << 10;

}  // namespace

DebugProcess::DebugProcess(QObject* parent) : QObject(parent) {
    patience.setSingleShot(true);
    patience.setInterval(queryMilliseconds);
    killTimer.setSingleShot(true);
    killTimer.setInterval(endMilliseconds);
    connect(&patience, &QTimer::timeout, this,
            [this] { fail(QStringLiteral("et-inspect does not answer")); });
    connect(&killTimer, &QTimer::timeout, &process, &QProcess::kill);
    connect(&process, &QProcess::readyReadStandardOutput, this, &DebugProcess::readAnswers);
    connect(&process, &QProcess::readyReadStandardError, this, &DebugProcess::readErrors);
    connect(&process, &QProcess::finished, this, &DebugProcess::finish);
    connect(&process, &QProcess::errorOccurred, this, &DebugProcess::failToStart);
}

DebugProcess::~DebugProcess() {
    process.disconnect(this);
    if (running()) {
        process.kill();
        process.waitForFinished();
    }
}

void DebugProcess::start(const QString& program, const QStringList& arguments) {
    waiting.clear();
    unfinished.clear();
    log.clear();
    problem.clear();
    stopping = false;
    process.start(program, arguments);
}

void DebugProcess::send(const QString& command, Work work, Answer take) {
    if (!running() || stopping) {
        return;
    }
    QString line = command;
    line.replace(u'\n', u' ').replace(u'\r', u' ');
    const bool wasBusy = busy();
    waiting.push_back({.work = work, .take = std::move(take)});
    process.write(line.toUtf8() + '\n');
    if (!wasBusy) {
        if (work == Work::Query) {
            patience.start();
        }
        emit busyChanged();
    }
}

void DebugProcess::interrupt() {
#ifdef Q_OS_UNIX
    if (running() && busy()) {
        ::kill(static_cast<pid_t>(process.processId()), SIGINT);
    }
#endif
}

void DebugProcess::stop() {
    if (!running()) {
        return;
    }
    stopping = true;
    if (busy()) {
        process.kill();
        return;
    }
    process.closeWriteChannel();
    killTimer.start();
}

void DebugProcess::fail(const QString& text) {
    problem = text;
    process.kill();
}

void DebugProcess::readErrors() {
    log += process.readAllStandardError();
    if (log.size() > 2 * maxDebugLog) {
        log = log.last(maxDebugLog);
    }
}

void DebugProcess::readAnswers() {
    const qsizetype searched = unfinished.size();  // without a line end
    unfinished += process.readAllStandardOutput();
    for (qsizetype end = unfinished.indexOf('\n', searched); end >= 0; end = unfinished.indexOf('\n')) {
        const QByteArray line = unfinished.first(end);
        unfinished.remove(0, end + 1);
        takeLine(line);
    }
    if (unfinished.size() > maxAnswer) {
        unfinished.clear();
        fail(QStringLiteral("et-inspect answered with more than 64 MiB"));
    }
}

void DebugProcess::takeLine(const QByteArray& line) {
    if (!problem.isEmpty() || line.isEmpty()) {
        return;
    }
    const QJsonObject answer = QJsonDocument::fromJson(line).object();
    if (waiting.empty() || answer.isEmpty()) {
        fail(QStringLiteral("et-inspect gave an invalid answer: %1")
                 .arg(QString::fromUtf8(line.first(std::min<qsizetype>(line.size(), 100)))));
        return;
    }
    const Answer take = std::move(waiting.front().take);
    waiting.pop_front();
    patience.stop();
    if (busy() && waiting.front().work == Work::Query) {
        patience.start();
    }
    if (take) {
        take(answer);
    }
    if (!busy()) {
        emit busyChanged();
    }
}

void DebugProcess::finish(int exitCode, QProcess::ExitStatus status) {
    patience.stop();
    killTimer.stop();
    readErrors();
    readAnswers();
    waiting.clear();
    RunEnd end{.kind = RunEnd::Kind::Finished,
               .exitCode = exitCode,
               .message = {},
               .output = {},
               .log = log.last(std::min(log.size(), maxDebugLog)).trimmed()};
    if (stopping) {
        end.kind = RunEnd::Kind::Cancelled;
    } else if (!problem.isEmpty()) {
        end.kind = RunEnd::Kind::Crashed;
        end.message = problem;
    } else if (status == QProcess::CrashExit) {
        end.kind = RunEnd::Kind::Crashed;
        end.message = crashMessage(exitCode);
    }
    emit busyChanged();
    emit ended(end);
}

void DebugProcess::failToStart(QProcess::ProcessError error) {
    if (error == QProcess::FailedToStart) {
        waiting.clear();
        emit ended({.kind = RunEnd::Kind::NotStarted,
                    .exitCode = 0,
                    .message = startFailure(process),
                    .output = {},
                    .log = {}});
    }
}

}  // namespace et::studio
