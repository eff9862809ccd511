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

/// What a gap is calculated of.
struct GapRequest {
    std::filesystem::path record;
    std::filesystem::path program;  ///< or a bundled program; empty: trace and debug buffer
    std::filesystem::path tensorData;
    std::filesystem::path trace;
    std::filesystem::path debugBuffer;
    QString method;  ///< empty: the usual one
    QString inputs;  ///< of --inputs; empty: the usual ones
    QString precision = QStringLiteral("exported");
    bool bisect = true;
    double tolerance = 1;
};

/// The arguments of `et-inspect` for it, without what is saved.
[[nodiscard]] QStringList argumentsOf(const GapRequest& request);

enum class GapTensorSide : std::uint8_t { Reference, Runtime };

/// Calculates a numeric gap in a process of its own, and keeps the tensors in a temporary folder.
class GapJob : public QObject {
    Q_OBJECT

  public:
    /// `settings` must outlive the object.
    explicit GapJob(const QSettings& settings, QObject* parent = nullptr);

    /// Not while it runs. The tensors of the gap before are there until this one has ended well.
    void start(const GapRequest& request);
    void cancel();
    [[nodiscard]] bool running() const { return process.running() || reading.running(); }

    /// A tensor of the gap that ended last.
    [[nodiscard]] std::filesystem::path tensorFile(const inspector::GapReportRow& row, std::size_t output,
                                                   GapTensorSide side) const;

  signals:
    void progressed(const et::studio::RunProgress& progress);
    void calculated(const std::shared_ptr<const et::inspector::GapReport>& report);
    /// One line, and all that the process had to say.
    void failed(const QString& problem, const QString& log);
    void cancelled();

  private:
    void take(const RunEnd& end);
    [[nodiscard]] std::filesystem::path reportFile() const;

    const QSettings& store;
    RunProcess process;
    Background<core::Result<inspector::GapReport>> reading;
    std::unique_ptr<QTemporaryDir> folder;  ///< of the gap that ended last
    std::unique_ptr<QTemporaryDir> next;    ///< of the one that runs
};

}  // namespace et::studio
