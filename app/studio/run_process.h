#pragma once

#include "app/studio/run_progress.h"

#include <QByteArray>
#include <QObject>
#include <QProcess>
#include <QString>
#include <QStringList>
#include <QTimer>

#include <cstdint>
#include <vector>

class QSettings;

namespace et::studio {

/// A line that a process printed.
struct RunLine {
    enum class Kind : std::uint8_t {
        Progress,  ///< in words; as a line it was JSON
        Error,     ///< of stderr
        Output,    ///< of stdout, but for the JSON object that is the result
    };
    Kind kind = Kind::Output;
    QString text;  ///< cut where it is very long
};

/// What became of a process.
struct RunEnd {
    enum class Kind : std::uint8_t { Finished, Cancelled, Crashed, NotStarted };
    Kind kind = Kind::Finished;
    int exitCode = 0;
    QString message;    ///< one line for people; empty for Finished
    QByteArray output;  ///< stdout; the beginning of it when it is very long
    QByteArray log;     ///< stderr without the lines of progress; the end of it when it is long
};

/// One line for people about a process that did not do what it was asked for: how it ended, else the last
/// line that it complained with.
[[nodiscard]] QString complaintOf(const RunEnd& end);

/// An et-inspect at work, so that a model that crashes or hangs costs a message. One at a time; nothing
/// blocks.
class RunProcess : public QObject {
    Q_OBJECT

  public:
    explicit RunProcess(QObject* parent = nullptr);
    ~RunProcess() override;  ///< kills it
    RunProcess(const RunProcess&) = delete;
    RunProcess& operator=(const RunProcess&) = delete;

    /// Where et-inspect is: what the setting "run/program" or the launcher of this program says, beside this
    /// program, or in PATH; empty: nowhere.
    [[nodiscard]] static QString findProgram(const QSettings& settings);

    /// Whether a verb says how far it is.
    enum class Telling : std::uint8_t { Nothing, Progress };
    /// Starts `program` with the arguments, a verb first, and `--progress=json` behind one that takes it. Not
    /// while one runs.
    void start(const QString& program, const QStringList& arguments, Telling telling = Telling::Progress);
    /// Asks it to end, and kills it when it does not within a few seconds.
    void cancel();
    [[nodiscard]] bool running() const { return process.state() != QProcess::NotRunning; }

  signals:
    void progressed(const et::studio::RunProgress& progress);
    /// A line of stdout as it is, the result among them; very long ones in parts.
    void wrote(const QByteArray& line);
    /// As the process prints them; those of stdout and of stderr each in their order.
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
    QByteArray unfinished;        ///< the begin of a line of stderr
    QByteArray unfinishedOutput;  ///< of stdout, likewise
    std::vector<RunLine> untold;
    QByteArray output;
    QByteArray log;
    bool isResult = false;  ///< what stdout goes on with
    bool cancelled = false;
};

}  // namespace et::studio
