#pragma once

#include "app/studio/background.h"
#include "app/studio/run_process.h"
#include "inspector/numeric_gap/gap_report.h"

#include <QObject>
#include <QTemporaryDir>

#include <cstddef>
#include <filesystem>
#include <memory>

class QSettings;

namespace et::studio {

/// Input of a gap calculation.
struct GapRequest {
    std::filesystem::path record;
    std::filesystem::path program;  ///< program or bundled program; empty: use trace and debug buffer
    std::filesystem::path tensorData;
    std::filesystem::path trace;
    std::filesystem::path debugBuffer;
    QString method;  ///< empty: the default method
    QString inputs;  ///< value of --inputs; empty: the default inputs
    QString precision = QStringLiteral("exported");
    bool bisect = true;
    double tolerance = 1;
};

/// Returns the arguments of `et-inspect` for a request, except the output options.
[[nodiscard]] QStringList argumentsOf(const GapRequest& request);

enum class GapTensorSide : std::uint8_t { Reference, Runtime };

/// Calculates a numeric gap in a separate process, and stores the tensors in a temporary folder.
class GapJob : public QObject {
    Q_OBJECT

  public:
    /// `settings` must outlive the object.
    explicit GapJob(const QSettings& settings, QObject* parent = nullptr);

    /// Must not be called while running. The tensors of the previous gap remain available until this one has
    /// succeeded.
    void start(const GapRequest& request);
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
