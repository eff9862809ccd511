#pragma once

#include <QObject>
#include <QProcess>
#include <QString>
#include <QStringList>

namespace et::studio {

/// Runs a short et-inspect command that writes files, without progress or output. One at a time;
/// non-blocking. Use RunProcess for commands that run a model.
class InspectCommand : public QObject {
    Q_OBJECT

  public:
    explicit InspectCommand(QObject* parent = nullptr);
    ~InspectCommand() override;  ///< kills it
    InspectCommand(const InspectCommand&) = delete;
    InspectCommand& operator=(const InspectCommand&) = delete;

    /// `program`: result of RunProcess::findProgram(). Must not be called while running.
    void start(const QString& program, const QStringList& arguments);
    [[nodiscard]] bool running() const { return process.state() != QProcess::NotRunning; }

  signals:
    void notStarted(const QString& problem);
    /// `problem` is empty on success.
    void ended(const QString& problem);

  private:
    void finish(int code, QProcess::ExitStatus status);

    QProcess process;
};

}  // namespace et::studio
