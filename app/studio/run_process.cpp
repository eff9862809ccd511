#include "app/studio/run_process.h"

#include "runtime/core/own_programs.h"

#include <QFile>
#include <QSettings>
#include <QStandardPaths>

#include <algorithm>
#include <utility>

namespace et::studio {

namespace {

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
        // For a process killed by a signal, Qt reports the signal's number.
        end.message = QStringLiteral("et-inspect crashed (signal %1) in the model, an operator or a backend")
                          .arg(exitCode);
    }
    emit ended(end);
}

void RunProcess::failToStart(QProcess::ProcessError error) {
    if (error == QProcess::FailedToStart) {
        RunEnd end;
        end.kind = RunEnd::Kind::NotStarted;
        end.message =
            process.program().isEmpty()
                ? QStringLiteral("et-inspect not found next to et-studio or in PATH")
                : QStringLiteral("cannot start %1: %2").arg(process.program(), process.errorString());
        emit ended(end);
    }
}

}  // namespace et::studio
