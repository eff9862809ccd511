#pragma once

#include "app/studio/inspect_command.h"

#include <QObject>
#include <QString>

#include <filesystem>
#include <memory>
#include <vector>

class QTemporaryDir;

namespace et::studio {

/// Writes a small model with its program, record and trace, to look around in: `et-inspect sample`.
class SampleMaker : public QObject {
    Q_OBJECT

  public:
    explicit SampleMaker(QObject* parent = nullptr);
    ~SampleMaker() override;
    SampleMaker(const SampleMaker&) = delete;
    SampleMaker& operator=(const SampleMaker&) = delete;

    /// By this et-inspect, into a new folder that lives as long as this object.
    void make(const QString& program);

  signals:
    void made(const std::vector<std::filesystem::path>& files);
    void failed(const QString& problem);

  private:
    void finish(const QString& problem);

    std::vector<std::unique_ptr<QTemporaryDir>>
        folders;  ///< the last is the newest; others may still be open
    InspectCommand command;
};

}  // namespace et::studio
