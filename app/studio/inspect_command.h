#pragma once

#include <QObject>
#include <QProcess>
#include <QString>
#include <QStringList>

namespace et::studio {

/// An et-inspect that writes files and is done soon: no progress, no output. One at a time; nothing blocks.
/// What runs a model is a RunProcess.
class InspectCommand : public QObject {
    Q_OBJECT

  public:
    explicit InspectCommand(QObject* parent = nullptr);
    ~InspectCommand() override;  ///< kills it
    InspectCommand(const InspectCommand&) = delete;
    InspectCommand& operator=(const InspectCommand&) = delete;

    /// `program` as RunProcess::findProgram() gives it. Not while one runs.
    void start(const QString& program, const QStringList& arguments);
    [[nodiscard]] bool running() const { return process.state() != QProcess::NotRunning; }

  signals:
    void notStarted(const QString& problem);
    /// Empty: it did what it was asked for.
    void ended(const QString& problem);

  private:
    void finish(int code, QProcess::ExitStatus status);

    QProcess process;
};

}  // namespace et::studio
