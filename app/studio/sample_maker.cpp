#include "app/studio/sample_maker.h"

#include <QDir>
#include <QFile>
#include <QTemporaryDir>

namespace et::studio {

SampleMaker::SampleMaker(QObject* parent) : QObject(parent) {
    connect(&process, &QProcess::finished, this, &SampleMaker::finish);
    connect(&process, &QProcess::errorOccurred, this, [this](QProcess::ProcessError error) {
        if (error == QProcess::FailedToStart) {
            emit failed(tr("cannot start et-inspect: %1").arg(process.errorString()));
        }
    });
}

SampleMaker::~SampleMaker() {
    process.disconnect(this);
    process.kill();
    process.waitForFinished();
}

void SampleMaker::make(const QString& program) {
    if (process.state() != QProcess::NotRunning) {
        return;
    }
    if (program.isEmpty()) {
        emit failed(tr("cannot find et-inspect; the setting run/program says where it is"));
        return;
    }
    // A folder for each, since one that is open must not change.
    auto next = std::make_unique<QTemporaryDir>();
    if (!next->isValid()) {
        emit failed(tr("cannot make a folder for the sample: %1").arg(next->errorString()));
        return;
    }
    folders.push_back(std::move(next));
    process.start(
        program,
        {QStringLiteral("sample"), QStringLiteral("conv_net"), QStringLiteral("-o"), folders.back()->path()},
        QIODevice::ReadOnly);
}

void SampleMaker::finish(int code, QProcess::ExitStatus status) {
    if (status != QProcess::NormalExit || code != 0) {
        emit failed(tr("the sample was not written: %1")
                        .arg(QString::fromUtf8(process.readAllStandardError()).trimmed()));
        return;
    }
    std::vector<std::filesystem::path> files;
    const auto found = QDir(folders.back()->path()).entryInfoList(QDir::Files, QDir::Name);
    for (const QFileInfo& file : found) {
        if (file.fileName().startsWith(QStringLiteral("conv_net"))) {
            files.emplace_back(QFile::encodeName(file.absoluteFilePath()).toStdString());
        }
    }
    emit made(files);
}

}  // namespace et::studio
