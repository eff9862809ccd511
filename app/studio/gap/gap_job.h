#pragma once

#include "app/studio/background.h"
#include "app/studio/run_process.h"
#include "app/tasks/gap/gap_run.h"
#include "inspector/numeric_gap/gap_report.h"

#include <QObject>
#include <QTemporaryDir>

#include <cstddef>
#include <filesystem>
#include <memory>

class QSettings;

namespace et::studio {

enum class GapTensorSide : std::uint8_t { Reference, Runtime };

/// Calculates a numeric gap in a separate process, and stores the tensors in a temporary folder.
class GapJob : public QObject {
    Q_OBJECT

  public:
    /// `settings` must outlive the object.
    explicit GapJob(const QSettings& settings, QObject* parent = nullptr);

    /// Must not be called while running. The tensors of the previous gap remain available until this one has
    /// succeeded.
    void start(const tasks::GapSettings& request);
    void cancel();
    [[nodiscard]] bool running() const { return process.running() || reading.running(); }

    /// Path of a tensor of the last successful gap.
    [[nodiscard]] std::filesystem::path tensorFile(const inspector::GapReportRow& row, std::size_t output,
                                                   GapTensorSide side) const;

  signals:
    void progressed(const et::studio::RunProgress& progress);
    void calculated(const std::shared_ptr<const et::inspector::GapReport>& report);
    /// One line, and the full output of the process.
    void failed(const QString& problem, const QString& log);
    void cancelled();

  private:
    void take(const RunEnd& end);
    [[nodiscard]] std::filesystem::path reportFile() const;

    const QSettings& store;
    RunProcess process;
    Background<core::Result<inspector::GapReport>> reading;
    std::unique_ptr<QTemporaryDir> folder;  ///< of the last successful gap
    std::unique_ptr<QTemporaryDir> next;    ///< of the running job
};

}  // namespace et::studio
