#pragma once

#include "app/studio/run_process.h"

#include <QByteArray>
#include <QJsonObject>
#include <QObject>
#include <QProcess>
#include <QString>
#include <QStringList>
#include <QTimer>

#include <cstdint>
#include <deque>
#include <functional>

namespace et::studio {

/// Runs "et-inspect debug --format=json" in a separate process: one command a line, one JSON object a line
/// as its answer, in order. A crash or an invalid answer ends the process. Non-blocking.
class DebugProcess : public QObject {
    Q_OBJECT

  public:
    using Answer = std::function<void(const QJsonObject&)>;
    /// Work of a command: a query that takes longer than a minute counts as a hang.
    enum class Work : std::uint8_t { Query, Execution };

    explicit DebugProcess(QObject* parent = nullptr);
    ~DebugProcess() override;  ///< kills it
    DebugProcess(const DebugProcess&) = delete;
    DebugProcess& operator=(const DebugProcess&) = delete;

    /// Must not be called while running.
    void start(const QString& program, const QStringList& arguments);
    [[nodiscard]] bool running() const { return process.state() != QProcess::NotRunning; }
    /// True while a command has no answer yet.
    [[nodiscard]] bool busy() const { return !waiting.empty(); }
    /// Sends a command; line breaks in it are removed. Dropped if not running. `take` is not called if the
    /// process ends before it answers.
    void send(const QString& command, Work work, Answer take);
    /// Interrupts the running command, which then answers with its position.
    void interrupt();
    /// Ends the process: it is asked to quit, and killed after a few seconds, or at once if it is busy.
    void stop();

  signals:
    void busyChanged();
    void ended(const et::studio::RunEnd& end);

  private:
    struct Waiting {
        Work work;
        Answer take;
    };

    void readAnswers();
    void readErrors();
    void takeLine(const QByteArray& line);
    void fail(const QString& problem);
    void finish(int exitCode, QProcess::ExitStatus status);
    void failToStart(QProcess::ProcessError error);

    QProcess process;
    QTimer patience;  ///< for the answer to a query
    QTimer killTimer;
    std::deque<Waiting> waiting;
    QByteArray unfinished;  ///< incomplete line of stdout
    QByteArray log;         ///< end of stderr
    QString problem;        ///< reason why this object killed the process
    bool stopping = false;
};

}  // namespace et::studio
