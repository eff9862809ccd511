#pragma once

#include "app/studio/inspect_command.h"

#include <QObject>
#include <QString>

#include <filesystem>
#include <memory>
#include <vector>

class QTemporaryDir;

namespace et::studio {

/// Writes a small model with its program, record and trace for exploration: `et-inspect sample`.
class SampleMaker : public QObject {
    Q_OBJECT

  public:
    explicit SampleMaker(QObject* parent = nullptr);
    ~SampleMaker() override;
    SampleMaker(const SampleMaker&) = delete;
    SampleMaker& operator=(const SampleMaker&) = delete;

    /// Runs this et-inspect; writes to a new folder that is deleted with this object.
    void make(const QString& program);

  signals:
    void made(const std::vector<std::filesystem::path>& files);
    void failed(const QString& problem);

  private:
    void finish(const QString& problem);

    std::vector<std::unique_ptr<QTemporaryDir>> folders;  ///< newest last; others may still be open
    InspectCommand command;
};

}  // namespace et::studio
