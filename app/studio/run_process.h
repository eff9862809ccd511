#pragma once

#include "visualizers/run/gauge_history.h"

#include <QByteArray>
#include <QByteArrayView>
#include <QObject>
#include <QProcess>
#include <QString>
#include <QStringList>
#include <QTimer>

#include <cstdint>
#include <optional>
#include <vector>

class QProgressBar;
class QSettings;

namespace et::studio {

/// A line of `--progress json` (docs/reference/json.md).
struct RunProgress {
    QString phase;
    qint64 done = 0;
    qint64 total = 0;
    double seconds = 0;
    /// Times of executions since the previous line, and the state of the device; nothing if not reported.
    std::optional<visualizers::GaugeSample> gauge{};
    QByteArray point{};  ///< a program found by a search, as JSON; the other members are then empty
};

/// Returns nothing if `line` is not a progress line.
[[nodiscard]] std::optional<RunProgress> readProgress(QByteArrayView line);
/// Shows phase and position in a bar; a moving bar if the total is unknown.
void showProgress(QProgressBar& bar, const RunProgress& now);

/// A line printed by a process.
struct RunLine {
    enum class Kind : std::uint8_t {
        Progress,  ///< converted to text from a line of JSON
        Error,     ///< of stderr
        Output,    ///< of stdout, except the JSON object with the result
    };
    Kind kind = Kind::Output;
    QString text;  ///< truncated if very long
};

/// Result of a process.
struct RunEnd {
    enum class Kind : std::uint8_t { Finished, Cancelled, Crashed, NotStarted };
    Kind kind = Kind::Finished;
    int exitCode = 0;
    QString message;    ///< one line; empty for Finished
    QByteArray output;  ///< stdout; truncated at the end if very long
    QByteArray log;     ///< stderr without progress lines; truncated at the beginning if long
};

/// Messages for a process that was killed by a signal, and for one that could not be started.
[[nodiscard]] QString crashMessage(int signal);
[[nodiscard]] QString startFailure(const QProcess& process);
/// One line about the failure of a process: how it ended, else the last line of its error output.
[[nodiscard]] QString failureMessage(const RunEnd& end);

/// Runs et-inspect in a separate process, so that a crash or hang of a model only leads to a message. One
/// process at a time; non-blocking.
class RunProcess : public QObject {
    Q_OBJECT

  public:
    explicit RunProcess(QObject* parent = nullptr);
    ~RunProcess() override;  ///< kills it
    RunProcess(const RunProcess&) = delete;
    RunProcess& operator=(const RunProcess&) = delete;

    /// Returns the path of et-inspect: from the setting "run/program" or this program's launcher, next to
    /// this program, or in PATH; empty if not found.
    [[nodiscard]] static QString findProgram(const QSettings& settings);

    /// Whether a command reports progress.
    enum class ProgressOutput : std::uint8_t { Nothing, Progress };
    /// Starts `program` with the arguments, which start with the command; adds `--progress=json` if it
    /// reports progress. Must not be called while running.
    void start(const QString& program, const QStringList& arguments,
               ProgressOutput telling = ProgressOutput::Progress);
    /// Asks the process to end, and kills it after a few seconds.
    void cancel();
    [[nodiscard]] bool running() const { return process.state() != QProcess::NotRunning; }

  signals:
    void progressed(const et::studio::RunProgress& progress);
    /// A line of stdout, including the result; very long lines are split.
    void wrote(const QByteArray& line);
    /// Lines as they are printed; ordered within stdout and within stderr.
    void printed(const std::vector<et::studio::RunLine>& lines);
    void ended(const et::studio::RunEnd& end);

  private:
    void readErrors();
    void readOutput();
    void takeErrorLine(const QByteArray& line);
    void takeOutputLine(const QByteArray& line);
    void tell();
    void finish(int exitCode, QProcess::ExitStatus status);
    void failToStart(QProcess::ProcessError error);

    QProcess process;
    QTimer killTimer;
    QByteArray unfinished;        ///< incomplete line of stderr
    QByteArray unfinishedOutput;  ///< incomplete line of stdout
    std::vector<RunLine> untold;
    QByteArray output;
    QByteArray log;
    bool isResult = false;  ///< the rest of stdout belongs to the result
    bool cancelled = false;
};

}  // namespace et::studio
