#pragma once

#include <QByteArray>
#include <QObject>
#include <QProcess>
#include <QString>
#include <QStringList>
#include <QTimer>

#include <cstdint>
#include <optional>

class QSettings;

namespace et::studio {

/// A line of `--progress json` (docs/json.md).
struct RunProgress {
    QString phase;
    qint64 done = 0;
    qint64 total = 0;
    double seconds = 0;
};
/// Nothing where `line` is none.
[[nodiscard]] std::optional<RunProgress> readProgress(QByteArrayView line);

/// What became of a process.
struct RunEnd {
    enum class Kind : std::uint8_t { Finished, Cancelled, Crashed, NotStarted };
    Kind kind = Kind::Finished;
    int exitCode = 0;
    QString message;    ///< one line for people; empty for Finished
    QByteArray output;  ///< stdout
    QByteArray log;     ///< stderr without the lines of progress; the end of it when it is long
};

/// An et-inspect at work, so that a model that crashes or hangs costs a message. One at a time; nothing
/// blocks.
class RunProcess : public QObject {
    Q_OBJECT

  public:
    explicit RunProcess(QObject* parent = nullptr);
    ~RunProcess() override;  ///< kills it

    /// Where et-inspect is: the setting "run/program", beside this program, or in PATH; empty: nowhere.
    [[nodiscard]] static QString findProgram(const QSettings& settings);

    /// Starts `program` with the arguments, a verb first, and `--progress=json` behind it. Not while one
    /// runs.
    void start(const QString& program, const QStringList& arguments);
    /// Asks it to end, and kills it when it does not within a few seconds.
    void cancel();
    [[nodiscard]] bool running() const { return process.state() != QProcess::NotRunning; }

  signals:
    void progressed(const et::studio::RunProgress& progress);
    void ended(const et::studio::RunEnd& end);

  private:
    void readErrors();
    void takeLine(const QByteArray& line);
    void finish(int exitCode, QProcess::ExitStatus status);
    void failToStart(QProcess::ProcessError error);

    QProcess process;
    QTimer killTimer;
    QByteArray unfinished;  ///< the begin of a line of stderr
    QByteArray log;
    bool cancelled = false;
};

}  // namespace et::studio
