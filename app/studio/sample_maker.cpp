#include "app/studio/sample_maker.h"

#include <QDir>
#include <QFile>
#include <QTemporaryDir>

namespace et::studio {

SampleMaker::SampleMaker(QObject* parent) : QObject(parent) {
    connect(&command, &InspectCommand::notStarted, this, &SampleMaker::failed);
    connect(&command, &InspectCommand::ended, this, &SampleMaker::finish);
}

SampleMaker::~SampleMaker() = default;

void SampleMaker::make(const QString& program) {
    if (command.running()) {
        return;
    }
    // A separate folder for each sample, because an open one must not change.
    auto next = std::make_unique<QTemporaryDir>();
    if (!next->isValid()) {
        emit failed(QStringLiteral("cannot create a folder for the sample: %1").arg(next->errorString()));
        return;
    }
    folders.push_back(std::move(next));
    command.start(program, {QStringLiteral("sample"), QStringLiteral("conv_net"), QStringLiteral("-o"),
                            folders.back()->path()});
}

void SampleMaker::finish(const QString& problem) {
    if (!problem.isEmpty()) {
        emit failed(QStringLiteral("cannot write the sample: %1").arg(problem));
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
