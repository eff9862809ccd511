#include "app/studio/inspect_command.h"

namespace et::studio {

InspectCommand::InspectCommand(QObject* parent) : QObject(parent) {
    connect(&process, &QProcess::finished, this, &InspectCommand::finish);
    connect(&process, &QProcess::errorOccurred, this, [this](QProcess::ProcessError error) {
        if (error == QProcess::FailedToStart) {
            emit notStarted(QStringLiteral("cannot start et-inspect: %1").arg(process.errorString()));
        }
    });
}

InspectCommand::~InspectCommand() {
    process.disconnect(this);
    process.kill();
    process.waitForFinished();
}

void InspectCommand::start(const QString& program, const QStringList& arguments) {
    if (program.isEmpty()) {
        emit notStarted(QStringLiteral("et-inspect not found; set its path in the setting run/program"));
        return;
    }
    process.start(program, arguments, QIODevice::ReadOnly);
}

void InspectCommand::finish(int code, QProcess::ExitStatus status) {
    if (status == QProcess::NormalExit && code == 0) {
        emit ended({});
        return;
    }
    const QString said = QString::fromUtf8(process.readAllStandardError()).trimmed();
    emit ended(said.isEmpty() ? QStringLiteral("et-inspect ended with exit code %1").arg(code) : said);
}

}  // namespace et::studio
